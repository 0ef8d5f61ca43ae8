"""Importing a file or folder, whatever it is: told by its content, not by its name.

`FORMATS` is the table of what is known. Each format tells a file by its head: some by how it begins, most by the keys
of a row. What most of the first rows are decides: one of them may have lost a key.
"""

import stat
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from store import quarantine_record
from store.ingest import (
    bundle,
    expertmath,
    inspect_logs,
    label_studio,
    labelled_candidates,
    pack,
    scores_rows,
    site_list,
    stack_exchange_api,
    under_way,
    uq_validations,
)
from store.ingest.candidates_jsonl import AUTHOR_KEYS, import_answer_file, import_candidates
from store.ingest.comments_xml import import_comments
from store.ingest.dump import SEVEN_ZIP_MARK, import_dump, import_unused, parts_of_folder
from store.ingest.dump_parts import UNUSED_ROOTS, USED_ROOTS
from store.ingest.files import check_kind
from store.ingest.graded_formats import GRADED_FORMATS, GradedFormat
from store.ingest.heads import Head, head_of
from store.ingest.neighbour_rows import ANSWER_KEYS, STATEMENT_KEYS, import_neighbours, with_plain_names
from store.ingest.packing import several
from store.ingest.posts_xml import import_posts
from store.ingest.report import OnProgress
from store.ingest.sealed_jsonl import QUARANTINE, import_sealed
from store.ingest.uq_jsonl import BODY_KEYS, import_questions
from store.ingest.users_xml import import_users
from store.rows import ImportReport
from store.sealed_kinds import KINDS
from store.workspace import Workspace
from uq_tui.errors import ImportFileError, UqError

_POSTS = "Posts.xml"
_ANSWER_SUFFIXES = frozenset((".md", ".markdown", ".txt", ".tex"))
_NOT_IMPORTED = {
    b"SQLite format 3\0": "a SQLite database; a workspace is opened, not imported",
    b"%PDF": "a PDF; import the text as .md, .txt or .tex with `--question`",
}
"""How files begin that people try, and what to say about them."""

_HINT = (
    "Import questions, neighbours, candidates, verdicts or scores as JSON rows or Parquet; a dump or pages of Stack"
    " Exchange; graded work, labels or scores as CSV; logs of Inspect; an export of Label Studio; a bundle; a pack's"
    " folder; or an answer as .md, .txt or .tex with its question named (`--question`)."
)
_REFERENCE = (
    "Import the solution as .md, .markdown, .txt or .tex with `--question`, or as a JSON row that says"
    ' `"reference": true`.'
)


@dataclass(frozen=True, slots=True)
class ImportJob:
    """What is to be imported, and how."""

    ws: Workspace
    path: Path
    site: str = ""
    """The site of posts whose file doesn't name it: a host or the API's short name."""
    question_id: str = ""
    """The question that answers and neighbours belong to which name none."""
    reference: bool = False
    """The file is the expert's own solution of `question_id`."""
    questions_only: bool = False
    """Answers and comments that were posted stay out."""
    on_progress: OnProgress | None = None


@dataclass(frozen=True, slots=True)
class Format:
    """A format that can be imported."""

    name: str
    """As reports name it."""
    tells: Callable[[Head], bool]
    """Whether a file with this head is of this format. Asked without a row first, then with one row after the other."""
    run: Callable[[ImportJob], ImportReport]


def _with_keys(*keys: str) -> Callable[[Head], bool]:
    return lambda head: all(key in head.row for key in keys)


def _with_columns(*names: str) -> Callable[[Head], bool]:
    return lambda head: not head.row and head.has_columns(names)


def _is_record(kind: str) -> Callable[[Head], bool]:
    return lambda head: head.row.get("record") == kind


def _is_neighbour(head: Head) -> bool:
    row = with_plain_names(head.row)
    stated = any(row.get(key) for key in STATEMENT_KEYS) and any(key in row for key in ANSWER_KEYS)
    return stated and not any(row.get(key) for key in AUTHOR_KEYS)


