"""Candidates and their origins."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import insert

from store import candidate_extras, candidates
from store.identity import candidate_id, now
from store.intake import Taken
from store.rows import KnownLabel, NewCandidate, Origin
from store.tables import CandidateTable
from store.workspace import Workspace
from tests.store.stock import QUESTION, candidate, question, take
from uq_tui.errors import NotFoundError
from uq_tui.words import AuthorKind, Label, TextFormat

AWKWARD = "a\0b\ud83d c\r\n\u2028\x1b[2J"


@pytest.fixture
def ws(workspace: Workspace) -> Workspace:
    """A workspace with one question."""
    take(workspace, QUESTION)
    return workspace


def put(ws: Workspace, *new: NewCandidate) -> list[Taken]:
    return ws.write(lambda db: candidates.put(db, new))


def test_all_that_came_is_kept(ws: Workspace) -> None:
    origin = Origin(AuthorKind.SYSTEM, "m", "s", "o", "b", "p", "prompt", "f.jsonl", "key")
    new = NewCandidate(QUESTION.id, "It *is*.", TextFormat.MARKDOWN, origin, "Because.", cut_off=True)
    (made,) = candidates.add(ws, [new])
    stored = candidates.get(ws, made)
    assert made == stored.id == candidate_id(QUESTION.id, "It *is*.")
    assert (stored.question_id, stored.number, stored.answer.raw) == (QUESTION.id, 1, "It *is*.")
    assert (stored.reasoning, stored.cut_off, stored.origins) == ("Because.", True, (origin,))
    assert candidates.of_question(ws, QUESTION.id) == (stored,)


def test_candidates_are_numbered_by_question(ws: Workspace) -> None:
    take(ws, question(2))
    candidates.add(ws, [candidate("a"), candidate("b"), candidate("a", "source:2")])
    candidates.add(ws, [candidate("c"), candidate("a")])
    numbered = {one.answer.raw: one.number for one in candidates.of_question(ws, QUESTION.id)}
    assert numbered == {"a": 1, "b": 2, "c": 3}
    assert [one.number for one in candidates.of_question(ws, "source:2")] == [1]


def test_answers_that_come_together_and_apart_are_stored_alike(ws: Workspace) -> None:
    take(ws, question(2))
    elsewhere = replace(candidate("a"), origin=Origin(AuthorKind.PERSON, person="p"))
    batch = [candidate("a"), candidate("a", "source:2"), elsewhere, candidate("b"), candidate("a")]
    assert put(ws, *batch) == [Taken.NEW, Taken.NEW, Taken.CHANGED, Taken.NEW, Taken.SAME]
    stored = candidates.of_question(ws, QUESTION.id)
    assert [(one.number, one.answer.raw, len(one.origins)) for one in stored] == [(1, "a", 2), (2, "b", 1)]
    assert [one.number for one in candidates.of_question(ws, "source:2")] == [1]


def test_ids_come_back_in_the_order_of_the_answers(ws: Workspace) -> None:
    answers = ["b", "a", "b"]
    assert candidates.add(ws, [candidate(answer) for answer in answers]) == tuple(
        candidate_id(QUESTION.id, answer) for answer in answers
    )


def test_one_answer_from_two_places_has_two_origins(ws: Workspace) -> None:
    first = candidate("a")
    second = replace(first, origin=Origin(AuthorKind.PERSON, person="Ann"))
    assert put(ws, first, second) == [Taken.NEW, Taken.CHANGED]
    assert put(ws, first, second) == [Taken.SAME, Taken.SAME]
    (stored,) = candidates.of_question(ws, QUESTION.id)
    assert set(stored.origins) == {first.origin, second.origin}


def test_reasoning_that_comes_later_is_added_and_kept(ws: Workspace) -> None:
    put(ws, candidate("a"))
    assert put(ws, replace(candidate("a"), reasoning="first")) == [Taken.CHANGED]
    assert put(ws, replace(candidate("a"), reasoning="second")) == [Taken.SAME]
    assert candidates.get(ws, candidate_id(QUESTION.id, "a")).reasoning == "first"


def test_known_labels(ws: Workspace) -> None:
    label = KnownLabel(Label.INCORRECT, "divides by zero", "f.jsonl")
    labelled = replace(candidate("a"), known_label=label)
    made = candidate_id(QUESTION.id, "a")
    put(ws, candidate("a"))
    assert candidates.known_label(ws, made) is None
    assert put(ws, labelled, labelled) == [Taken.CHANGED, Taken.SAME]
    assert candidates.known_label(ws, made) == label
    corrected = replace(label, label=Label.CORRECT, flaw="")
    assert put(ws, replace(labelled, known_label=corrected)) == [Taken.CHANGED]
    assert candidates.known_label(ws, made) == corrected


def test_a_stub_is_completed(ws: Workspace) -> None:
    made = candidate_id(QUESTION.id, "a")
    stub = {"id": made, "question_id": QUESTION.id, "number": 4, "answer_sha256": None, "answer_format": "plain"}
    rest = {"reasoning": "", "cut_off": False, "created_at": now()}
    ws.write(lambda db: db.execute(insert(CandidateTable).values({**stub, **rest})))
    assert candidates.get(ws, made).answer.sha256 == ""
    assert candidates.get(ws, made).origins == ()
    assert put(ws, candidate("a")) == [Taken.NEW]
    stored = candidates.get(ws, made)
    assert (stored.number, stored.answer.raw, stored.answer.format) == (4, "a", TextFormat.MARKDOWN)


def test_awkward_text_survives_everywhere(ws: Workspace) -> None:
    origin = Origin(AuthorKind.MODEL, *[AWKWARD] * 7)
    new = NewCandidate(QUESTION.id, AWKWARD, TextFormat.PLAIN, origin, AWKWARD)
    labelled = replace(new, known_label=KnownLabel(Label.CORRECT, AWKWARD, AWKWARD))
    (made,) = candidates.add(ws, [labelled])
    stored = candidates.get(ws, made)
    assert (stored.answer.raw, stored.reasoning, stored.origins) == (AWKWARD, AWKWARD, (origin,))
    assert candidates.known_label(ws, made) == labelled.known_label
    assert put(ws, labelled) == [Taken.SAME]


def test_an_unknown_question_stores_nothing(ws: Workspace) -> None:
    with pytest.raises(NotFoundError, match="source:404"):
        candidates.add(ws, [candidate("a"), candidate("b", "source:404")])
    assert candidates.of_question(ws, QUESTION.id) == ()


def test_an_empty_answer_stores_nothing(ws: Workspace) -> None:
    with pytest.raises(ValueError, match="empty"):
        candidates.add(ws, [candidate("a"), candidate(" \n")])
    assert candidates.of_question(ws, QUESTION.id) == ()


def test_unknown_ids(ws: Workspace) -> None:
    with pytest.raises(NotFoundError, match="404"):
        candidates.get(ws, "404")
    assert candidates.of_question(ws, "source:404") == ()
    assert candidates.known_label(ws, "404") is None
    assert candidates.add(ws, []) == ()


def test_ids_are_found_by_how_they_start(ws: Workspace) -> None:
    made = sorted(candidates.add(ws, [candidate(str(n)) for n in range(40)]))
    assert candidates.find_by_prefix(ws, made[0]) == (made[0],)
    assert candidates.find_by_prefix(ws, "") == tuple(made[:10])
    for prefix in ("0", "a", "ff", "g", "\ud800", "%", made[3][:5]):
        assert candidates.find_by_prefix(ws, prefix) == tuple(key for key in made if key.startswith(prefix))[:10]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(st.lists(st.sampled_from("abcdef"), min_size=1))
def test_adding_again_changes_nothing(ws: Workspace, answers: list[str]) -> None:
    new = [candidate(answer) for answer in answers]
    candidates.add(ws, new)
    before = candidates.of_question(ws, QUESTION.id)
    assert set(put(ws, *new)) == {Taken.SAME}
    assert candidates.of_question(ws, QUESTION.id) == before
    assert [one.number for one in before] == list(range(1, len(before) + 1))


def test_only_a_persons_own_solution_can_be_the_reference(ws: Workspace) -> None:
    by_model = candidate("Ten.")
    by_person = replace(by_model, origin=Origin(AuthorKind.PERSON, person="Eve"))
    assert candidates.reference_refusal(ws, by_model) == ""
    assert "The answer is by a model" in candidates.reference_refusal(ws, replace(by_model, reference=True))
    candidates.add(ws, [by_person])
    assert candidates.reference_refusal(ws, replace(by_person, reference=True)) == ""
    candidates.add(ws, [by_model])
    assert candidates.reference_refusal(ws, replace(by_person, reference=True)) == candidates.LIKE_ANSWER
    assert candidates.reference_refusal(ws, by_person) == ""


def test_marks_are_kept_with_the_label_and_told_as_so_many_of_so_many(ws: Workspace) -> None:
    made = candidate_id(QUESTION.id, "a")
    label = KnownLabel(Label.INCORRECT, "", "f.jsonl", 5.0, 7.0)
    assert put(ws, replace(candidate("a"), known_label=label)) == [Taken.NEW]
    assert put(ws, replace(candidate("a"), known_label=replace(label, source="g.jsonl"))) == [Taken.SAME]
    stored = candidates.known_label(ws, made)
    assert stored == label
    assert stored.marks_text == "5 of 7"
    assert put(ws, replace(candidate("a"), known_label=replace(label, marks=5.5))) == [Taken.CHANGED]
    changed = candidates.known_label(ws, made)
    assert changed is not None
    assert (changed.marks_text, KnownLabel(Label.CORRECT, "", "f").marks_text) == ("5.5 of 7", "")


def test_what_files_say_beyond_our_columns_is_kept_by_file(ws: Workspace) -> None:
    made = candidate_id(QUESTION.id, "a")
    first = replace(candidate("a"), extra={"grade": {"(1)": 2}, "note": AWKWARD})
    assert first.origin is not None
    assert put(ws, first, first) == [Taken.NEW, Taken.SAME]
    assert put(ws, replace(first, extra={"grade": {}})) == [Taken.CHANGED]
    other = replace(first, origin=replace(first.origin, source="zzz.json"))
    assert put(ws, other) == [Taken.CHANGED]
    assert candidate_extras.of_candidate(ws, made) == {first.origin.source: {"grade": {}}, "zzz.json": first.extra}
    assert candidate_extras.of_candidate(ws, "404") == {}
