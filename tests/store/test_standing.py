"""What standing is counted from."""

from dataclasses import replace

from store import candidates, resolutions, reviewers
from store.frozen_rows import reviewer_of
from store.rows import NewCandidate, Origin
from store.standing import Source, all_sources, by_posters, resolved, sources, states
from store.workspace import Workspace
from tests.store.records.samples import QUESTION_ID, REVIEWER
from tests.store.records.stock import put_candidate, put_question
from tests.store.standing import ADA, BOB, put, row
from uq_tui.words import AuthorKind, Label, Relation, Resolution, TextFormat

POSTER = Relation.ORIGINAL_POSTER


def test_who_answered_is_told_once_each_and_references_are_no_answers(workspace: Workspace) -> None:
    put_question(workspace)
    by = (Origin(AuthorKind.MODEL, model="m\ud800", source="a"), Origin(AuthorKind.PERSON, person="ada", source="b"))
    again = replace(by[0], source="c")
    texts = [NewCandidate(QUESTION_ID, "So.", TextFormat.MARKDOWN, one) for one in (*by, again)]
    own = NewCandidate(QUESTION_ID, "Thus.", TextFormat.MARKDOWN, Origin(AuthorKind.SYSTEM, system="s"), reference=True)
    key, *_ = candidates.add(workspace, [*texts, own])
    told = (Source(AuthorKind.MODEL, "m\ud800", "", "", ""), Source(AuthorKind.PERSON, "", "", "", "ada"))
    assert set(sources(workspace, [key])[key]) == set(told)
    assert set(all_sources(workspace, ())) == set(told)
    assert all_sources(workspace, [QUESTION_ID]) == ()


def test_questions_are_counted_by_where_they_stand_and_masked_ones_are_not(workspace: Workspace) -> None:
    reviewers.save(workspace, REVIEWER)
    key = put_candidate(workspace)
    put_question(workspace, "other")
    assert (states(workspace, ()), resolved(workspace, ())) == ({Resolution.OPEN: 2}, {})
    solved = Resolution.RESOLVED_BY_PERSON
    resolutions.resolve(workspace, REVIEWER, QUESTION_ID, solved, why="So.", candidate_id=key, verifier=POSTER)
    assert states(workspace, ()) == {Resolution.OPEN: 1, solved: 1}
    found = resolved(workspace, ())[QUESTION_ID]
    assert found.word is not None
    assert (found.state, found.word.candidate_id) == (solved, key)
    assert (states(workspace, [QUESTION_ID]), resolved(workspace, [QUESTION_ID])) == ({Resolution.OPEN: 1}, {})


def test_who_had_asked_is_read_from_the_key_and_not_from_words(workspace: Workspace) -> None:
    key = put_candidate(workspace)
    asked = {**row("a", key, ADA, Label.CORRECT), "reviewer": reviewer_of(ADA, POSTER)}
    quoting = row("b", key, BOB, Label.CORRECT, rationale=f'"relation":"{POSTER.value}"')
    put(workspace, [asked, quoting])
    assert by_posters(workspace) == {"a#1"}
