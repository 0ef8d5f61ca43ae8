"""What a verdict row must look like: its keys in their order, their types, and what its ids are made of.

Text that is absent is "", a list that is empty is [], so a column never changes its type. Null stands only for a
number that is not known: `score_0_7`, `confidence`, the offsets of a quote that could not be placed, and figures of a
judge or a utility that are undefined or were not recorded. Offsets count code points of the raw answer whose hash is
`candidate_sha256`. `ledger` counts the answer's units (paragraphs, displayed formulas, blocks of code, tables), and
those that the reviewer had marked when the verdict was saved. `settles` names the revisions, as `verdict_id#revision`,
between which an adjudicator decides. `redaction` says which row a changed copy is made of, and what it leaves out.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from store.record_shape import HASH_KEY, QUESTION_KEYS, SHA256, Later, is_text, misfits, revision_problems
from uq_tui.words import (
    AuthorKind,
    Derivation,
    ErrorCategory,
    Exposure,
    FinalAnswer,
    Interval,
    Label,
    NotJudged,
    Redacted,
    Relation,
    VerdictStatus,
)

SCHEMA_VERSION = 1
RECORD = "verdict"

_NUMBER = (float, None)
_WHOLE = (int, None)
_DRAWN = {
    "replies": Later(_WHOLE),
    "distinct": Later(_WHOLE),
    "cut_off": Later(_WHOLE),
    "temperature": Later(_NUMBER),
}
"""Rollouts that brought a reply, different ones among these, those cut off, and the temperature they were drawn at."""
_QUOTE = {"quote": str, "start": _WHOLE, "end": _WHOLE, "prefix": str, "suffix": str}
_OUTCOME = {
    "run_id": str,
    "strategy": str,
    "stage": str,
    "outcome": str,
    "reason": str,
    "judge": str,
    "call_key": str,
    "prompt_sha256": str,
    "constrained": bool,
}
_JUDGE = {
    "run_id": str,
    "judge": str,
    "model": str,
    "lowest": int,
    "highest": int,
    "planned": int,
    "scored": int,
    "unparsed": int,
    "failed": int,
    "mean": _NUMBER,
    "sd": _NUMBER,
    "prompt_sha256": str,
    "constrained": bool,
    "replies": int,
    "distinct": int,
    "cut_off": int,
    "temperature": _NUMBER,
}
"""The samples of one judge: those with a score, those whose reply held none, those whose call failed; mean and sample
standard deviation of the scores. The last four are of the replies, as for utilities. Rows of 0.1.0 have no judges."""
_CONTROL = {"mean": _NUMBER, "solved": int, "decided": int, **_DRAWN}
_UTILITY = {
    "run_id": str,
    "solver": str,
    "mean": _NUMBER,
    "low": _NUMBER,
    "high": _NUMBER,
    "t": int,
    "neighbours": [{"neighbour_id": str, "solved": int, "decided": int, "undecided": int, **_DRAWN}],
    "control": _CONTROL,
    "lift": _NUMBER,
    "lift_low": _NUMBER,
    "lift_high": _NUMBER,
    "interval": Later(Interval),
    "stopped_early": Later(bool),
    "placebo": Later(_CONTROL),
}
ORIGIN = {"kind": AuthorKind, "model": str, "system": str, "organisation": str, "base_model": str}
_OUTSIDE_SCORE = {"scorer": str, "value": float, "source": str}
"""A number by a scorer outside uq-tui, on a scale that only the scorer knows, and the name of the file it came in."""
EVIDENCE: Mapping[str, Any] = {
    "outcomes": [_OUTCOME],
    "judges": [_JUDGE],
    "utilities": [_UTILITY],
    "outside_scores": Later([_OUTSIDE_SCORE]),
    "prompt_hashes": [str],
    "app_version": str,
}
SHAPE: Mapping[str, Any] = {
    "schema_version": int,
    "record": str,
    "verdict_id": str,
    "revision": int,
    "supersedes": str,
    "status": VerdictStatus,
    **QUESTION_KEYS,
    "candidate_id": str,
    "candidate_sha256": str,
    "candidate_origin": ORIGIN,
    "reviewer": {
        "id": str,
        "handle": str,
        "orcid": str,
        "relation": Relation,
        "expertise": [str],
        "affiliation": Later(str),
        "linked_ids": Later([str]),
    },
    "label": Label,
    "not_judged": NotJudged,
    "score_0_7": _WHOLE,
    "confidence": _WHOLE,
    "rationale": str,
    "errors": [{"category": ErrorCategory, "quotes": [_QUOTE], "claim": str, "problem": str, "fix": str}],
    "question_flags": [str],
    "claims": [{"claim_id": str, "source": str, "decision": str}],
    "trace_soundness": [{"strategy": str, "stage": str, "sound": str}],
    "ledger": {"units": int, "checked": int, "doubtful": int, "wrong": int, "skipped": int},
    "blind": bool,
    "exposures": [{"what": Exposure, "where": str, "at": str}],
    "revealed_at": str,
    "seconds_active": float,
    "seconds_total": float,
    "queue": str,
    "assignment": Later(
        {
            "queue_id": str,
            "assisted": bool,
            "repeat_of": str,
            "linked_to": str,
            "final_answer": FinalAnswer,
            "derivation": Derivation,
        }
    ),
    "settles": Later([str]),
    "evidence": EVIDENCE,
    "created_at": str,
    "redaction": Later({"of_sha256": str, "left_out": [Redacted]}),
    "extra": dict,
    HASH_KEY: str,
}
"""Read as `store.record_shape` says."""


def problems(record: Mapping[str, Any]) -> Iterator[str]:
    """What keeps a parsed row from being a version 1 verdict row, hash apart; nothing when it is one."""
    yield from misfits(record, SHAPE)
    yield from revision_problems(record, "verdict_id")
    for key in ("candidate_id", "candidate_sha256"):
        if not is_text(record.get(key), SHA256):
            yield f"`{key}` is not 64 hexadecimal digits"
    said = bool(record.get("label")) + bool(record.get("not_judged"))
    if record.get("status") != VerdictStatus.DRAFT and said != 1:
        yield "`label` and `not_judged`: exactly one of them says something"