def _is_candidate(head: Head) -> bool:
    row = with_plain_names(head.row)
    return any(key in row for key in ("answer", "error")) and (
        not _has_body(row) or any(row.get(key) for key in AUTHOR_KEYS)
    )


def _has_body(row: Mapping[str, Any]) -> bool:
    return any(row.get(key) for key in BODY_KEYS)


def _dump(job: ImportJob) -> ImportReport:
    return import_dump(job.ws, job.path, site=job.site, questions_only=job.questions_only, on_progress=job.on_progress)


def _posts(job: ImportJob) -> ImportReport:
    return import_posts(job.ws, job.path, site=job.site, questions_only=job.questions_only, on_progress=job.on_progress)


def _comments(job: ImportJob) -> ImportReport:
    return import_comments(job.ws, job.path, site=job.site, on_progress=job.on_progress)


def _users(job: ImportJob) -> ImportReport:
    return import_users(job.ws, job.path, site=job.site, on_progress=job.on_progress)


def _unused(job: ImportJob) -> ImportReport:
    return import_unused(job.path)


def _sealed(noun: str) -> Callable[[ImportJob], ImportReport]:
    return lambda job: import_sealed(job.ws, job.path, noun, job.on_progress)


def _scores(job: ImportJob, *, as_csv: bool = False) -> ImportReport:
    return scores_rows.import_scores(job.ws, job.path, site=job.site, as_csv=as_csv, on_progress=job.on_progress)


def _scores_csv(job: ImportJob) -> ImportReport:
    return _scores(job, as_csv=True)


def _expertmath(job: ImportJob, *, as_csv: bool = False) -> ImportReport:
    return expertmath.import_expertmath(job.ws, job.path, as_csv=as_csv, on_progress=job.on_progress)


def _expertmath_csv(job: ImportJob) -> ImportReport:
    return _expertmath(job, as_csv=True)


def _labelled(job: ImportJob, *, as_csv: bool = False) -> ImportReport:
    return labelled_candidates.import_labelled(
        job.ws, job.path, as_csv=as_csv, site=job.site, on_progress=job.on_progress
    )


def _labelled_csv(job: ImportJob) -> ImportReport:
    return _labelled(job, as_csv=True)


def _neighbours(job: ImportJob) -> ImportReport:
    return import_neighbours(job.ws, job.path, site=job.site, question_id=job.question_id, on_progress=job.on_progress)


def _candidates(job: ImportJob) -> ImportReport:
    return import_candidates(job.ws, job.path, site=job.site, question_id=job.question_id, on_progress=job.on_progress)


def _questions(job: ImportJob) -> ImportReport:
    return import_questions(
        job.ws, job.path, site=job.site, questions_only=job.questions_only, on_progress=job.on_progress
    )


def _api(job: ImportJob) -> ImportReport:
    return stack_exchange_api.import_api(
        job.ws, job.path, site=job.site, questions_only=job.questions_only, on_progress=job.on_progress
    )


def _sites(job: ImportJob) -> ImportReport:
    return site_list.read_sites(job.path, on_progress=job.on_progress)


def _graded(one: GradedFormat) -> Format:
    return Format(one.name, one.tells, lambda job: one.run(job.ws, job.path, job.on_progress))


_DUMP = Format("Stack Exchange dump", lambda head: head.start.startswith(SEVEN_ZIP_MARK), _dump)
"""A 7z archive; or a folder, which has no head."""


def _inspect(job: ImportJob) -> ImportReport:
    return inspect_logs.import_log(job.ws, job.path, on_progress=job.on_progress)


def _bundle(job: ImportJob) -> ImportReport:
    return bundle.import_bundle(job.ws, job.path, job.on_progress)


