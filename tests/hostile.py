"""Strings that would do something to a terminal or a reader, and a workspace that has them in every field."""

import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path

from store import candidates, external_scores, ledger, neighbours, remarks, reviewers, runs, statements
from store.external_scores import ExternalScore
from store.ingest.importer import import_file
from store.reading_rows import LedgerMark
from store.review_rows import Said
from store.rows import KnownLabel, Neighbour, NewCandidate, Origin, Reviewer
from store.workspace import Workspace
from tests.found_runs import audited_by, judged_by
from tests.judged_runs import THREE_ITER, judged_run, three_iter
from tests.measured_runs import measured_by
from tests.proposed_runs import begun_proposing, put_proposal
from uq_tui.words import AuthorKind, ErrorCategory, Label, LedgerState, RunState, StatementKind, TextFormat

PAYLOADS: Mapping[str, str] = {
    "erase the screen": "\x1b[2J",
    "fill the clipboard": "\x1b]52;c;cHduZWQ=\x07",
    "a link": "\x1b]8;;http://evil.example\x1b\\here\x1b]8;;\x1b\\",
    "a title": "\x1b]0;pwned\x07",
    "a device control string": '\x1bP$q"p\x1b\\',
    "a report that is typed back": "\x1b[6n\x1b[c",
    "a control of eight bits": "\x9b31m\x9d0;pwned\x9c\x90x\x9c",
    "markup": "[red]x[/red] [/] [@click=app.quit]y[/] [link=http://evil.example]z",
    "console markup": "[bold red]:smile:",
    "a lone return": "gone\rhere",
    "backspaces": "safe\x08\x08\x08\x08evil",
    "a bell": "\x07",
    "nothing": "a\x00b",
    "shift out": "\x0e\x0f",
    "an override": "\u202etxt.exe\u202c",
    "isolates": "\u2066x\u2067y\u2069",
    "zero width": "pass\u200bword\ufeff\u2060",
    "many marks": "e" + "\u0301" * 200,
    "joined emoji": "👨" + "\u200d👩" * 40,
    "tags": "\U000e0068\U000e0069",
    "lines": "one\u2028two\u2029three\x85four\x0bfive\x0csix",
    "percents": "%s %(x)s {0} {x!r}",
    "no end to it": "\x1b]0;pwned",
}
ATTACK = "".join(PAYLOADS.values())
"""All of them; short enough that nothing is cut before most of it was shown."""
LONE_SURROGATE = '"\\ud83d"'
"""As JSON has it."""

ANSWER = f"""# Heading {ATTACK}

Words {ATTACK} and **bold {ATTACK}** and `code {ATTACK}` and $x^2 \\text{{{ATTACK}}}$, [a link {
    ATTACK
}](http://a.example/{PAYLOADS["erase the screen"]}) and ![image {ATTACK}](http://b.example).

$$\\frac{{a}}{{b}} \\text{{{PAYLOADS["erase the screen"]}}}$$

| Column {ATTACK} | Two |
|---|---|
| {PAYLOADS["erase the screen"]} | 2 |

```python
print("{ATTACK}")
```

- Item {ATTACK}[^1]
> Quote {ATTACK}

[^1]: Footnote {ATTACK}

The last words.
"""
LONG = "1 MB " + "x" * 1_000_000

QUESTION = "evil.example:666"

_APPENDED = {
    "call": ("model", "endpoint", "reply", "reasoning", "error", "finish_reason"),
    "run": ("title", "message"),
    "outcome": ("reason",),
    "rollout": ("answer", "reason"),
    "score": ("reason",),
    "audit": ("reason",),
    "claim": ("claim", "problem", "fix"),
    "proposal": ("skill", "answer", "reason"),
    "attempt": ("answer",),
    "utility": ("solver",),
    "reviewer": ("handle", "name", "affiliation"),
    "known_label": ("flaw", "source"),
}
"""Columns of words that come from models, files or people, and go to the end of what rows have there."""


