"""What verdicts come to, one row a candidate, as JSON lines. Nothing reads them back: they follow from verdicts."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exports.written import write_lines
from store.frozen_rows import canonical_json
from uq_tui.analysis.consensus import DECIDING, Consensus, Method

SCHEMA_VERSION = 1
RECORD = "consensus"


@dataclass(frozen=True, slots=True)
class ConsensusRow:
    """What the verdicts on a candidate come to."""

    question_id: str
    candidate_id: str
    method: Method
    borderline_correct: bool
    found: Consensus
    n: int
    """Ordinary verdicts whose label decides."""
    unsure: int
    not_judged: int
    settled_by: str
    """The adjudication that is the consensus, as `verdict_id#revision`; "" where none settles it."""

    @property
    def record(self) -> dict[str, Any]:
        """The row as others read it. A label that there is none of is ""; weights of no labels are 0."""
        return {
            "schema_version": SCHEMA_VERSION,
            "record": RECORD,
            "question_id": self.question_id,
            "candidate_id": self.candidate_id,
            "method": self.method.value,
            "borderline": "correct" if self.borderline_correct else "incorrect",
            "standing": self.found.standing.value,
            "label": self.found.label.value if self.found.label else "",
            "tied": [label.value for label in self.found.tied],
            "weights": {label.value: round(self.found.weights.get(label, 0.0), 6) for label in DECIDING},
            "n": self.n,
            "unsure": self.unsure,
            "not_judged": self.not_judged,
            "settled_by": self.settled_by,
        }


def export_consensus(path: Path, rows: Iterable[ConsensusRow]) -> int:
    """Write rows in their order; how many. The file appears whole, in place of an earlier one, or not at all.

    Raises:
        ExportError: it can't be written.
    """
    return write_lines(path, (canonical_json(row.record) for row in rows), Counter()).rows
