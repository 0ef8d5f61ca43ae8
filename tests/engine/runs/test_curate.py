"""The model filter of the funnel: what is asked, where questions then stand, and what failures don't do."""

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from store import calls, candidates, curation_passes, curations, ratings
from store.curation_rows import Curation, Place
from store.run_rows import Run
from store.workspace import Workspace
from tests.engine.runs.rated import UNREADABLE, Raters, rating
from tests.engine.runs.scripted import FAILED, Said, Script, Scripted, conduct, start
from tests.store.stock import question, take
from uq_tui.curation.thresholds import default_toml
from uq_tui.engine.protocol import CandidateAdded, QuestionRated
from uq_tui.engine.requests import MOST_QUESTIONS, CurateRequest, ModelChoice
from uq_tui.engine.runs.curate import ANSWER, RATING, RETRY
from uq_tui.errors import NotFoundError, UqError
from uq_tui.words import CallState, CurationStage, Reading, RunKind

ANSWERER, RATER, OTHER = ModelChoice("m/answers"), ModelChoice("m/rates"), ModelChoice("m/rates-too")
MODEL, REVIEW = CurationStage.MODEL, CurationStage.REVIEW


def curation(workspace: Workspace, questions: int, rules: str = "") -> Curation:
    """A pass whose rules have let so many questions through."""
    take(workspace, *(question(number) for number in range(1, questions + 1)))
    begun = curations.begin(workspace, "p", rules or default_toml())
    begun = curation_passes.start(workspace, begun.id, questions, ())
    places = [("", Place(number, MODEL)) for number in range(1, questions + 1)]
    curation_passes.put_places(workspace, begun, places, questions)
    return begun


def request(workspace: Workspace, begun: Curation, *raters: ModelChoice) -> CurateRequest:
    return CurateRequest(begun.id, ratings.waiting(workspace, begun.id), ANSWERER, raters or (RATER,))


async def rated(workspace: Workspace, begun: Curation, script: Script, *raters: ModelChoice) -> Scripted:
    """A model that has done a run on all that wait."""
    model = Scripted(workspace, script)
    await conduct(model, start(workspace, RunKind.CURATE, request(workspace, begun, *raters)))
    return model


def place(workspace: Workspace, begun: Curation, number: int) -> tuple[CurationStage, str, str]:
    path = curations.path(workspace, begun.id, f"source:{number}")
    assert path is not None
    return path.place.stage, path.place.fell, path.place.detail


def counted(workspace: Workspace, begun: Curation) -> dict[tuple[str, str], int]:
    return {(one.stage.value, one.fell): one.n for one in curations.counts(workspace, begun.id)}