def fill(path: Path) -> tuple[str, ...]:
    """Make a workspace with one question, whose every field is hostile. Returns the ids of its three candidates."""
    row = {
        "question_id": 666,
        "title": f"Hostile {ATTACK}",
        "body": ANSWER,
        "site": "evil.example",
        "link": f"http://evil.example/{ATTACK}",
        "author": f"author {ATTACK}",
        "category": f"category {ATTACK}",
        "tags": [f"tag {ATTACK}"],
        "score": 1,
    }
    source = path.with_name(f"source {PAYLOADS['erase the screen']}.jsonl")
    text = json.dumps(row).replace('"score"', f'"note": {LONE_SURROGATE}, "score"')
    source.write_text(text + "\n", encoding="utf-8")
    ws = Workspace.open(path)
    try:
        import_file(ws, source)
        keys = _put_rows(ws)
    finally:
        ws.close()
    db = sqlite3.connect(path)
    with db:
        for table, columns in _APPENDED.items():
            for column in columns:
                db.execute(f'UPDATE "{table}" SET "{column}" = "{column}" || ?', (f" {ATTACK}",))
        db.execute("UPDATE call SET messages = replace(messages, 'Judge', ?)", (json.dumps(ATTACK)[1:-1],))
    db.close()
    return keys


def _put_rows(ws: Workspace) -> tuple[str, ...]:
    origin = Origin(
        AuthorKind.MODEL,
        model=f"model {ATTACK}",
        system=f"system {ATTACK}",
        organisation=f"organisation {ATTACK}",
        base_model=f"base {ATTACK}",
        person=f"person {ATTACK}",
        prompt=f"prompt {ATTACK}",
        source=f"source {ATTACK}",
    )
    label = KnownLabel(Label.INCORRECT, "flaw", "source")
    one, two, long = candidates.add(
        ws,
        [
            NewCandidate(
                QUESTION, ANSWER, TextFormat.MARKDOWN, origin, ANSWER, known_label=label, extra={ATTACK: ATTACK}
            ),
            NewCandidate(QUESTION, f"<p>HTML {ATTACK}</p>", TextFormat.HTML, origin, reasoning=ATTACK),
            NewCandidate(QUESTION, LONG, TextFormat.MARKDOWN, origin),
        ],
    )
    neighbours.add(ws, QUESTION, [Neighbour("", f"What is 1 + 1? {ATTACK}", "2", f"source {ATTACK}", note=ATTACK)])
    model = f"openai/{ATTACK}"
    judged_run(ws, one, THREE_ITER, three_iter("aar"), title=f"title {ATTACK}", model=model)
    judged_run(ws, one, THREE_ITER, three_iter("aaa"), title=f"other {ATTACK}", model=model)
    judged_by(ws, one, [7, "no score", "!failed"], model=model)
    audited_by(ws, one, ANSWER, [(ErrorCategory.OTHER, "The last words.")], model=model)
    measured_by(ws, {one: ["10c?"], two: ["1!n0"]}, control=["1000"], question_id=QUESTION, model=model)
    proposing = begun_proposing(ws, QUESTION)
    put_proposal(ws, proposing, 1, f"How many? {ATTACK}", {f"solver {ATTACK}": ["4", "5"]}, reason="why")
    for run in runs.recent(ws):
        runs.set_state(ws, run.id, RunState.DONE, "told")
    ws.write(lambda db: external_scores.put(db, [ExternalScore(one, f"scorer {ATTACK}", 0.5, f"source {ATTACK}")]))
    _say(ws, one)
    reviewer = reviewers.current(ws).id
    at = ANSWER.index("The last words.")
    remarks.add(ws, reviewer, ANSWER, at, at + 4, f"remark {ATTACK}")
    ledger.put(ws, reviewer, ANSWER, [LedgerMark(at, at + 15, LedgerState.WRONG, f"note {ATTACK}")])
    return one, two, long


def _say(ws: Workspace, candidate_id: str) -> None:
    """Have somebody else comment on the question and the answer, and record that it was accepted."""
    other = reviewers.make(ws, Reviewer("", "other", "", (f"tag {ATTACK}",), linked=(f"id {ATTACK}",)))
    about = (StatementKind.COMMENT, QUESTION, Said(f"comment {ATTACK}"))
    statements.add(ws, other, *about)
    statements.add(ws, other, *about, candidate_id=candidate_id)
    said = Said(f"thanks {ATTACK}", accepted_by=f"by {ATTACK}", accepted_at=ATTACK, evidence_url=f"https://x/{ATTACK}")
    statements.add(ws, other, StatementKind.ACCEPTANCE, QUESTION, said, candidate_id=candidate_id)
    statements.add(ws, reviewers.current(ws), StatementKind.NOTE, QUESTION, Said(f"note {ATTACK}"))
