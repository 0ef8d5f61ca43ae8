"""A bundle as it lies on the disk: opened, checked as a whole, and read as a stream. It is hostile until it is checked.

Nothing of a bundle is used before all of it is known to be sound: the archive, the manifest, the hash of each member,
the shape of each row, and that the rows fit together. It is read in place; no file is written.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from store import bundle_shape as shape
from store.bundle_shape import Holds
from store.identity import candidate_id
from store.ingest.files import check_kind
from store.ingest.strict_json import StrictDecoder
from store.ingest.strict_zip import Limits, Member, RefusedError, lines_of, members_of
from store.record_shape import ID, TIME, is_text
from store.search import indexed
from uq_tui.errors import ImportFileError
from uq_tui.words import QueueMode

LIMITS = Limits(most_bytes=4 * 1024**3, free_bytes=64 * 1024**2, most_ratio=250, most_members=8)
_HINT = "Nothing of it was taken in. Get the bundle again from whoever made it, as uq-tui wrote it."


_ROWS_AT_ONCE = 100
"""Rows that are checked between two looks at whether to go on."""


class Bundle:
    """A bundle that is open, its manifest checked."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        """Raises RefusedError, ImportFileError: archive or manifest are not sound."""
        self.path = path
        self._file = file
        found = members_of(file, LIMITS)
        self._members = {one.name: one for one in found}
        self.manifest = self._manifest(found)
        self.holds = Holds(self.manifest["holds"])

    def check(self, go_on: Callable[[], None]) -> None:
        """Check all the rest; `go_on` is called now and then, and may raise. Raises RefusedError: it isn't sound."""
        self._check_members([*self._members], go_on)
        for problem in shape.reviewer_problems(self.manifest["reviewer"], self.manifest["queue"]):
            raise RefusedError(problem)
        if self.holds is Holds.WORK:
            _check_work(self, go_on)

    def rows_of(self, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
        """The rows of a member, each with its line. Raises RefusedError: a line is no JSON object."""
        decoder = StrictDecoder()
        for number, line in enumerate(lines_of(self._file, self._members[name], shape.MOST_LINE_BYTES), start=1):
            yield number, _decoded(decoder, line, f"{name}, line {number}")

    def _manifest(self, found: tuple[Member, ...]) -> dict[str, Any]:
        if not found or found[0].name != shape.MANIFEST:
            raise RefusedError(f"its first file is not {shape.MANIFEST}")
        if found[0].size > shape.MOST_MANIFEST_BYTES:
            raise RefusedError(f"its {shape.MANIFEST} is larger than {shape.MOST_MANIFEST_BYTES // 2**20} MiB")
        lines = list(lines_of(self._file, found[0], shape.MOST_MANIFEST_BYTES))
        if len(lines) != 1:
            raise RefusedError(f"its {shape.MANIFEST} is not one line")
        manifest = _decoded(StrictDecoder(), lines[0], shape.MANIFEST)
        version = manifest.get("schema_version")
        if manifest.get("record") == shape.RECORD and type(version) is int and version > shape.SCHEMA_VERSION:
            raise ImportFileError(
                f"{self.path} has schema version {version}; this uq-tui reads up to {shape.SCHEMA_VERSION}.",
                hint="Nothing of the bundle was taken in. Open it with a newer uq-tui.",
            )
        for problem in shape.manifest_problems(manifest):
            raise RefusedError(f"{shape.MANIFEST}: {problem}")
        return manifest

    def _check_members(self, names: list[str], go_on: Callable[[], None]) -> None:
        if names != [shape.MANIFEST, *shape.MEMBERS[self.holds]]:
            raise RefusedError(f"it holds other files than {', '.join((shape.MANIFEST, *shape.MEMBERS[self.holds]))}")
        for name in shape.MEMBERS[self.holds]:
            digest, rows, size = hashlib.sha256(), 0, 0
            for line in lines_of(self._file, self._members[name], shape.MOST_LINE_BYTES):
                digest.update(line + b"\n")
                rows, size = rows + 1, size + len(line) + 1
                if rows % _ROWS_AT_ONCE == 0:
                    go_on()
            told = {"rows": rows, "bytes": size, "sha256": digest.hexdigest()}
            if self.manifest["members"][name] != told:
                raise RefusedError(f"{name} is not the file that {shape.MANIFEST} describes")


@contextmanager
def opened(path: Path, go_on: Callable[[], None] = lambda: None) -> Iterator[Bundle]:
    """A bundle, once all of it is known to be sound. `go_on` is called now and then until it is, and may raise.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it cannot be read, is of a later version, or is refused, with the reason.
    """
    with _readable(path) as bundle:
        bundle.check(go_on)
        yield bundle


def manifest_of(path: Path) -> Mapping[str, Any]:
    """The manifest of a bundle of which nothing else is checked. Raises as `opened`."""
    with _readable(path) as bundle:
        return bundle.manifest


@contextmanager
def _readable(path: Path) -> Iterator[Bundle]:
    check_kind(path)
    try:
        with path.open("rb") as file:
            yield Bundle(path, file)
    except RefusedError as error:
        raise ImportFileError(f"The bundle {path} is refused: {error}.", hint=_HINT) from error
    except OSError as error:
        raise ImportFileError(f"{path} cannot be read: {error.strerror or error}.") from error


def sha256_of(path: Path) -> str:
    """sha256 of a file as it is, as 64 hex digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _decoded(decoder: StrictDecoder, line: bytes, where: str) -> dict[str, Any]:
    try:
        value, problem = decoder.decode(line.decode())
    except UnicodeDecodeError:
        value, problem = {}, "not UTF-8 text"
    if problem:
        raise RefusedError(f"{where}: {problem}")
    return value


def _check_work(bundle: Bundle, go_on: Callable[[], None]) -> None:
    """See that each row is of its shape, and that questions, candidates and items fit together."""
    blind = bundle.manifest["queue"]["mode"] == QueueMode.BLIND
    if bundle.manifest["queue"]["mode"] not in (QueueMode.BLIND, QueueMode.OPEN):
        raise RefusedError("its queue is neither blind nor open")
    if "" in bundle.manifest["queue"]["required"]:
        raise RefusedError("what its queue requires has no name")
    questions: set[str] = set()
    judged: dict[str, str] = {}
    references: set[str] = set()

    def question(row: Mapping[str, Any]) -> Iterator[str]:
        if not is_text(row["question_id"], ID) or not row["format"]:
            yield "a question has no id, or no format"
        if any(at is not None and not is_text(at, TIME) for at in (row["asked_at"], row["edited_at"])):
            yield "a time is not a UTC time such as 2026-01-31T12:00:00Z"
        if any(indexed(row[key]) != row[key] for key in ("site", "domain", "source_author_id")):
            yield "its site, its field or the id of its author is no text"
        if row["question_id"] in questions:
            yield "the question stands twice"
        questions.add(row["question_id"])

    def candidate(row: Mapping[str, Any]) -> Iterator[str]:
        own = row["candidate_id"]
        if row["question_id"] not in questions:
            yield "it answers a question that isn't in the bundle"
        if not row["answer"].strip() or own != candidate_id(row["question_id"], row["answer"]):
            yield "its id is not that of its answer"
        if not row["format"] or not all(origin["kind"] for origin in row["origins"]):
            yield "its format, or the kind of its author, is empty"
        if own in judged or own in references:
            yield "the candidate stands twice"
        if blind and (row["origins"] or row["reasoning"]):
            yield "a blind bundle tells who wrote an answer, or how"
        if row["reference"]:
            references.add(own)
        else:
            judged[own] = row["question_id"]

    _check_rows(bundle, shape.QUESTIONS, shape.QUESTION, question, go_on)
    _check_rows(bundle, shape.CANDIDATES, shape.CANDIDATE, candidate, go_on)
    _check_items(bundle, judged, go_on)


def _check_items(bundle: Bundle, judged: Mapping[str, str], go_on: Callable[[], None]) -> None:
    items: dict[str, Mapping[str, Any]] = {}
    places: set[int] = set()
    again: set[tuple[str, bool]] = set()

    def item(row: Mapping[str, Any]) -> Iterator[str]:
        if not is_text(row["item_id"], ID) or row["item_id"] in items or len(items) == shape.MOST_ITEMS:
            yield "its id is none, stands twice, or is one too many"
        if judged.get(row["candidate_id"]) != row["question_id"]:
            yield "its candidate is not in the bundle, or answers another question"
        if not 0 <= row["position"] <= shape.MOST_ITEMS or row["position"] in places:
            yield "its position is taken, or out of range"
        if not 0 <= row["answer_group"] <= shape.MOST_ITEMS:
            yield "its group is out of range"
        if (row["candidate_id"], row["repeat"]) in again:
            yield "its candidate stands twice"
        items[row["item_id"]] = row
        places.add(row["position"])
        again.add((row["candidate_id"], row["repeat"]))

    _check_rows(bundle, shape.ITEMS, shape.ITEM, item, go_on)
    for row in items.values():
        if row["linked_to"]:
            other = items.get(row["linked_to"])
            fits = other is not None and not other["linked_to"] and other["question_id"] == row["question_id"]
            if other is None or not fits or row["repeat"] or other["repeat"]:
                raise RefusedError(f"{shape.ITEMS}: an item is linked to one that can't count for it")
    if not items:
        raise RefusedError("there is nothing to do in it")


def _check_rows(
    bundle: Bundle,
    name: str,
    wanted: Mapping[str, Any],
    problems: Callable[[Mapping[str, Any]], Iterator[str]],
    go_on: Callable[[], None],
) -> None:
    for number, row in bundle.rows_of(name):
        if number % _ROWS_AT_ONCE == 0:
            go_on()
        problem = next(shape.exact_problems(row, wanted), None)
        if problem is None:
            problem = next(problems(row), None)
        if problem is not None:
            raise RefusedError(f"{name}, line {number}: {problem}")