READ, TWICE = "undecided: 1 of 3 ratings read", "undecided: 0 of 3 ratings read"
SCRIPT = Raters(
    {
        1: (rating(),),  # limits exactly met
        2: (rating(correctness=41), rating(40), rating(40)),
        3: (rating(solvability=71),),
        4: (rating(Clear=False), rating(), rating()),
        5: (rating(), rating(Answerable=False), rating()),
        6: (rating(), rating(), rating(Unambiguous_Answer=False)),
        7: (rating(90, 95),),
        9: (FAILED, rating(10, 10), rating(20, 20)),
        10: (FAILED, FAILED, rating(90, 95)),
        11: (FAILED,),
        12: (UNREADABLE, rating(), rating()),
        13: (UNREADABLE, UNREADABLE, rating()),
        14: (UNREADABLE,),
        15: (UNREADABLE, rating(), rating()),
        16: (FAILED, UNREADABLE, rating(Clear=False)),
    },
    answers={8: FAILED, 17: Said("  "), 18: Said("It is", finish_reason="length")},
    later={(15, 0): rating(41), (16, 1): rating()},
)
"""Eighteen questions, each with something of its own."""
PLACES = {
    1: (REVIEW, "", "answer correctness 40, expert solvability 70, means of 3"),
    2: (MODEL, "answer_correctness", "answer correctness 40.33 > 40, mean of 3"),
    3: (MODEL, "expert_solvability", "expert solvability 71 > 70, mean of 3"),
    4: (MODEL, "well_defined", "well defined: no in 1 of 3 ratings"),
    5: (MODEL, "approachable", "approachable: no in 1 of 3 ratings"),
    6: (MODEL, "objective", "objective: no in 1 of 3 ratings"),
    7: (MODEL, "answer_correctness", "answer correctness 90 > 40, mean of 3"),
    8: (MODEL, "", "undecided: no answer, call failed (timeout): it took too long"),
    9: (REVIEW, "", "answer correctness 15, expert solvability 15, means of 2"),
    10: (MODEL, "", READ),
    11: (MODEL, "", TWICE),
    12: (REVIEW, "", "answer correctness 40, expert solvability 70, means of 2"),
    13: (MODEL, "", READ),
    14: (MODEL, "", TWICE),
    15: (MODEL, "answer_correctness", "answer correctness 40.33 > 40, mean of 3"),
    16: (MODEL, "well_defined", "well defined: no in 1 of 2 ratings"),
    17: (MODEL, "", "undecided: no answer, the reply is empty"),
    18: (MODEL, "", "undecided: no answer, the reply was cut at the length limit"),
}
COUNTS = {
    ("review", ""): 3,
    ("model", ""): 7,
    ("model", "answer_correctness"): 3,
    ("model", "expert_solvability"): 1,
    ("model", "well_defined"): 2,
    ("model", "approachable"): 1,
    ("model", "objective"): 1,
}


async def test_questions_stand_where_ratings_put_them_whatever_fails(workspace: Workspace) -> None:
    begun = curation(workspace, 18)
    model = await rated(workspace, begun, SCRIPT)
    assert {number: place(workspace, begun, number) for number in PLACES} == PLACES
    assert counted(workspace, begun) == COUNTS
    undecided = [one for one in curations.counts(workspace, begun.id) if one.unknown]
    assert [(one.stage, one.fell, one.n) for one in undecided] == [(MODEL, "", 7)]
    decided = sum(n for (_, fell), n in COUNTS.items() if fell) + COUNTS["review", ""]
    assert model.progress[-1] == (decided, 18)
    told = Counter(event.question_id for event in model.events if isinstance(event, QuestionRated))
    assert told == {f"source:{number}": 1 for number in PLACES}


async def test_what_failed_is_kept_as_failed_and_is_no_figure(workspace: Workspace) -> None:
    """filter.py:225-233 makes zeros of it."""
    begun = curation(workspace, 18)
    await rated(workspace, begun, SCRIPT)
    found = curations.ratings(workspace, begun.id, "source:16")
    assert [(one.sample, one.state, one.answer_correctness) for one in found] == [
        (0, Reading.FAILED, None),
        (1, Reading.READ, 40.0),
        (2, Reading.READ, 40.0),
    ]
    assert found[0].reason == "call failed (timeout): it took too long"
    (unread, *_) = curations.ratings(workspace, begun.id, "source:14")
    assert (unread.state, unread.objective) == (Reading.UNPARSED, None)
    assert unread.reason == "no JSON object begins with the code, asked twice"
    call = calls.get(workspace, found[0].call_key)
    assert call is not None
    assert call.state is CallState.FAILED


async def test_without_an_answer_nothing_is_rated(workspace: Workspace) -> None:
    """filter.py:190-192 has the words of the error rated as an answer."""
    begun = curation(workspace, 18)
    model = await rated(workspace, begun, SCRIPT)
    asked = {ask.path.split("/")[0] for ask in model.asks if ask.template.name == RATING}
    assert asked == {f"source:{number}" for number in PLACES} - {"source:8", "source:17", "source:18"}
    for number in (8, 17):
        path = curations.path(workspace, begun.id, f"source:{number}")
        assert path is not None
        assert path.answer is not None
        assert path.answer.candidate_id is None
        assert candidates.of_question(workspace, f"source:{number}") == ()


