"""`uq-tui report standing`."""

from tests.commands.conftest import Desk, Run, document, exposed
from uq_tui.words import Exposure


def test_it_tells_who_solved_what_and_who_judged(uq: Run, desk: Desk) -> None:
    assert uq("verdict", "give", desk.right, "--label", "correct").exit_code == 0
    shown = uq("report", "standing")
    assert shown.exit_code == 0
    assert "Answers by 1 model, 0 systems and 0 people" in shown.stdout
    assert "fewer than 10 judged" in shown.stdout
    found = document(uq("report", "standing", "--json"))
    (place,) = found["ranking"]
    assert (place["place"], place["name"], place["kind"], place["resolved"]) == (1, "secret-model", "model", 0)
    assert (place["correct"]["hits"], place["correct"]["n"]) == (1, 1)
    (credit,) = found["credit"]
    assert (credit["name"], credit["verdicts"], credit["stood"]["value"]) == ("tester", 1, None)
    assert sum(found["questions"].values()) == 2
    assert Exposure.OTHER_VERDICTS not in exposed(desk, desk.right), "one's own verdict is no news"


def test_it_says_what_to_do_while_nothing_is_judged(uq: Run) -> None:
    result = uq("report", "standing")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "uq-tui resolve" in result.stderr
