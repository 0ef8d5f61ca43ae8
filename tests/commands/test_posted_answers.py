"""Answers that were posted on a site, on the command line: whose they are is told of what is revealed."""

from store import posted
from store.posted import NewPostedAnswer
from tests.commands.conftest import LONELY, Desk, Run, document
from uq_tui.words import TextFormat


def test_a_revealed_answer_says_whose_it_is_and_under_which_licence(uq: Run, desk: Desk) -> None:
    ws = desk.open()
    answer = NewPostedAnswer(
        LONELY,
        "Two is.",
        TextFormat.MARKDOWN,
        "43",
        link="https://math.stackexchange.com/a/43",
        author="ann\x1b[2J",
        author_id="7",
        posted_at="2020-01-01T00:00:00Z",
    )
    ws.write(lambda db: posted.put_answers(db, [answer]))
    ws.close()
    assert "ann" not in uq("questions", "show", LONELY).stdout
    shown = uq("questions", "show", LONELY, "--reveal").stdout
    assert "\x1b" not in shown
    assert "- posted by ann␛[2J (https://math.stackexchange.com/users/7), on Mathematics, " in shown
    (one,) = document(uq("questions", "show", LONELY, "--reveal", "--json"))["candidates"]
    assert (one["known"]["posted"]["licence"], one["known"]["posted"]["link"]) == ("CC BY-SA 4.0", answer.link)
