"""Whatever rows come in, in whatever order, groups and repetitions, together they come to the same.

Rows are drawn from few ids, so that they collide: other contents of one revision, revisions of something else, other
questions and texts of one candidate, copies that leave something out, retractions, damaged lines. Texts come before,
between or after them.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection

from store import candidates, intake, quarantine_record, verdict_rows
from store.driver import driver
from store.frozen_rows import sealed
from store.identity import text_sha256
from store.ingest.sealed_lines import read_line
from store.ingest.strict_json import StrictDecoder
from store.intake import NewQuestion
from store.merging import Incoming, merge
from store.quarantine import KEPT_OF_DAMAGED, Quarantined, all_lines, put
from store.rows import NewCandidate, Origin
from store.workspace import Workspace
from tests.new_workspace import new_workspace
from tests.store.merged_rows import PLACES, copy_of, evidence, statement, verdict
from tests.store.records.samples import ANSWER, QUESTION_ID
from uq_tui.words import AuthorKind, Label, Redacted, TextFormat

State = tuple[tuple[str, ...], ...]


class _Undone(Exception):  # noqa: N818 - no error: ends a transaction without a trace
    def __init__(self, state: State) -> None:
        self.state = state


@pytest.fixture(scope="module")
def ws(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """One workspace for all examples, each of which is undone."""
    opened = new_workspace(Path(tmp_path_factory.mktemp("laws")) / "laws.uq.sqlite")
    yield opened
    opened.close()


VERDICTS = st.builds(
    verdict,
    st.sampled_from(["v", "w"]),
    st.integers(1, 3),
    st.sampled_from([Label.CORRECT, Label.INCORRECT]),
    st.sampled_from(["r", "r", "r", "s"]),
    st.sampled_from(["as it is", "as it is", "as it is", *PLACES]),
    st.booleans(),
    st.sampled_from([False, False, False, True]),
)
COPIES = st.builds(
    copy_of,
    VERDICTS,
    st.sampled_from([frozenset([Redacted.REVIEWER]), frozenset([Redacted.TEXT]), frozenset(Redacted)]),
    st.sampled_from([b"one", b"two"]),
)
STATEMENTS = st.builds(
    statement,
    st.sampled_from(["s", "t"]),
    st.integers(1, 2),
    st.sampled_from(["Yes.", "No."]),
    st.sampled_from(["as it is", "as it is", *PLACES]),
)
EVIDENCE = st.builds(evidence, st.sampled_from(["run", "other run"]), st.sampled_from(["as it is", *PLACES]))
DAMAGED = st.builds(lambda line, at: line[:at] + "#" + line[at + 1 :], VERDICTS, st.integers(0, 400))
LINES = st.lists(st.one_of(VERDICTS, VERDICTS, COPIES, STATEMENTS, EVIDENCE, DAMAGED), max_size=7)


def incoming(line: str) -> Incoming | Quarantined:
    """As a file's line is read."""
    found = read_line(line.encode(), "file", 1, StrictDecoder())
    assert isinstance(found, Incoming | Quarantined)
    return found


def take(conn: Connection, lines: Sequence[str]) -> None:
    rows = [incoming(line) for line in lines]
    put(conn, (row for row in rows if isinstance(row, Quarantined)))
    merge(conn, [row for row in rows if isinstance(row, Incoming)])


def add_text(conn: Connection) -> None:
    asked = NewQuestion(QUESTION_ID, "Is $f$ uniform?", "Is it?", TextFormat.MARKDOWN, "uq.jsonl")
    intake.put(conn, [asked])
    candidates.put(conn, [NewCandidate(QUESTION_ID, ANSWER, TextFormat.MARKDOWN, Origin(AuthorKind.MODEL, model="m"))])


def state(conn: Connection) -> State:
    """What counts, and what is kept apart for which reason."""
    raw = driver(conn)
    kept = "SELECT line_sha256 || reason || detail || line FROM quarantine ORDER BY line_sha256"
    tables = ("verdict", "statement", "evidence_record")
    queries = [*(f"SELECT record FROM {name} ORDER BY row_sha256" for name in tables), kept]
    return tuple(tuple(row[0] for row in raw.execute(query)) for query in queries)


def reached(ws: Workspace, *steps: Callable[[Connection], None]) -> State:
    """The state after some steps, all of which are undone."""

    def run(conn: Connection) -> None:
        for step in steps:
            step(conn)
        assert conn.exec_driver_sql("PRAGMA foreign_key_check").first() is None
        raise _Undone(state(conn))

    with pytest.raises(_Undone) as caught:
        ws.write(run)
    return caught.value.state


