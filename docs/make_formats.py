"""exports/schemas/ and docs/formats.md, from the shapes that rows are checked by: `make formats` writes them anew."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

from docs.json_schema import Described, Schema, identifier, moment, rows_of, schema_of, sha256, words
from exports.formats import FORMATS
from exports.written import Loss, Losses
from store import evidence_shape, manifest, quarantine_record, statement_shape, verdict_shape
from store.record_shape import MOST_REVISIONS
from uq_tui.words import ClaimDecision, QuarantineReason, RunKind, Soundness, StatementKind, VerdictStatus

PAGE = Path(__file__).with_name("formats.md")
SCHEMAS = Path(__file__).parents[1] / "exports" / "schemas"
_SAID = tomllib.loads(Path(__file__).with_name("keys_of_rows.toml").read_text(encoding="utf-8"))
_ANY: Schema = {}
_EMPTY: Schema = {"const": ""}
_FILLED: Schema = {"not": _EMPTY}

_ROW: dict[str, Schema] = {
    "question_id": identifier(),
    "created_at": moment(),
    "row_sha256": sha256(),
    "schema_version": {"const": 1},
}
_REVISION: dict[str, Schema] = {
    **_ROW,
    "reviewer.id": identifier(),
    "status": words(VerdictStatus),
    "revision": {"minimum": 1, "maximum": MOST_REVISIONS},
}
_ONE_ANSWER: Schema = {
    "description": "Exactly one of `label` and `not_judged` says something; a draft may say neither yet.",
    "if": {"properties": {"status": {"const": VerdictStatus.DRAFT.value}}, "required": ["status"]},
    "else": {
        "oneOf": [
            {"properties": {"label": _FILLED, "not_judged": _EMPTY}},
            {"properties": {"label": _EMPTY, "not_judged": _FILLED}},
        ]
    },
}
_IS_RESOLUTION: Schema = {"properties": {"kind": {"const": StatementKind.RESOLUTION.value}}, "required": ["kind"]}
_OF_STATEMENTS: tuple[Schema, ...] = (
    {
        "description": "What is about a question names no text; some kinds are always about a candidate.",
        "if": {"properties": {"candidate_id": _EMPTY}, "required": ["candidate_id"]},
        "then": {
            "properties": {
                "candidate_sha256": _EMPTY,
                "kind": {"not": {"enum": sorted(statement_shape.ON_CANDIDATES)}},
            }
        },
    },
    {
        "description": "A resolution says where its question stands and who says so; other kinds say nothing there.",
        "if": _IS_RESOLUTION,
        "then": {
            "required": ["resolution"],
            "properties": {"resolution": {"properties": {"state": _FILLED, "verifier": _FILLED}}},
        },
        "else": {"properties": {"resolution": {"properties": {"state": _EMPTY}}}},
    },
    {
        "description": "Where an answer that is a candidate brings the resolution about, it is named.",
        "if": {
            "properties": {
                **_IS_RESOLUTION["properties"],
                "resolution": {
                    "properties": {"state": {"enum": sorted(statement_shape.NEEDS_CANDIDATE)}},
                    "required": ["state"],
                },
            },
            "required": ["kind", "resolution"],
        },
        "then": {"properties": {"candidate_id": _FILLED}},
    },
)


def _described(
    name: str, version: int, shape: object, narrower: dict[str, Schema], rules: tuple[Schema, ...] = ()
) -> Described:
    assert isinstance(shape, dict)
    return Described(name, version, shape, _SAID["files"][name], _SAID["keys"] | _SAID[name], narrower, rules)


DESCRIBED = (
    _described(
        verdict_shape.RECORD,
        verdict_shape.SCHEMA_VERSION,
        verdict_shape.SHAPE,
        {
            **_REVISION,
            "record": {"const": verdict_shape.RECORD},
            "verdict_id": identifier(),
            "candidate_id": sha256(),
            "candidate_sha256": sha256(),
        },
        (_ONE_ANSWER,),
    ),
    _described(
        statement_shape.RECORD,
        statement_shape.SCHEMA_VERSION,
        statement_shape.SHAPE,
        {
            **_REVISION,
            "record": {"const": statement_shape.RECORD},
            "kind": words(StatementKind),
            "statement_id": identifier(),
            "candidate_id": sha256(or_empty=True),
            "candidate_sha256": sha256(or_empty=True),
            "in_reply_to": identifier(or_empty=True),
            "claims[].decision": words(ClaimDecision),
            "trace_soundness[].sound": words(Soundness),
        },
        _OF_STATEMENTS,
    ),
    _described(
        evidence_shape.RECORD,
        evidence_shape.SCHEMA_VERSION,
        evidence_shape.SHAPE,
        {
            **_ROW,
            "record": {"const": evidence_shape.RECORD},
            "evidence_id": sha256(),
            "run_id": identifier(),
            "run_kind": words(RunKind),
            "candidate_id": sha256(),
            "candidate_sha256": sha256(),
        },
    ),
    _described(
        quarantine_record.RECORD,
        quarantine_record.SCHEMA_VERSION,
        quarantine_record.SHAPE,
        {
            **{key: _ROW[key] for key in ("row_sha256", "schema_version")},
            "record": {"const": quarantine_record.RECORD},
            "reason": words(QuarantineReason),
            "line_sha256": sha256(),
        },
    ),
    _described("manifest", manifest.SCHEMA_VERSION, manifest.SHAPE, {"rows": {"minimum": 0}, "sha256": sha256()}),
)
"""Our formats, in the order of the page."""

_BEGINNING = """\
# Files that others read

