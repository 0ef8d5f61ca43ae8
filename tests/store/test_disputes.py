"""Rows that contradict each other or a text: what of them counts, and what a late text changes."""

import json
from collections.abc import Iterable

from store import candidates, quarantine, verdicts
from store.frozen_rows import sealed
from store.identity import candidate_id
from store.ingest.sealed_lines import read_line
from store.ingest.strict_json import StrictDecoder
from store.intake import Taken
from store.merging import Incoming, Merged, merge
from store.workspace import Workspace
from tests.store.merged_rows import copy_of, statement, verdict
from tests.store.records.samples import ANSWER, QUESTION_ID
from tests.store.records.stock import put_candidate, put_question
from uq_tui.words import Label, QuarantineReason, Redacted

RIGHT = verdict()
MOVED = verdict("w", place="another question")


def take(ws: Workspace, lines: Iterable[str]) -> Merged:
    rows = [read_line(line.encode(), "f", 1, StrictDecoder()) for line in lines]
    return ws.write(lambda conn: merge(conn, [row for row in rows if isinstance(row, Incoming)]))


def kept(ws: Workspace) -> list[tuple[QuarantineReason, str]]:
    return [(one.reason, one.row_id) for one in quarantine.lines(ws)]


def test_a_stub_that_rows_put_under_a_wrong_question_moves_to_its_own(workspace: Workspace) -> None:
    take(workspace, [MOVED])
    put_candidate(workspace, "Another answer.")
    key = put_candidate(workspace)
    assert key == candidate_id(QUESTION_ID, ANSWER)
    found = candidates.get(workspace, key)
    assert (found.question_id, found.number, found.answer.raw) == (QUESTION_ID, 2, ANSWER)
    assert kept(workspace) == [(QuarantineReason.CONTRADICTION, "w")]
    assert list(verdicts.records(workspace)) == []


def test_a_text_settles_which_rows_are_right(workspace: Workspace) -> None:
    said = statement(place="another text")
    take(workspace, [RIGHT, said, MOVED])
    assert kept(workspace) == [(QuarantineReason.CONTRADICTION, key) for key in ("s", "v", "w")]
    put_candidate(workspace)
    assert kept(workspace) == [(QuarantineReason.CONTRADICTION, key) for key in ("s", "w")]
    assert list(verdicts.records(workspace)) == [RIGHT]


def test_a_fuller_copy_takes_the_place_of_one_that_leaves_something_out(workspace: Workspace) -> None:
    put_question(workspace)
    wordless, nameless = (copy_of(RIGHT, frozenset(parts)) for parts in ([Redacted.TEXT], list(Redacted)))
    assert take(workspace, [nameless]).results == [Taken.NEW]
    assert take(workspace, [wordless]).results == [Taken.CHANGED]
    assert take(workspace, [RIGHT, wordless, nameless]).results == [Taken.CHANGED, Taken.SAME, Taken.SAME]
    assert list(verdicts.records(workspace)) == [RIGHT]
    assert kept(workspace) == []


def test_a_copy_that_says_something_else_in_a_rows_name_is_a_conflict(workspace: Workspace) -> None:
    """Nobody can tell whether a copy is true to a row that isn't here, but both can't be."""
    copy = copy_of(RIGHT, frozenset([Redacted.REVIEWER]))
    forged = sealed({**json.loads(copy), "label": "incorrect"})
    take(workspace, [RIGHT, forged])
    assert kept(workspace) == [(QuarantineReason.CONFLICT, "v")] * 2


def test_many_contents_of_one_revision_are_all_kept_and_stay_quick(workspace: Workspace) -> None:
    many = [sealed({**json.loads(RIGHT), "score_0_7": n}) for n in range(3, 63)]
    take(workspace, [RIGHT, *many, verdict("v", 2)])
    assert len(kept(workspace)) == 61
    assert list(verdicts.records(workspace)) == [verdict("v", 2)]


def test_a_known_text_knows_rows_that_are_not_of_it(workspace: Workspace) -> None:
    put_candidate(workspace)
    results = take(workspace, [RIGHT, MOVED, verdict("x", place="another text"), verdict("y", label=Label.UNSURE)])
    assert [result if isinstance(result, Taken) else result.split(":")[0] for result in results.results] == [
        Taken.NEW,
        "contradiction",
        "contradiction",
        Taken.NEW,
    ]
