"""What `uq-tui questions show --reveal` shows of answers that came with marks."""

from store.identity import question_id_for_text
from tests.commands.conftest import Desk, Run, document, exposed
from tests.fixtures import FIXTURES
from uq_tui.words import Exposure

QUESTION = question_id_for_text("source", "Show that 2 divides 4.")


def test_marks_and_what_the_file_says_besides_are_shown_and_recorded(uq: Run, desk: Desk) -> None:
    assert uq("import", str(FIXTURES / "graded" / "rated-proofs.jsonl")).exit_code == 0
    hidden = uq("questions", "show", QUESTION).stdout
    assert "9 of 21" not in hidden
    shown = uq("questions", "show", QUESTION, "--reveal").stdout
    assert "known label: incorrect, 9 of 21" in shown
    assert "rated-proofs.jsonl says more, shown by --json: average_automatic_rating, human_rating" in shown
    (candidate,) = document(uq("questions", "show", QUESTION, "--reveal", "--json"))["candidates"]
    known = candidate["known"]
    assert (known["known_label"]["marks"], known["known_label"]["full_marks"]) == (9.0, 21.0)
    assert known["said"] == {"rated-proofs.jsonl": {"average_automatic_rating": 0.75, "human_rating": 9}}
    assert {Exposure.KNOWN_LABEL, Exposure.CLAIMS, Exposure.SCORES} <= exposed(desk, candidate["id"])
