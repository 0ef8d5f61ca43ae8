"""Resolutions: what is said, what it comes to, and that the order in which it arrives makes no difference."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import count, permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store import candidates, questions, relations, resolutions, reviewers, statements
from store.frozen_rows import BadRecordError, sealed
from store.merging import put_record
from store.resolution_status import VERIFIERS, Word, standing
from store.review_rows import Resolved, Said
from store.rows import NewCandidate, Origin, Reviewer
from store.statement_record import resolved_in, verify
from store.workspace import Workspace
from tests.new_workspace import new_workspace
from tests.store.records.samples import QUESTION_ID, REVIEWER
from tests.store.records.stock import put_candidate, put_question
from uq_tui.errors import NotFoundError, UqError
from uq_tui.words import AuthorKind, Relation, Resolution, StatementKind, TextFormat

OTHER = replace(REVIEWER, id="0199bbbb-0000-7000-8000-000000000002", handle="bo")
EXPERT = Relation.DOMAIN_EXPERT


@pytest.fixture
def candidate(workspace: Workspace) -> str:
    for reviewer in (OTHER, REVIEWER):
        reviewers.save(workspace, reviewer)
    return put_candidate(workspace)


def stored(ws: Workspace, question_id: str = QUESTION_ID) -> Resolution:
    """As the question's own column has it, which lists and filters go by."""
    with ws.read() as conn:
        found = conn.exec_driver_sql("SELECT resolution FROM question WHERE id = ?", (question_id,))
        return Resolution(found.scalar_one())


def word(at: int, state: Resolution, verifier: Relation = EXPERT, *, by: str = "ada") -> Word:
    return Word(QUESTION_ID, f"s{at}", by, "c", Resolved(state, "m", verifier), f"2026-01-{at:02}")


# What words come to


def test_nobody_has_said_anything() -> None:
    assert standing(()).state is Resolution.OPEN


def test_the_newest_word_of_an_expert_decides() -> None:
    said = [word(1, Resolution.RESOLVED_BY_MODEL), word(3, Resolution.OPEN, by="bo"), word(2, Resolution.WITHDRAWN)]
    found = standing(said)
    assert (found.state, found.word) == (Resolution.OPEN, said[1])


def test_others_can_at_most_accept_an_answer() -> None:
    for state, comes_to in {
        Resolution.RESOLVED_BY_MODEL: Resolution.CANDIDATE_ACCEPTED,
        Resolution.RESOLVED_BY_PERSON: Resolution.CANDIDATE_ACCEPTED,
        Resolution.CANDIDATE_ACCEPTED: Resolution.CANDIDATE_ACCEPTED,
        Resolution.WITHDRAWN: Resolution.OPEN,
        Resolution.OPEN: Resolution.OPEN,
    }.items():
        assert standing([word(1, state, Relation.OTHER)]).state is comes_to
        assert standing([word(1, state, Relation.OTHER)], verifiers=(Relation.OTHER,)).state is state


def test_a_later_word_of_another_moves_no_experts() -> None:
    said = [word(1, Resolution.RESOLVED_BY_MODEL), word(2, Resolution.OPEN, Relation.OTHER, by="bo")]
    assert standing(said).state is Resolution.RESOLVED_BY_MODEL


def test_only_the_newest_of_each_reviewer_counts() -> None:
    said = [word(1, Resolution.RESOLVED_BY_MODEL), word(2, Resolution.OPEN, Relation.OTHER)]
    assert standing(said).state is Resolution.OPEN


_WORDS = st.lists(
    st.builds(
        word,
        st.integers(1, 5),
        st.sampled_from(Resolution),
        st.sampled_from(Relation),
        by=st.sampled_from(("ada", "bo", "cy")),
    ),
    max_size=4,
    unique_by=lambda one: one.statement_id,
)


@given(_WORDS, st.sets(st.sampled_from(Relation)))
def test_the_order_of_words_makes_no_difference(said: Sequence[Word], verifiers: set[Relation]) -> None:
    assert len({standing(order, verifiers) for order in permutations(said)}) == 1


# Saying it