def _validations(job: ImportJob) -> ImportReport:
    return uq_validations.import_validations(
        job.ws, job.path, site=job.site, question_id=job.question_id, on_progress=job.on_progress
    )


def _label_studio(job: ImportJob) -> ImportReport:
    return label_studio.import_tasks(
        job.ws, job.path, site=job.site, question_id=job.question_id, on_progress=job.on_progress
    )


def _not_read(holds: str, hint: str = _HINT) -> Callable[[ImportJob], ImportReport]:
    """For files that are known for what they are, and that nothing can be taken from."""

    def refuse(job: ImportJob) -> ImportReport:
        raise ImportFileError(f"{job.path} holds {holds}.", hint=hint)

    return refuse


_COMPARISONS = (
    "pairs of final answers, for testing what compares them: there is no question in it, and nobody's answer to one"
)
_OF_VERDICTS = "Import the verdicts as JSON lines or Parquet: `uq-tui export --out FILE`, or `--as parquet FILE`."


FORMATS: tuple[Format, ...] = (
    _DUMP,
    Format("Comments.xml", lambda head: head.root == "comments", _comments),
    Format("Users.xml", lambda head: head.root == "users", _users),
    Format("Stack Exchange dump, nothing used", lambda head: head.root in UNUSED_ROOTS, _unused),
    Format(inspect_logs.FORMAT, lambda head: inspect_logs.tells(head.members, head.keys), _inspect),
    Format(bundle.FORMAT, lambda head: bundle.tells(head.members), _bundle),
    Format("Posts.xml", lambda head: bool(head.root), _posts),
    Format(stack_exchange_api.NAME, stack_exchange_api.tells, _api),
    *(_graded(one) for one in GRADED_FORMATS),
    Format("ExpertMath", _with_columns(*expertmath.KEYS), _expertmath_csv),
    Format("labelled candidates", _with_columns(*labelled_candidates.KEYS), _labelled_csv),
    Format("scores", _with_columns(*scores_rows.KEYS), _scores_csv),
    Format(
        "verdicts as CSV",
        _with_columns("verdict_id", "row_sha256"),
        _not_read(
            "the flat part of verdict rows, for spreadsheets; what doesn't fit into cells is not in it", _OF_VERDICTS
        ),
    ),
    Format(
        "Argilla records",
        lambda head: any(key.endswith(".responses.users") for key in head.row),
        _not_read("records of Argilla, whose responses have neither ids nor times to be verdicts by", _OF_VERDICTS),
    ),
    *(Format(kind.noun, _is_record(kind.name), _sealed(kind.noun)) for kind in KINDS.values()),
    Format(QUARANTINE, _is_record(quarantine_record.RECORD), _sealed(QUARANTINE)),
    Format("scores", _with_keys(*scores_rows.KEYS), _scores),
    Format("ExpertMath", lambda head: expertmath.is_expertmath(head.row), _expertmath),
    Format("labelled candidates", lambda head: labelled_candidates.is_labelled_candidate(head.row), _labelled),
    Format(uq_validations.FORMAT, lambda head: uq_validations.tells(head.row), _validations),
    Format(label_studio.FORMAT, lambda head: label_studio.tells(head.row), _label_studio),
    Format("pairs of final answers", _with_keys("output", "target", "expected"), _not_read(_COMPARISONS)),
    Format(site_list.NAME, _with_keys(*site_list.KEYS), _sites),
    Format("neighbours", _is_neighbour, _neighbours),
    Format("candidates", _is_candidate, _candidates),
    Format("questions", lambda head: _has_body(with_plain_names(head.row)), _questions),
)
"""All formats, each before those that would take its files for theirs."""