def in_groups(lines: Sequence[str], cuts: Sequence[int]) -> list[Callable[[Connection], None]]:
    ends = sorted({*(cut for cut in cuts if cut < len(lines)), len(lines)})
    groups = (lines[start:end] for start, end in zip([0, *ends], ends, strict=False))
    return [partial(take, lines=group) for group in groups]


CUTS = st.lists(st.integers(0, 12), max_size=3)
EXAMPLES = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


@EXAMPLES
@given(LINES, st.randoms(use_true_random=False), CUTS, CUTS, st.integers(0, 3), st.booleans())
def test_order_groups_and_repetition_change_nothing(
    ws: Workspace, lines: list[str], random: Any, cuts: list[int], other_cuts: list[int], text_at: int, here: bool
) -> None:
    """Commutative, associative over groups and idempotent, with a text that comes at any time, or a verdict of ours."""
    shuffled = [*lines, *random.sample(lines, len(lines) // 2)]
    random.shuffle(shuffled)
    one, other = in_groups(lines, cuts), in_groups(shuffled, other_cuts)
    begin: list[Callable[[Connection], None]] = []
    if here:
        begin = [add_text, _record_here]
    elif text_at:
        one.insert(0, add_text)
        other.insert(min(text_at, len(other)), add_text)
    assert reached(ws, *begin, *one) == reached(ws, *begin, *other)


def _record_here(conn: Connection) -> None:
    verdict_rows.append_line(conn, verdict())


def _in_quarantine(line: bytes, line_sha256: str, detail: str = "torn") -> str:
    said = {"reason": "damaged", "detail": detail, "line_sha256": line_sha256, "line": line.decode()}
    return sealed({"schema_version": 1, "record": "quarantine", **said})


NAMELESS = copy_of(verdict("v", 2), frozenset([Redacted.REVIEWER]))
OTHER_CONTENT = verdict("v", 1, Label.INCORRECT)
CONTENTS = [sealed({**json.loads(verdict()), "rationale": str(n)}) for n in range(20)]
TRICKS: dict[str, list[str]] = {
    "a row under the id of an anonymous copy": [
        verdict("v", 1),
        NAMELESS,
        verdict("v", 3, reviewer=json.loads(NAMELESS)["reviewer"]["id"]),
    ],
    "the hash of a row for another line": [verdict(), OTHER_CONTENT, _in_quarantine(b"junk", text_sha256(verdict()))],
    "the hash of a row for the beginning of a line": [
        verdict(),
        OTHER_CONTENT,
        _in_quarantine(b"x" * KEPT_OF_DAMAGED, text_sha256(verdict())),
    ],
    "one hash for several beginnings": [
        *(_in_quarantine(word * KEPT_OF_DAMAGED, "0" * 64, said) for word in (b"x", b"y") for said in ("torn", "cut"))
    ],
    "many contents of one revision": [
        *CONTENTS,
        copy_of(CONTENTS[-1], frozenset([Redacted.REVIEWER])),
        verdict("v", 2, reviewer="s"),
    ],
}
"""Rows that nobody writes but to have some count by coming first, or last."""


@pytest.mark.parametrize("lines", TRICKS.values(), ids=TRICKS)
def test_no_trick_makes_order_matter(ws: Workspace, lines: list[str]) -> None:
    chance = Random(1)
    orders = [lines, lines[::-1], *(chance.sample(lines, len(lines)) for _ in range(8))]
    states = [reached(ws, *(partial(take, lines=[line]) for line in order)) for order in orders]
    assert states == states[:1] * len(orders)


@EXAMPLES
@given(LINES, LINES)
def test_what_was_merged_elsewhere_merges_as_its_rows_do(ws: Workspace, first: list[str], second: list[str]) -> None:
    """Associative over files: what a merge has written, with its quarantine, stands for all that went into it."""

    kept: list[str] = []

    def elsewhere(conn: Connection) -> None:
        take(conn, first)
        kept.extend(quarantine_record.build(line) for line in all_lines(conn))

    *counting, _ = reached(ws, elsewhere)
    file = [*chain.from_iterable(counting), *kept]
    expected = reached(ws, lambda conn: take(conn, [*first, *second]))
    assert reached(ws, lambda conn: take(conn, file), lambda conn: take(conn, second)) == expected
    assert reached(ws, lambda conn: take(conn, second), lambda conn: take(conn, file)) == expected


@EXAMPLES
@given(LINES)
def test_only_rows_that_came_in_count_and_none_twice(ws: Workspace, lines: list[str]) -> None:
    verdicts, statements, found, kept = reached(ws, lambda conn: take(conn, lines))
    counting = (*verdicts, *statements, *found)
    assert set(counting) <= set(lines)
    known = [(row["verdict_id"], row["revision"]) for row in map(json.loads, verdicts)]
    assert len(known) == len(set(known))
    assert not {text_sha256(line) for line in counting} & {line[:64] for line in kept}
