"""`uq-tui report standing`."""

from pathlib import Path

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


def test_verdicts_are_chosen_for_standing_and_for_plots(uq: Run, desk: Desk, tmp_path: Path) -> None:
    assert uq("verdict", "give", desk.right, "--label", "correct").exit_code == 0
    for since, places in (("2020-01-01", 1), ("2999-01-01", 0)):
        found = document(uq("report", "standing", "--since", since, "--json"))
        assert (len(found["ranking"]), found["verdicts"]["since"]) == (places, since)
        out = tmp_path / since
        saved = document(uq("report", "plots", "--since", since, "--out", str(out), "--format", "csv", "--json"))
        tabs = {Path(name).name.partition("-")[0] for name in saved["files"]}
        assert tabs == ({"consensus", "standing"} if places else set())
    refused = uq("report", "plots", "--since", "2020-01-01", "--out", str(tmp_path), "--tab", "work")
    assert (refused.exit_code, "can't be chosen for work" in refused.stderr) == (2, True)
