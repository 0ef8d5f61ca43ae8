"""Linked reviewer ids are one person; names join nobody."""

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store import reviewers, statement_record
from store.frozen_rows import Revision, sealed
from store.merging import put_record
from store.persons import joined, persons, read_persons
from store.review_rows import Said
from store.rows import Reviewer
from store.workspace import Workspace
from tests.store.records.samples import AT, FIRST, REVIEWER, question, record
from uq_tui.words import Relation, StatementKind, VerdictStatus

IDS = "abcdefgh"
LINKS = st.lists(st.tuples(st.sampled_from(IDS), st.sampled_from(IDS)), max_size=10)


def closure(links: list[tuple[str, str]]) -> dict[str, str]:
    """By the definition: the smallest id that a path of links leads to."""
    found = {}
    for one in {each for pair in links for each in pair}:
        reached = {one}
        while more := {b for pair in links for a, b in permutations(pair) if a in reached} - reached:
            reached |= more
        found[one] = min(reached)
    return found


@given(LINKS)
def test_classes_are_those_of_the_definition_in_any_order(links: list[tuple[str, str]]) -> None:
    assert joined(links) == joined([(b, a) for a, b in reversed(links)]) == closure(links)


def test_nobody_needs_to_be_known() -> None:
    assert joined([])["somebody"] == "somebody"
    assert joined([("b", "a")])["c"] == "c"


def test_a_chain_of_a_hundred_thousand_is_one_person() -> None:
    found = joined((f"{n:06}", f"{n + 1:06}") for n in reversed(range(100_000)))
    assert set(found.values()) == {"000000"}


def by(reviewer: Reviewer) -> dict[str, object]:
    made = record(revision=replace(FIRST, id=f"v of {reviewer.id}"))
    return {**made, "reviewer": {**made["reviewer"], "id": reviewer.id, "linked_ids": list(reviewer.linked)}}


def put_verdict(ws: Workspace, reviewer: Reviewer) -> None:
    line = sealed(by(reviewer))
    ws.write(lambda conn: put_record(conn, json.loads(line)))


def put_statement(ws: Workspace, reviewer: Reviewer) -> None:
    revision = Revision(f"s of {reviewer.id}", 1, "", VerdictStatus.SUBMITTED, AT)
    said = Said(text="Words.")
    row = statement_record.build(StatementKind.COMMENT, revision, question(), None, reviewer, Relation.OTHER, said)
    line = sealed(row)
    ws.write(lambda conn: put_record(conn, json.loads(line)))


@pytest.mark.parametrize("put", [put_verdict, put_statement])
def test_links_of_reviewers_here_and_of_rows_join(
    workspace: Workspace, put: Callable[[Workspace, Reviewer], None]
) -> None:
    reviewers.make(workspace, replace(REVIEWER, id="b", handle="one", linked=("c",)))
    put(workspace, replace(REVIEWER, id="d", linked=("a", "c")))
    put(workspace, replace(REVIEWER, id="e"))
    found = persons(workspace)
    assert [found[one] for one in "abcde"] == ["a", "a", "a", "a", "e"]
    with workspace.read() as conn:
        assert read_persons(conn) == found


def test_people_of_one_name_are_not_one_person(workspace: Workspace) -> None:
    for one in "ab":
        put_verdict(workspace, replace(REVIEWER, id=one, handle="ada"))
    found = persons(workspace)
    assert (found["a"], found["b"]) == ("a", "b")


@pytest.mark.parametrize("table", ["verdict", "statement"])
def test_links_of_rows_are_found_by_an_index(workspace: Workspace, table: str) -> None:
    with workspace.read() as conn:
        query = f"""EXPLAIN QUERY PLAN SELECT reviewer_id FROM {table} WHERE instr(record, '"linked_ids":["')"""
        (step,) = conn.exec_driver_sql(query).all()
    assert f"INDEX {table}_linked" in step[-1]