async def test_the_next_run_asks_for_what_is_missing_and_nothing_else(workspace: Workspace) -> None:
    """filter.py:213-220 stores a failure as final."""
    begun = curation(workspace, 18)
    await rated(workspace, begun, SCRIPT)
    well = Raters({number: (rating(10, 10),) for number in PLACES})
    again = await rated(workspace, begun, well)
    three = range(3)
    assert Counter((ask.path, ask.sample) for ask in again.asks) == Counter(
        [
            # What failed is the same call again; what could not be read is drawn anew, with another sample index.
            ("source:8/answer", 0),
            ("source:17/answer", 1),
            ("source:18/answer", 1),
            *((f"source:{number}/{sample}", sample) for number in (8, 11, 17, 18) for sample in three),
            ("source:10/0", 0),
            ("source:10/1", 1),
            ("source:13/0", 3),
            ("source:13/1", 4),
            *((f"source:14/{sample}", 3 + sample) for sample in three),
        ]
    )
    # 10 and 10 twice, and the 90 and 95 that had come before.
    assert place(workspace, begun, 10)[2] == "answer correctness 36.67, expert solvability 38.33, means of 3"
    assert counted(workspace, begun) | {("model", ""): 0} == {**COUNTS, ("review", ""): 10, ("model", ""): 0}
    assert ratings.waiting(workspace, begun.id) == ()
    assert again.progress[-1] == (7, 7)


async def test_what_was_drawn_anew_stays_drawn(workspace: Workspace) -> None:
    begun = curation(workspace, 1)
    await rated(workspace, begun, Raters({1: (UNREADABLE, UNREADABLE, rating())}))
    await rated(workspace, begun, Raters({1: (UNREADABLE, FAILED)}))
    third = await rated(workspace, begun, Raters({1: (rating(10, 10),)}))
    assert [(ask.path, ask.sample) for ask in third.asks] == [("source:1/0", 6), ("source:1/1", 4)]
    assert place(workspace, begun, 1)[0] is REVIEW


async def test_the_answer_becomes_a_candidate_also_where_it_was_cut(workspace: Workspace) -> None:
    """filter.py:272 keeps no answer."""
    begun = curation(workspace, 18)
    model = await rated(workspace, begun, SCRIPT)
    (one,) = candidates.of_question(workspace, "source:1")
    path = curations.path(workspace, begun.id, "source:1")
    assert path is not None
    assert path.answer is not None
    assert path.answer.candidate_id == one.id
    assert (one.answer.raw, one.origins[0].model) == ("The answer to 1 is 42.", ANSWERER.id)
    (cut,) = candidates.of_question(workspace, "source:18")
    assert cut.cut_off
    added = {event.question_id for event in model.events if isinstance(event, CandidateAdded)}
    assert added == {f"source:{number}" for number in PLACES} - {"source:8", "source:17"}


async def test_one_call_answers_and_the_raters_take_turns(workspace: Workspace) -> None:
    begun = curation(workspace, 1)
    model = await rated(workspace, begun, Raters({1: (UNREADABLE,)}), RATER, OTHER)
    assert model.batches == [1, 3, 3]
    asked = [(ask.template.name, ask.model, ask.sample, ask.temperature) for ask in model.asks]
    turns = [(0, RATER), (1, OTHER), (2, RATER)]
    assert asked == [
        (ANSWER, ANSWERER, 0, 0.3),
        *((RATING, rater, sample, None) for sample, rater in turns),
        *((RETRY, rater, sample, None) for sample, rater in turns),
    ]
    first = model.asks[1]
    assert "The answer to 1 is 42." in first.messages[0].content
    assert first.tag in first.messages[0].content


