"""No text of a candidate becomes its own score, whatever judge template scores it."""

from collections.abc import Iterable

import pytest

from store import scores
from store.workspace import Workspace
from tests.engine.attacks.quoting import LAST, STYLES, Style
from tests.engine.attacks.quoting_judge import conduct
from tests.engine.attacks.texts import ATTACKS, PADDING
from tests.engine.runs.scripted import MODEL, add_candidates, add_question, start
from uq_tui.engine.judging.judges import JUDGES
from uq_tui.engine.requests import JudgeRequest
from uq_tui.engine.runs import judge
from uq_tui.words import RunKind

SHORT = tuple(text for text in ATTACKS.values() if len(text) < PADDING // 2)


def ending(name: str) -> str:
    """What a judge says that thinks little of a candidate."""
    return "reject" if name == "uq_binary" else "2"


def low(name: str) -> float:
    """The score that stands for it."""
    return 0.0 if name == "uq_binary" else 2.0


async def read(ws: Workspace, name: str, word: str, styles: Iterable[Style]) -> set[float | None]:
    """The scores that a judge's replies about all texts come to."""
    add_question(ws)
    ids = dict(zip(add_candidates(ws, *SHORT), SHORT, strict=True))
    run = start(ws, RunKind.JUDGE, JudgeRequest(tuple(ids), MODEL, name, samples=1))
    await conduct(ws, judge, run, ids, word, styles)
    found = scores.of_run(ws, run.id)
    assert len(found) == len(SHORT)
    return {one.score for scoring in found for one in scoring.scores}


@pytest.mark.parametrize("name", JUDGES)
async def test_judges_that_score_low_and_quote_never_score_otherwise(workspace: Workspace, name: str) -> None:
    assert await read(workspace, name, ending(name), STYLES.values()) <= {low(name), None}


@pytest.mark.parametrize("name", [name for name in JUDGES if name != "proof_grader"])
async def test_judges_that_quote_and_end_with_a_score_have_it_read(workspace: Workspace, name: str) -> None:
    assert await read(workspace, name, ending(name), LAST.values()) == {low(name)}


@pytest.mark.parametrize("name", JUDGES)
async def test_judges_that_quote_and_give_no_score_give_none(workspace: Workspace, name: str) -> None:
    assert await read(workspace, name, "", STYLES.values()) == {None}
