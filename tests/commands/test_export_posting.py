"""Answers for posting on the command line: the site's policy first, then the file."""

from pathlib import Path

from tests.commands.conftest import Desk, Run, document, exposed
from tests.commands.test_comment import blinded


def test_a_site_that_forbids_it_is_named_before_anything_is_written(uq: Run, desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "answer.md"
    refused = uq("export", "--for-posting", desk.right, str(file))
    assert refused.exit_code == 3
    assert "Mathematics, answers by machines: forbidden." in refused.stderr
    assert "https://math.stackexchange.com/help/gen-ai-policy" in refused.stderr
    assert not file.exists()
    done = document(uq("export", "--for-posting", desk.right, str(file), "--anyway", "--json"))["posting"]
    assert (done["site"], done["policy"], done["by_machine"]) == ("math.stackexchange.com", "forbidden", True)
    written = file.read_text(encoding="utf-8")
    assert written.startswith("Yes, by a sieve.\n\n---\n")
    assert "the model secret-model" in written
    assert "\x1b" not in written
    assert {"model", "other_verdicts"} <= exposed(desk, desk.right)


def test_it_is_refused_while_the_problem_is_judged_blind(uq: Run, desk: Desk, tmp_path: Path) -> None:
    blinded(desk)
    file = tmp_path / "answer.md"
    refused = uq("export", "--for-posting", desk.right, str(file), "--anyway")
    assert (refused.exit_code, "secret-model" in refused.output, file.exists()) == (2, False, False)
    assert exposed(desk, desk.right) == set()


def test_anyway_alone_is_no_export(uq: Run, desk: Desk) -> None:
    assert uq("export", "--anyway").exit_code == 2
    assert uq("export", "--out", "-", "--anyway").exit_code == 2
