"""Citation checkers in real processes: good ones, bad ones, and the one that docs/citations.md shows."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from store import candidates
from store.rows import NewCandidate, Origin
from tests.citations.reading import references
from tests.commands.conftest import QUESTION, Desk
from tests.commands.conftest import desk as desk
from tests.commands.conftest import stocked as stocked
from tests.plugins.site_packages import make_environment, write_distribution
from uq_tui.citations.checking import Checked, Existence
from uq_tui.plugins.citation_checks import MOST, check, installed_checkers, worth_asking
from uq_tui.plugins.spec import CITATION_CHECKERS
from uq_tui.words import AuthorKind, TextFormat

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "citations.md").read_text(encoding="utf-8")
CODE = """
from uq_tui.citations.checking import Checked, Existence

class Tells:
    def check(self, reference):
        return Checked(Existence.NOT_FOUND, ascii(sorted(reference.items())), "javascript:x")

class Raises:
    def check(self, reference):
        raise OSError("no network")

class Wrong:
    def check(self, reference):
        return {"existence": "perhaps"}

class Partly:
    def check(self, reference):
        if reference["kind"] == "doi":
            raise ValueError("a DOI")
        return Checked(Existence.FOUND)
"""
TEXT = "See arXiv:1901.00001 and doi:10.1000/ab\ud800cd; not arXiv:1913.00001."


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with checkers; returns its interpreter."""
    python, packages = make_environment(tmp_path_factory.mktemp("checked") / "environment")
    entries = {name.lower(): f"checkers:{name}" for name in ("Tells", "Raises", "Wrong", "Partly")}
    write_distribution(packages, "checkers", entries, group=CITATION_CHECKERS, code=CODE)
    return python


@pytest.fixture
def its_interpreter(environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(environment))


async def test_a_checker_is_told_of_each_reference_alone(its_interpreter: None) -> None:
    asked = worth_asking(references(TEXT))
    first, second = await check("tells", asked)

    assert (first.existence, first.source) == (Existence.NOT_FOUND, "")
    assert first.note == "[('key', '1901.00001'), ('kind', 'arxiv'), ('text', 'arXiv:1901.00001')]"
    assert "10.1000/ab" in second.note


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("raises", "the checker failed: OSError: no network"),
        ("wrong", "the checker returned something else than its finding"),
        ("absent", "the checker failed: No plug-in named 'absent' is installed in the group uq_tui.citation_checkers."),
    ],
)
async def test_where_a_checker_fails_nothing_is_known(its_interpreter: None, name: str, note: str) -> None:
    (found,) = await check(name, references("arXiv:1901.00001"))

    assert found == Checked(Existence.UNKNOWN, note)


async def test_one_failure_leaves_the_other_references(its_interpreter: None) -> None:
    found = await check("partly", worth_asking(references(TEXT)))

    assert [one.existence for one in found] == [Existence.FOUND, Existence.UNKNOWN]


async def test_no_reference_asks_nothing() -> None:
    assert await check("tells", ()) == ()


def test_what_cannot_exist_and_what_is_too_much_is_not_asked_about() -> None:
    many = references(" ".join(f"arXiv:1901.{number:05}" for number in range(MOST + 20)))

    assert len(many) == MOST + 20
    assert worth_asking(many) == tuple(many[1 : MOST + 1])  # there is no number 00000


def test_no_checker_comes_with_uq_tui() -> None:
    assert installed_checkers() == ()


def block(language: str) -> str:
    """The one code block of the page in that language."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
    return str(found)


def test_the_documented_checker_works(tmp_path: Path, desk: Desk) -> None:
    python, packages = make_environment(tmp_path / "environment")
    ((name, value),) = re.findall(r'^(\w+) = "(.*)"$', block("toml"), flags=re.MULTILINE)
    group = re.search(r'entry-points\."(.*)"\]', block("toml"))
    assert group is not None
    write_distribution(packages, "my_library", {name: value}, group=group[1], code=block("python"))
    workspace = desk.open()
    try:
        answer = "By ISBN 0-387-90244-9, doi:10.1090/noti1380 and arXiv:1901.00001."
        new = NewCandidate(QUESTION, answer, TextFormat.MARKDOWN, Origin(AuthorKind.PERSON))
        (cited,) = candidates.add(workspace, (new,))
    finally:
        workspace.close()

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(python), "-P", "-c", "from uq_tui.cli import main; main()", "--workspace", str(desk.path)]
        home = os.environ | {"UQ_TUI_HOME": str(tmp_path / "home")}
        return subprocess.run(
            [*command, "citations", cited, *arguments],
            cwd=tmp_path,
            env=home,
            capture_output=True,
            text=True,
            check=True,
        )

    told = json.loads(run("--check", "--json").stdout)
    assert told["checkers"] == [{"name": "my_library", "package": "my-library", "version": "1.0"}]
    assert [(one["kind"], one["checks"][0]["existence"]) for one in told["references"]] == [
        ("isbn", "found"),
        ("doi", "found"),
        ("arxiv", "unknown"),
    ]
    assert "✓ found Kalai, The Quantum Computer Puzzle https://doi.org/10.1090/noti1380" in run("--check").stdout
