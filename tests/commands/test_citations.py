"""`uq-tui citations`."""

import pytest

from store import candidates, exposures, reviewers
from store.rows import NewCandidate, Origin
from tests.commands.conftest import QUESTION, Desk, Run, document
from uq_tui.words import AuthorKind, TextFormat

ANSWER = """First we count.

By arXiv:1901.00001v2 and \x1b[2J doi:10.1000/ab, all is well. Then arXiv:1901.00001 again.
It is in arXiv:1913.00001.
"""


@pytest.fixture
def cited(desk: Desk) -> str:
    """Id of a candidate that cites."""
    workspace = desk.open()
    try:
        new = NewCandidate(QUESTION, ANSWER, TextFormat.MARKDOWN, Origin(AuthorKind.PERSON))
        (added,) = candidates.add(workspace, (new,))
    finally:
        workspace.close()
    return added


def test_references_are_listed_with_their_places(uq: Run, cited: str) -> None:
    result = uq("citations", cited[:8])

    assert result.exit_code == 0
    _, arxiv, doi, malformed = result.stdout.splitlines()
    start = ANSWER.index("arXiv")
    assert arxiv.split()[:5] == ["arxiv", "arXiv:1901.00001v2", "3", f"{start}-{start + 18}", "2"]
    assert arxiv.rstrip().endswith("By arXiv:1901.00001v2 and ␛[2J doi:10.1000/ab, all is well.")
    assert doi.split()[:2] == ["doi", "doi:10.1000/ab"]
    assert "there is no month 13" in malformed
    assert "3 references, 1 malformed." in result.stderr
    assert "\x1b" not in result.output


def test_the_json_has_every_mention(uq: Run, desk: Desk, cited: str) -> None:
    told = document(uq("citations", cited, "--json"))

    assert (told["candidate_id"], told["question_id"], told["format"]) == (cited, QUESTION, "markdown")
    assert told["checkers"] is None
    arxiv, doi, malformed = told["references"]
    assert (arxiv["kind"], arxiv["key"], arxiv["malformed"], arxiv["checks"]) == ("arxiv", "1901.00001", None, None)
    assert [ANSWER[one["start"] : one["end"]] for one in arxiv["mentions"]] == [
        "arXiv:1901.00001v2",
        "arXiv:1901.00001",
    ]
    assert [one["line"] for one in arxiv["mentions"]] == [3, 3]
    assert arxiv["mentions"][1]["sentence"] == "Then arXiv:1901.00001 again."
    assert doi["text"] == "doi:10.1000/ab"
    assert malformed["mentions"][0]["line"] == 4


def test_seeing_citations_is_no_exposure(uq: Run, desk: Desk, cited: str) -> None:
    uq("citations", cited)

    workspace = desk.open()
    try:
        assert exposures.of_candidate(workspace, reviewers.current(workspace).id, cited) == ()
    finally:
        workspace.close()


def test_a_candidate_without_references(uq: Run, desk: Desk) -> None:
    result = uq("citations", desk.right)

    assert result.exit_code == 0
    assert "0 references, 0 malformed." in result.stderr
    assert document(uq("citations", desk.right, "--json"))["references"] == []


def test_checking_needs_a_checker(uq: Run, cited: str) -> None:
    result = uq("citations", cited, "--check")

    assert result.exit_code == 3
    assert "No citation checker is installed" in result.stderr
    assert "docs/citations.md" in result.stderr


def test_an_unknown_candidate(uq: Run) -> None:
    assert uq("citations", "abcdef123").exit_code == 3
