"""What was merged, as files that can be merged again: rows that count, and lines in quarantine beside them."""

from collections.abc import Callable
from pathlib import Path

from exports.evidence import export_evidence
from exports.rows import PLAIN, ExportReport, Manner, export_rows
from exports.statements import export_statements
from exports.verdicts import export_verdicts
from store import quarantine, quarantine_record
from store.manifest import manifest_path
from store.workspace import Workspace


def beside(path: Path, what: str) -> Path:
    """`all.jsonl.quarantine.jsonl` for `all.jsonl`."""
    return path.with_name(f"{path.name}.{what}.jsonl")


def write_merged(ws: Workspace, path: Path, manner: Manner = PLAIN) -> tuple[ExportReport, ...]:
    """Write all verdicts to `path`, and what else there is beside it, each with its manifest.

    The files depend only on what was merged, never on its order; merging them again gives the same. Of statements,
    evidence and lines in quarantine a file is written where there are some, or to replace an earlier one.

    Raises:
        ExportError: one can't be written; those that were written by then stay.
    """
    others: dict[str, Callable[[Path], ExportReport]] = {
        "statements": lambda to: export_statements(ws, to, manner=manner),
        "evidence": lambda to: export_evidence(ws, to, manner=manner),
        "quarantine": lambda to: export_quarantine(ws, to, manner=manner),
    }
    written = [export_verdicts(ws, path, manner=manner)]
    for what, write in others.items():
        to = beside(path, what)
        if _holds(ws, what) or to.exists() or manifest_path(to).exists():
            written.append(write(to))
    return tuple(written)


def _holds(ws: Workspace, what: str) -> bool:
    table = {"statements": "statement", "evidence": "evidence_record"}.get(what, what)
    with ws.read() as conn:
        return conn.exec_driver_sql(f"SELECT 1 FROM {table} LIMIT 1").first() is not None


def export_quarantine(ws: Workspace, path: Path, *, manner: Manner = PLAIN) -> ExportReport:
    """Write the lines in quarantine as rows of their own, as `export_rows` does and with its errors."""
    rows = (quarantine_record.build(line) for line in quarantine.lines(ws))
    return export_rows(path, rows, quarantine_record.SCHEMA_VERSION, manner)