def import_file(
    ws: Workspace,
    path: Path,
    *,
    site: str = "",
    question_id: str = "",
    reference: bool = False,
    questions_only: bool = False,
    on_progress: Callable[[under_way.Progress], None] | None = None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> ImportReport:
    """Import whatever it is: a file in one of `FORMATS`, a folder that holds one, or a text as one answer.

    Rows that cannot be used are in the report, with line and reason; importing a file again changes nothing.

    Args:
        site: the Stack Exchange site of posts whose file doesn't name it: a host or the API's short name.
        question_id: the question that answers and neighbours belong to which name none.
        reference: the file is the expert's own solution of the question `question_id`, as one text.
        questions_only: leave out answers and comments that were posted.
        on_progress: called now and then.
        is_cancelled: asked now and then; once it says yes, nothing more is read, what is stored stays, and the report
            says how far it came.

    Raises:
        NotFoundError: there is no such file or folder, or no question `question_id`.
        ImportFileError: it cannot be read, is none of these (pipes and devices are none), or can't be the reference.
        StoreError: the workspace cannot be written.

    What is raised when some of the file has been read says what came in before.
    """
    with under_way.watched(is_cancelled) as watch:

        def tell(rows: int) -> None:
            if on_progress is not None:
                on_progress(watch.progress(rows))
            watch.stop_if_asked()

        job = ImportJob(ws, path, site, question_id, reference, questions_only, tell)
        try:
            check_kind(path, stat.S_IFDIR)
            recognised = _recognised(job)
            watch.format = recognised.name
            tell(0)
            return recognised.run(job)
        except under_way.ImportStopped:
            return watch.stopped_report(path)
        except OSError as error:
            raise ImportFileError(f"{path} cannot be imported: {error.strerror or error}.") from error
        except UqError as error:
            raise watch.broken_off(path, error) from error


def format_of(path: Path) -> Format:
    """The format of a file.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it cannot be read, or is in none; the message says why.
    """
    head = head_of(path)
    found = _matching(head)
    if found is not None:
        return found
    for mark, what in _NOT_IMPORTED.items():
        if head.start.startswith(mark):
            raise ImportFileError(f"{path} is {what}.")
    if head.is_zip:
        raise ImportFileError(f"{path} is {several(head.members)}; unpack it first.", hint=_HINT)
    told: Counter[Format] = Counter()
    problem = ""
    for row in head.rows():
        found = None if row.problem else _matching(replace(head, row=row.value))
        if found is not None:
            told[found] += 1
        problem = problem or f"line {row.line}: {row.problem or 'none of the keys that tell what it is'}"
    if told:
        return max(told, key=told.__getitem__)
    if not problem:
        raise ImportFileError(f"{path} is empty.")
    raise ImportFileError(f"{path} is in no format that can be imported ({problem}).", hint=_HINT)


def _matching(head: Head) -> Format | None:
    return next((one for one in FORMATS if one.tells(head)), None)


def _recognised(job: ImportJob) -> Format:
    path = job.path
    is_answer = bool(job.question_id) and path.suffix.lower() in _ANSWER_SUFFIXES and not path.is_dir()
    if job.reference and not is_answer:
        raise ImportFileError(f"{path} is not one answer to a question, so it can't be the reference.", hint=_REFERENCE)
    if path.is_dir():
        return _format_of_folder(path)
    return _ANSWER if is_answer else format_of(path)


def _answer(job: ImportJob) -> ImportReport:
    return import_answer_file(job.ws, job.path, job.question_id, reference=job.reference)


_ANSWER = Format("answer", lambda head: False, _answer)
"""A text that is named as an answer, whatever it looks like."""


def _pack(job: ImportJob) -> ImportReport:
    return pack.import_pack(job.ws, job.path, job.on_progress)


def _format_of_folder(folder: Path) -> Format:
    if (folder / pack.DESCRIPTION).exists():
        return Format("pack", lambda head: False, _pack)
    if any(root in parts_of_folder(folder) for root in USED_ROOTS):
        return _DUMP
    raise ImportFileError(f"The folder {folder} holds neither {pack.DESCRIPTION} nor {_POSTS}.", hint=_HINT)