def test_a_resolution_says_who_why_and_whose_the_credit_is(workspace: Workspace, candidate: str) -> None:
    made = resolutions.resolve(
        workspace,
        REVIEWER,
        QUESTION_ID,
        Resolution.RESOLVED_BY_MODEL,
        why=" The proof holds. ",
        candidate_id=candidate,
        verifier=EXPERT,
    )
    verify(made.record)
    assert (made.text, made.candidate_id) == ("The proof holds.", candidate)
    assert resolved_in(made.record) == Resolved(Resolution.RESOLVED_BY_MODEL, "gpt-x", EXPERT)
    assert stored(workspace) is resolutions.of_question(workspace, QUESTION_ID).state is Resolution.RESOLVED_BY_MODEL


def test_the_reviewers_own_relation_stands_where_no_other_is_named(workspace: Workspace, candidate: str) -> None:
    by_model = partial(resolutions.resolve, workspace, REVIEWER, QUESTION_ID, Resolution.RESOLVED_BY_MODEL)
    by_model(why="Yes.", candidate_id=candidate)
    assert stored(workspace) is Resolution.CANDIDATE_ACCEPTED
    relations.put(workspace, REVIEWER.id, QUESTION_ID, Relation.ORIGINAL_POSTER)
    by_model(why="Yes.", candidate_id=candidate)
    assert stored(workspace) is Resolution.RESOLVED_BY_MODEL


def test_taking_back_brings_back_what_was_said_before(workspace: Workspace, candidate: str) -> None:
    for state, why in ((Resolution.RESOLVED_BY_PERSON, "In a paper."), (Resolution.OPEN, "The paper is wrong.")):
        resolutions.resolve(workspace, REVIEWER, QUESTION_ID, state, why=why, verifier=EXPERT)
    assert stored(workspace) is Resolution.OPEN
    resolutions.retract(workspace, REVIEWER, QUESTION_ID)
    assert stored(workspace) is Resolution.RESOLVED_BY_PERSON
    resolutions.retract(workspace, REVIEWER, QUESTION_ID)
    assert stored(workspace) is Resolution.OPEN
    with pytest.raises(NotFoundError, match="ada has said nothing"):
        resolutions.retract(workspace, REVIEWER, QUESTION_ID)
    past = [(one.statement.text, one.statement.stands) for one in resolutions.history(workspace, QUESTION_ID)]
    assert past == [
        ("In a paper.", True),
        ("The paper is wrong.", True),
        ("The paper is wrong.", False),
        ("In a paper.", False),
    ]


def test_nobody_takes_back_what_another_has_said(workspace: Workspace, candidate: str) -> None:
    resolutions.resolve(workspace, REVIEWER, QUESTION_ID, Resolution.WITHDRAWN, why="Ill-posed.", verifier=EXPERT)
    with pytest.raises(NotFoundError, match="bo has said nothing"):
        resolutions.retract(workspace, OTHER, QUESTION_ID)
    assert stored(workspace) is Resolution.WITHDRAWN


def test_what_is_missing_is_asked_for(workspace: Workspace, candidate: str) -> None:
    def said(state: Resolution, **how: Any) -> None:
        resolutions.resolve(workspace, REVIEWER, QUESTION_ID, state, **{"why": "Yes.", **how})

    with pytest.raises(UqError, match="Why does it stand so"):
        said(Resolution.OPEN, why=" ")
    with pytest.raises(UqError, match="Which answer makes it resolved by model"):
        said(Resolution.RESOLVED_BY_MODEL)
    with pytest.raises(NotFoundError):
        said(Resolution.RESOLVED_BY_PERSON, candidate_id="0" * 64)
    by_hand = NewCandidate(QUESTION_ID, "By hand.", TextFormat.MARKDOWN, Origin(AuthorKind.PERSON, person="eve"))
    (person,) = candidates.add(workspace, [by_hand])
    with pytest.raises(UqError, match="by a person"):
        said(Resolution.RESOLVED_BY_MODEL, candidate_id=person)
    assert list(statements.records(workspace)) == []
    said(Resolution.RESOLVED_BY_PERSON, candidate_id=person)
    assert resolutions.history(workspace, QUESTION_ID)[0].said.credit == "eve"


