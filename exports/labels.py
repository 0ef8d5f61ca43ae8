"""A reviewer's labels in the layout that metrics of utilities read: one row an answer, CSV or JSON lines.

Columns are `problem_id, answer, model_name, label, label_source, author_kind`. `uq-tui import` takes such a file, and
then the labels are known ones.
"""

import json
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from exports import csv_text
from exports.atomic import publish, staged
from store import candidates
from store.ingest.labelled_candidates import JUDGED
from store.opinions import VerdictSubset, standing
from store.rows import Candidate
from store.withheld import NOTHING, Withheld
from store.workspace import Workspace
from uq_tui.errors import ExportError
from uq_tui.words import Label

COLUMNS = ("problem_id", "answer", "model_name", "label", "label_source", "author_kind")
REFERENCE = "reference"
"""What stands in place of a model's name, and as the source of the label, in the row of a reference solution."""
_CSV, _JSON_LINES = ".csv", (".jsonl", ".ndjson")


class LeftOut(StrEnum):
    """Why an answer with a verdict has no row."""

    UNSURE = "unsure"
    NOT_JUDGED = "not judged"
    MASKED = "on problems you still judge blind"
    WITHOUT_TEXT = "without their text here"
    BROKEN_TEXT = "with broken characters, which CSV can't hold"


@dataclass(frozen=True, slots=True)
class LabelsReport:
    """What was written, and what was not. `labels` counts rows by label, those of references too."""

    path: Path
    rows: int
    labels: Mapping[str, int]
    left_out: Mapping[LeftOut, int]


def export_labels(ws: Workspace, path: Path, *, reviewer_id: str, without: Withheld = NOTHING) -> LabelsReport:
    """Write the labels that a reviewer's standing verdicts give, problem by problem, each answer once.

    Beside them stand the reference solutions of these problems, which are correct by definition. What is unsure, was
    not judged, or is `without` has no row. The same verdicts give the same bytes, and the file
    appears whole, in place of an earlier one, or not at all.

    Raises:
        ExportError: its name ends in none of `.csv`, `.jsonl` and `.ndjson`, or it can't be written.
    """
    suffix = path.suffix.lower()
    if suffix != _CSV and suffix not in _JSON_LINES:
        raise ExportError(
            f"{path} can't be written: its name doesn't say how.", hint="End it in .csv, or in .jsonl for JSON lines."
        )
    as_csv = suffix == _CSV
    given = _given(ws, reviewer_id)
    left_out: Counter[LeftOut] = Counter()
    labels: Counter[str] = Counter()
    with staged(path) as file:
        if as_csv:
            file.write(csv_text.line(COLUMNS))
        for question_id in sorted(given):
            shown, held_back = _apart(question_id, given[question_id], reviewer_id, without)
            if held_back:
                left_out[LeftOut.MASKED] += held_back
            for one, label, source in _rows_of(ws, question_id, shown, left_out):
                values = (question_id, one.answer.raw, _name(one), label.value, source, one.origins[0].kind.value)
                try:
                    line = csv_text.line(values) if as_csv else _json_line(values)
                except UnicodeEncodeError:  # a lone surrogate
                    left_out[LeftOut.BROKEN_TEXT] += 1
                    continue
                file.write(line)
                labels[label.value] += 1
        publish(file)
    return LabelsReport(path, labels.total(), dict(labels), dict(left_out))


def _given(ws: Workspace, reviewer_id: str) -> dict[str, dict[str, Label | None]]:
    """By question and candidate, what the reviewer's own verdict says, settled or not; `None` is not judged."""
    found: dict[str, dict[str, Label | None]] = {}
    for one in standing(ws, VerdictSubset(reviewer_ids=(reviewer_id,))):
        if one.ordinary:
            found.setdefault(one.question_id, {})[one.candidate_id] = one.label
    return found


def _apart(
    question_id: str, given: Mapping[str, Label | None], reviewer_id: str, without: Withheld
) -> tuple[Mapping[str, Label | None], int]:
    """What may be written of a problem's labels, and how many are held back."""
    if question_id in without.questions:
        return {}, len(given)
    own = without.candidates if reviewer_id == without.reviewer_id else frozenset()
    shown = {candidate_id: label for candidate_id, label in given.items() if candidate_id not in own}
    return shown, len(given) - len(shown)


def _rows_of(
    ws: Workspace, question_id: str, given: Mapping[str, Label | None], left_out: Counter[LeftOut]
) -> list[tuple[Candidate, Label, str]]:
    """What of a problem can be written, in the order of its candidates; the rest is counted."""
    if not given:
        return []
    found: list[tuple[Candidate, Label, str]] = []
    for one in candidates.of_question(ws, question_id):
        if one.reference:
            found.append((one, Label.CORRECT, REFERENCE))
        elif one.id in given:
            label = given[one.id]
            if why := _why_left_out(one, label):
                left_out[why] += 1
            elif label is not None:
                found.append((one, label, JUDGED))
    return found if any(source == JUDGED for *_, source in found) else []


def _why_left_out(one: Candidate, label: Label | None) -> LeftOut | None:
    if label is None:
        return LeftOut.NOT_JUDGED
    if label is Label.UNSURE:
        return LeftOut.UNSURE
    return None if one.answer.sha256 and one.origins else LeftOut.WITHOUT_TEXT


def _name(one: Candidate) -> str:
    return REFERENCE if one.reference else one.origins[0].name


def _json_line(values: Collection[str]) -> bytes:
    return json.dumps(dict(zip(COLUMNS, values, strict=True))).encode() + b"\n"
