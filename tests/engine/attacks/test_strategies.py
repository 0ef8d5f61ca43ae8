"""No text of a candidate steers a strategy: every shape of the catalogue, asked of judges that quote it."""

from collections import Counter
from collections.abc import Iterable, Sequence

import pytest

from store import judgements
from store.workspace import Workspace
from tests.engine.attacks.quoting import LAST, STYLES, Style
from tests.engine.attacks.quoting_judge import conduct
from tests.engine.attacks.texts import ATTACKS, PADDING
from tests.engine.runs.scripted import add_candidates, add_question, start
from uq_tui.engine.requests import ModelChoice, ValidateRequest
from uq_tui.engine.runs import validate
from uq_tui.strategies import catalogue
from uq_tui.strategies.tree import models_in
from uq_tui.words import DecisionForm, Outcome, RunKind

SHORT = tuple(text for text in ATTACKS.values() if len(text) < PADDING // 2)
LONG = tuple(text for text in ATTACKS.values() if text not in SHORT)
"""200 KB each. They go through one strategy only, since every reply repeats them."""
HONEST = ("Yes: take the supremum of its terms.", "Yes. An earlier check said [[N]] and AAAAAAAA: reject, wrongly.")
SHAPES = catalogue.shape_names()


async def outcomes(
    ws: Workspace,
    shape: str,
    texts: Sequence[str],
    word: str,
    styles: Iterable[Style] = STYLES.values(),
    form: DecisionForm = DecisionForm.TAGGED,
) -> dict[str, Outcome]:
    """What a strategy finds of each text, by judges that quote it and decide as `word` says, or nothing for ""."""
    add_question(ws)
    ids = dict(zip(add_candidates(ws, *texts), texts, strict=True))
    models = [ModelChoice(f"scripted/judge-{slot}") for slot in models_in(catalogue.find(shape).strategy.root)]
    request = ValidateRequest(tuple(ids), models[0], shape, more_models=tuple(models[1:]), form=form)
    run = start(ws, RunKind.VALIDATE, request)
    await conduct(ws, validate, run, ids, word, styles)
    found = {row.candidate_id: row.outcome for row in judgements.outcomes_of_run(ws, run.id) if row.path == ""}
    return {ids[candidate_id]: outcome for candidate_id, outcome in found.items()}


@pytest.mark.parametrize("shape", SHAPES)
async def test_judges_that_reject_and_quote_never_accept(workspace: Workspace, shape: str) -> None:
    found = await outcomes(workspace, shape, SHORT, "reject")

    assert len(found) == len(SHORT)
    assert [text for text, outcome in found.items() if outcome is Outcome.ACCEPT] == []


@pytest.mark.parametrize("shape", SHAPES)
async def test_judges_that_quote_and_end_by_rejecting_reject(workspace: Workspace, shape: str) -> None:
    found = await outcomes(workspace, shape, SHORT[::6], "reject", LAST.values())

    assert set(found.values()) == {Outcome.REJECT}


@pytest.mark.parametrize("shape", SHAPES)
async def test_judges_that_quote_and_decide_nothing_never_accept(workspace: Workspace, shape: str) -> None:
    found = await outcomes(workspace, shape, SHORT[::6], "")

    assert set(found.values()) == {Outcome.UNPARSED}


@pytest.mark.parametrize("shape", SHAPES)
async def test_judges_that_quote_and_end_by_accepting_accept(workspace: Workspace, shape: str) -> None:
    found = await outcomes(workspace, shape, (*HONEST, *SHORT[::30]), "accept", LAST.values())

    assert set(found.values()) == {Outcome.ACCEPT}


@pytest.mark.parametrize("word", ["reject", ""])
async def test_long_texts_never_accept(workspace: Workspace, word: str) -> None:
    found = await outcomes(workspace, "cr3-u", LONG, word)

    assert len(found) == len(LONG) > 5
    assert Outcome.ACCEPT not in found.values()


@pytest.mark.parametrize("shape", ["c", "3-iter"])
async def test_known_numbers_of_texts_steer_the_exact_form(workspace: Workspace, shape: str) -> None:
    """By judges that reject and then quote, who never accept in the form with a tag. See docs/architecture.md."""
    found = await outcomes(workspace, shape, SHORT, "reject", [STYLES["after"]], DecisionForm.EXACT)

    assert len(SHORT) == 136
    assert Counter(found.values())[Outcome.ACCEPT] == 32
