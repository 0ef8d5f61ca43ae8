"""Packs: a folder with questions, checkable neighbours and candidate answers that belong together.

`pack.json`         {name, version, licence, description}
`questions.jsonl`   {key, title, body, site, link, tags, category, source, licence, author}; the body is Markdown
`neighbours.jsonl`  {question_key, statement, answer, source}
`candidates.jsonl`  {question_key, answer, author_kind, model, system, organisation, base_model, person, prompt,
                     known_label: {label, flaw} or null, reference: true or false}

`key` names a question within the pack. The last two files may be missing. Every row may lack what it doesn't know;
unknown keys of questions are kept.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from store.identity import UNNAMED_SOURCE, post_of_link, question_id_for_post, question_id_for_text
from store.ingest import fields
from store.ingest.candidates_jsonl import candidate_of, store_candidates
from store.ingest.files import whole_text
from store.ingest.jsonl import parse_rows
from store.ingest.neighbour_rows import neighbour_of, put_each
from store.ingest.question_rows import store_questions
from store.ingest.report import OnProgress, RowError, Tally, chunks
from store.ingest.strict_json import StrictDecoder
from store.intake import NewQuestion
from store.rows import ImportReport, Neighbour, NewCandidate
from store.search import indexed
from store.workspace import Workspace
from uq_tui.errors import ImportFileError
from uq_tui.words import TextFormat

T = TypeVar("T")

DESCRIPTION = "pack.json"
"""The file that makes a folder a pack."""

_QUESTIONS = "questions.jsonl"
_NEIGHBOURS = "neighbours.jsonl"
_CANDIDATES = "candidates.jsonl"
_USED = frozenset(("title", "body", "site", "link", "tags", "category", "licence", "author"))
"""Keys of questions that have columns of their own."""


def import_pack(ws: Workspace, folder: Path, on_progress: OnProgress | None = None) -> ImportReport:
    """Import a pack. Rows that cannot be used are reported with the file they are in.

    Raises:
        NotFoundError: `pack.json` or `questions.jsonl` is missing.
        ImportFileError: a file cannot be read, or `pack.json` is malformed.
    """
    pack = _Pack(folder, *_described(folder))
    store_questions(ws, pack.questions(), pack.tally, on_progress)
    if (folder / _NEIGHBOURS).exists():
        _store_neighbours(ws, pack, on_progress)
    if (folder / _CANDIDATES).exists():
        store_candidates(ws, pack.candidates(), pack.tally, on_progress)
    return pack.tally.report()


def question_ids(folder: Path) -> dict[str, str]:
    """Ids of a pack's questions by their keys in it; nothing is imported. Raises as `import_pack` does."""
    pack = _Pack(folder, *_described(folder))
    for _ in pack.questions():
        pass
    return pack.ids


def _described(folder: Path) -> tuple[str, str]:
    """Name with version, and licence."""
    path = folder / DESCRIPTION
    value, problem = StrictDecoder().decode(whole_text(path))
    try:
        if problem:
            raise RowError(problem)
        name, version = fields.text(value, "name"), fields.text(value, "version")
        if not name:
            raise RowError("no `name`")
        return f"{name} {version}".strip(), fields.text(value, "licence")
    except RowError as error:
        raise ImportFileError(f"{path} does not describe a pack: {error}.") from error


class _Pack:
    def __init__(self, folder: Path, version: str, licence: str) -> None:
        self.tally = Tally(folder, "pack")
        self._folder = folder
        self._version = version
        self._licence = licence
        self.ids: dict[str, str] = {}
        """Ids of the pack's questions, by key."""

    def questions(self) -> Iterator[NewQuestion]:
        return self._parsed(_QUESTIONS, self._question)

    def candidates(self) -> Iterator[NewCandidate]:
        return self._parsed(
            _CANDIDATES, lambda row: candidate_of(row, self._question_id(row), source=self._source(_CANDIDATES))
        )

    def neighbours(self) -> Iterator[tuple[str, Neighbour]]:
        return self._parsed(_NEIGHBOURS, lambda row: (self._question_id(row), neighbour_of(row, source="")))

    def _parsed(self, name: str, parse: Callable[[Mapping[str, Any]], T]) -> Iterator[T]:
        return parse_rows(self._folder / name, parse, self.tally)

    def _source(self, name: str) -> str:
        return f"{self._folder.name}/{name}"

    def _question_id(self, row: Mapping[str, Any]) -> str:
        key = fields.identifier(row, "question_key")
        if key not in self.ids:
            raise RowError(f"no question of this pack has the key {key!r}")
        return self.ids[key]

    def _question(self, row: Mapping[str, Any]) -> NewQuestion:
        key = fields.identifier(row, "key")
        body = fields.text(row, "body")
        if not key or key in self.ids:
            raise RowError(f"the key {key!r} stands twice" if key else "no `key`")
        if not body.strip():
            raise RowError("no `body`")
        link = fields.text(row, "link")
        post = post_of_link(link)
        question = NewQuestion(
            id=question_id_for_post(*post) if post else question_id_for_text(UNNAMED_SOURCE, body),
            title=fields.text(row, "title") or fields.title_of(body),
            body=body,
            format=TextFormat.MARKDOWN,
            source=self._source(_QUESTIONS),
            site=post[0] if post else indexed(fields.text(row, "site")),
            tags=fields.tags(row),
            link=link,
            author=fields.text(row, "author"),
            licence=fields.text(row, "licence") or self._licence,
            category=fields.text(row, "category"),
            dataset_version=self._version,
            source_id=key,
            extra={name: value for name, value in row.items() if name not in _USED},
        )
        self.ids[key] = question.id
        return question


def _store_neighbours(ws: Workspace, pack: _Pack, on_progress: OnProgress | None) -> None:
    for chunk in chunks(pack.neighbours(), lambda given: len(given[1].statement)):
        for taken in ws.write(partial(put_each, given=chunk)):
            pack.tally.take(taken, "neighbours")
        if on_progress is not None:
            on_progress(pack.tally.seen)