Verdicts, statements and evidence leave as JSON lines: UTF-8 without a byte order mark, one row a line, lines end at a
line feed only. A key never changes its type: text that is absent is empty, a list that is empty is `[]`, and `null`
stands only for a number that isn't known. Rows come in order of time, then id, then revision, but those first that are
the first to have something in a list. So Hugging Face `datasets` and Arrow make a table of a file without a schema.
(Arrow alone wants `use_threads=False` for that: side by side, it may look at a later block first.) The same rows give
the same bytes, and a file that is imported elsewhere and exported again is the same, byte by byte.

Each kind of row has a [JSON Schema](https://json-schema.org/draft/2020-12/schema) in `exports/schemas/`; the tables
below are made from these. Numbers of the type `integer` are written without a fraction. Keys that a schema doesn't have
may stand in a row: they are covered by its hash. Keys marked “later” are missing in the oldest rows; `uq-tui` always
writes them.

**The hash.** `row_sha256`, the last key, is the sha256 of the row without it as canonical JSON in UTF-8: keys in their
order, no blanks, no escapes but those that JSON needs and those of surrogates without a partner. It shows damage. A
row is never changed: a revision is a row of its own, and a changed copy, as without the reviewer, says in `redaction`
which row it is made of.

**The manifest.** Beside `NAME` stands `NAME.manifest.json`, by which a cut file is noticed.

**The signature.** `NAME.sig`, where one was asked for, is a detached signature by OpenSSH in the namespace
`uq-tui-verdicts`. `uq-tui verify NAME --signers FILE --identity WHO` checks it, and so does
`ssh-keygen -Y verify -n uq-tui-verdicts -f FILE -I WHO -s NAME.sig < NAME`.

`uq-tui export` writes all of them ([commands](commands.md#export)), but for rows in quarantine, which
[merging](merging.md#files-of-a-merge) writes. This page is made from the program; `make formats`
makes it anew.
"""
_OTHERS = """\
## Formats of other tools

`uq-tui export --as FORMAT FILE` writes them. What they have no place for, or what `uq-tui import` doesn't take
from them, is listed here; all else comes back as it was, which a test checks.
"""


def schema_texts() -> dict[str, str]:
    """Each schema's text, by the name of its file."""
    return {one.file: json.dumps(schema_of(one), indent=1, ensure_ascii=False) + "\n" for one in DESCRIBED}


def page() -> str:
    """The page: a table for each of our formats, and what others lose."""
    others = "\n".join(_other(name) for name in FORMATS)
    return "\n".join([_BEGINNING, *map(_section, DESCRIBED), _OTHERS, others])


def _section(one: Described) -> str:
    title = f"{one.name[0].upper()}{one.name[1:]}"
    rows = "\n".join(
        f"| `{name}` | {kind}{'' if always else ' (later)'} | {said} |"
        for name, kind, always, said in rows_of(schema_of(one))
    )
    rules = "".join(f"\n{rule['description']}\n" for rule in one.rules)
    schema = f"Schema: `exports/schemas/{one.file}`."
    return f"## {title}\n\n{one.about} {schema}\n\n| key | what it is | what it says |\n|---|---|---|\n{rows}\n{rules}"


def _other(name: str) -> str:
    one = FORMATS[name]
    losses = one.losses
    parts = [f"### {name}\n\n{_sentence(one.about)} Names of files usually end in `{one.suffix}`.\n"]
    if not losses.is_read:
        parts.append("`uq-tui import` doesn't read it.\n")
    parts += _listed("Not in the file", losses, losses.not_written)
    parts += _listed("In the file, and not read back", losses, losses.not_read_back)
    return "\n".join(parts)


def _sentence(about: str) -> str:
    return f"{about[0].upper()}{about[1:].rstrip('.')}."


def _listed(title: str, losses: Losses, lost: tuple[Loss, ...]) -> Iterator[str]:
    if lost:
        yield f"{title}, of {losses.of}:\n\n" + "\n".join(map(_lost, lost)) + "\n"


def _lost(one: Loss) -> str:
    keys = ", ".join(f"`{key}`" for key in one.keys)
    again = " It is worked out again when the file is read." if one.restored else ""
    return f"- {keys}: {one.why}{again}" if keys else f"- {one.why}"


if __name__ == "__main__":
    for file, text in schema_texts().items():
        (SCHEMAS / file).write_text(text, encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")