# Between workspaces


_ACTS = st.lists(
    st.tuples(
        st.sampled_from((REVIEWER, OTHER)),
        st.one_of(st.none(), st.tuples(st.sampled_from(Resolution), st.sampled_from(Relation))),
    ),
    min_size=1,
    max_size=5,
)


_numbers = count()


@pytest.fixture(scope="module")
def desks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Workspace, ...]]:
    folder = tmp_path_factory.mktemp("desks")
    opened = tuple(new_workspace(folder / f"{name}.uq.sqlite") for name in ("made", "merged", "reversed"))
    for reviewer in (OTHER, REVIEWER):
        reviewers.save(opened[0], reviewer)
    yield opened
    for ws in opened:
        ws.close()


@settings(max_examples=25)
@given(_ACTS)
def test_files_of_statements_come_to_the_same_in_any_order(
    desks: tuple[Workspace, ...], acts: Sequence[tuple[Reviewer, tuple[Resolution, Relation] | None]]
) -> None:
    made, merged, backwards = desks
    question_id = f"q{next(_numbers)}"
    candidate = put_candidate(made, question_id=question_id)
    for reviewer, said in acts:
        try:
            if said is None:
                resolutions.retract(made, reviewer, question_id)
            else:
                state, verifier = said
                resolutions.resolve(
                    made, reviewer, question_id, state, why="So.", candidate_id=candidate, verifier=verifier
                )
        except NotFoundError:
            continue  # there was nothing to take back
    rows = [one.statement.record for one in resolutions.history(made, question_id)]
    for ws, ordered in ((merged, rows), (backwards, rows[::-1])):
        for row in ordered:
            ws.write(partial(put_record, record=row))
    if rows:
        found = {stored(ws, question_id) for ws in desks}
        assert found == {resolutions.of_question(made, question_id).state}


def changed(record: Mapping[str, Any], **said: str) -> dict[str, Any]:
    whole = json.loads(sealed({**record, "resolution": {**record["resolution"], **said}}))
    assert isinstance(whole, dict)
    return whole


def test_a_row_that_resolves_nothing_is_no_resolution(workspace: Workspace, candidate: str) -> None:
    made = resolutions.resolve(workspace, REVIEWER, QUESTION_ID, Resolution.OPEN, why="No.", verifier=EXPERT)
    for said in ({"state": ""}, {"state": "solved"}, {"verifier": ""}, {"state": "resolved_by_model"}):
        with pytest.raises(BadRecordError):
            verify(changed(made.record, **said))
    comment = statements.add(workspace, REVIEWER, StatementKind.COMMENT, QUESTION_ID, Said("Hm."))
    with pytest.raises(BadRecordError, match="no resolution"):
        verify(changed(comment.record, state="open"))


def test_rows_from_before_there_were_resolutions_read_as_they_did(workspace: Workspace, candidate: str) -> None:
    comment = statements.add(workspace, REVIEWER, StatementKind.COMMENT, QUESTION_ID, Said("Hm."))
    old = json.loads(sealed({key: value for key, value in comment.record.items() if key != "resolution"}))
    verify(old)
    assert resolved_in(old) is None


def test_a_question_that_is_known_from_a_row_only_has_its_resolution(workspace: Workspace, tmp_path: Path) -> None:
    reviewers.save(workspace, REVIEWER)
    put_question(workspace)
    made = resolutions.resolve(
        workspace, REVIEWER, QUESTION_ID, Resolution.RESOLVED_BY_PERSON, why="x", verifier=EXPERT
    )
    elsewhere = new_workspace(tmp_path / "elsewhere.uq.sqlite")
    elsewhere.write(lambda conn: put_record(conn, made.record))
    assert questions.get(elsewhere, QUESTION_ID).body.sha256 == ""
    assert stored(elsewhere) is Resolution.RESOLVED_BY_PERSON
    elsewhere.close()


def test_experts_and_posters_resolve_where_nothing_else_is_said() -> None:
    assert set(VERIFIERS) == {Relation.ORIGINAL_POSTER, Relation.DOMAIN_EXPERT}
