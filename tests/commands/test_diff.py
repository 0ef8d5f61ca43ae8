"""`uq-tui diff`."""

import pytest

from store import candidates
from store.rows import NewCandidate, Origin
from tests.commands.conftest import QUESTION, Desk, Run, document, exposed
from uq_tui.words import AuthorKind, TextFormat

FIRST = "We count.\r\n\r\nThe sum $a+b$ is \x1b[2J even.\r\n\r\nDone."
SECOND = "We count.\n\nThe sum $a + b$ is \x1b[2J odd.\n\nDone.\n\nNearly."
HTML = "<p>We <b>count</b>.</p><p>Quite another thing.</p>"


@pytest.fixture
def pair(desk: Desk) -> tuple[str, str, str]:
    """Ids of two candidates that differ, and of one in HTML."""
    workspace = desk.open()
    try:
        made = [(FIRST, TextFormat.MARKDOWN), (SECOND, TextFormat.MARKDOWN), (HTML, TextFormat.HTML)]
        by = Origin(AuthorKind.MODEL, model="a-model")
        new = [NewCandidate(QUESTION, text, form, by) for text, form in made]
        first, second, third = candidates.add(workspace, new)
    finally:
        workspace.close()
    return first, second, third


def test_paragraphs_that_differ_are_shown_and_nothing_is_obeyed(uq: Run, pair: tuple[str, str, str]) -> None:
    result = uq("diff", pair[0], pair[1])
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "... 1 paragraph the same ...",
        "The sum $a + b$ is ␛[2J [-even-]{+odd+}.",
        "",
        "... 1 paragraph the same ...",
        "{+Nearly.+}",
        "",
    ]
    assert "4 words differ in 2 paragraphs: 1 only on the left, 3 only on the right." in result.stderr


def test_the_json_counts_in_raw_answers(uq: Run, pair: tuple[str, str, str]) -> None:
    told = document(uq("diff", pair[0][:10], pair[1], "--json"))
    (removed,) = told["removed"]
    assert FIRST[removed["start"] : removed["end"]] == removed["text"] == "even"
    assert [SECOND[one["start"] : one["end"]] for one in told["added"]] == ["odd", "Nearly."]
    assert [told["left"]["id"], told["right"]["id"]] == [*pair[:2]]
    assert (told["words_removed"], told["words_added"], told["paragraphs"], len(told["pairs"])) == (1, 3, 2, 3)
    left = told["pairs"][2]["left"]
    assert FIRST[left["start"] : left["end"]] == "Done."


def test_html_is_compared_as_it_is_read(uq: Run, pair: tuple[str, str, str]) -> None:
    told = document(uq("diff", pair[0], pair[2], "--json"))
    known = [one for one in told["added"] if one["start"] is not None]
    assert [one["text"] for one in known if HTML[one["start"] : one["end"]] == one["text"]] != []
    assert "Quite another thing." in " ".join(one["text"] for one in told["added"])


def test_the_same_answer_does_not_differ(uq: Run, pair: tuple[str, str, str]) -> None:
    result = uq("diff", pair[0], pair[0])
    assert result.stdout == "... 3 paragraphs the same ...\n"
    assert "Not one word differs." in result.stderr


def test_seeing_what_differs_is_no_exposure(uq: Run, desk: Desk, pair: tuple[str, str, str]) -> None:
    uq("diff", pair[0], pair[1])
    assert exposed(desk, pair[0]) == exposed(desk, pair[1]) == set()


def test_an_unknown_candidate(uq: Run, pair: tuple[str, str, str]) -> None:
    assert uq("diff", pair[0], "abcdef123").exit_code == 3