@pytest.mark.parametrize("after", [1, 25, 64, 66])
async def test_a_run_that_was_killed_goes_on(workspace: Workspace, after: int) -> None:
    begun = curation(workspace, 18)
    run = start(workspace, RunKind.CURATE, request(workspace, begun))
    model = Scripted(workspace, SCRIPT, die_after=after)
    with pytest.raises(asyncio.CancelledError):
        await conduct(model, run)
    sent = len(model.asks)
    whole = Scripted(workspace, SCRIPT)
    await conduct(whole, run)
    assert {number: place(workspace, begun, number) for number in PLACES} == PLACES
    assert counted(workspace, begun) == COUNTS
    # One answer, three ratings and again what can't be read, but for three without an answer.
    planned = 18 + 3 * 15 + sum((1, 2, 3, 1, 1))
    before = {(ask.path, ask.messages) for ask in model.asks}  # what can't be read is asked again with one line more
    failed = sum((ask.path, ask.messages) in before for ask in whole.asks)
    assert sent + len(whole.asks) - failed == planned


async def test_a_question_that_has_moved_on_stays_where_it_is(workspace: Workspace) -> None:
    begun = curation(workspace, 1)
    late = start(workspace, RunKind.CURATE, request(workspace, begun))
    await rated(workspace, begun, Raters({}))
    before = curations.path(workspace, begun.id, "source:1")
    model = Scripted(workspace, Raters({1: (rating(90, 90),)}))
    await conduct(model, late)
    assert model.asks == []
    assert curations.path(workspace, begun.id, "source:1") == before
    assert model.progress == [(1, 1)]


async def test_the_rules_say_how_often_is_asked_and_what_is_enough(workspace: Workspace) -> None:
    text = default_toml().replace("\nratings = 3 ", "\nratings = 2 ").replace("least_ratings = 2", "least_ratings = 1")
    begun = curation(workspace, 1, text)
    model = await rated(workspace, begun, Raters({1: (FAILED, rating(10, 10))}))
    assert len(model.asks) == 3
    assert place(workspace, begun, 1) == (REVIEW, "", "answer correctness 10, expert solvability 10, means of 1")


def test_a_run_pins_what_it_needs(workspace: Workspace) -> None:
    begun = curation(workspace, 2)
    run: Run = start(workspace, RunKind.CURATE, request(workspace, begun, RATER, OTHER))
    assert run.title == "p: 2 questions answered by m/answers, rated by m/rates, m/rates-too"
    assert run.total == 2
    assert run.spec["inputs"] == ["source:1", "source:2"]
    assert [one["id"] for one in run.spec["models"]] == ["m/answers", "m/rates", "m/rates-too"]
    assert run.spec["curation"] == {"id": begun.id, "name": "p"}


def test_what_can_not_be_run_is_refused(workspace: Workspace) -> None:
    begun = curation(workspace, 1)
    good = request(workspace, begun)
    many = tuple(f"source:{number}" for number in range(MOST_QUESTIONS + 1))
    for bad in (
        replace(good, question_ids=()),
        replace(good, question_ids=many),
        replace(good, raters=()),
        replace(good, raters=(RATER, RATER)),
    ):
        with pytest.raises(UqError):
            start(workspace, RunKind.CURATE, bad)
    for unknown in (replace(good, curation_id="none"), replace(good, question_ids=("source:9",))):
        with pytest.raises(NotFoundError):
            start(workspace, RunKind.CURATE, unknown)


def test_those_with_most_votes_are_asked_first(workspace: Workspace) -> None:
    begun = curation(workspace, 3)
    take(workspace, question(3, score=9), question(2, score=10))
    assert ratings.waiting(workspace, begun.id, limit=2) == ("source:2", "source:3")
    assert ratings.waiting(workspace, begun.id, leave_out={"source:2"}, limit=2) == ("source:3", "source:1")
    assert ratings.waiting(workspace, begun.id, site="x") == ()
