"""Questions from the `Posts.xml` of a Stack Exchange data dump, as a stream.

The file names no site. Attributes are decoded once, by the XML parser: a title is then plain text, a body HTML. A
DOCTYPE is not fetched; a file that declares entities is refused.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO, NamedTuple
from xml.parsers import expat

from store.identity import question_id_for_post
from store.ingest import fields
from store.ingest.files import BROKEN_GZIP, open_unpacked
from store.ingest.question_rows import store_questions
from store.ingest.report import OnProgress, RowError, Tally
from store.ingest.stack_exchange import SITE_HINT, checked_site, host_of_folder, licence_at
from store.intake import NewQuestion
from store.rows import ImportReport
from store.search import plain_text
from store.workspace import Workspace
from uq_tui.errors import ImportFileError
from uq_tui.words import TextFormat

_QUESTION = "1"
_READ_BYTES = 1 << 16
_USED = frozenset(
    {
        *("Id", "PostTypeId", "AcceptedAnswerId", "CreationDate", "Score", "ViewCount", "Body", "OwnerUserId"),
        *("OwnerDisplayName", "Title", "Tags", "AnswerCount", "ClosedDate", "ContentLicense"),
    }
)
"""Attributes that have columns of their own."""


class _XmlRow(NamedTuple):
    line: int
    attributes: Mapping[str, str]


def import_posts(ws: Workspace, path: Path, *, site: str = "", on_progress: OnProgress | None = None) -> ImportReport:
    """Import the questions of a dump; answers and tag wikis are passed over.

    Args:
        site: host of the site in any spelling; "" when a folder in the path names it.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it is unreadable, no Posts.xml, declares entities, or nothing names its site.
    """
    tally = Tally(path, "Posts.xml")
    host = _host(path, site, tally)
    store_questions(ws, _questions(path, host, tally), tally, on_progress)
    return tally.report()


def _host(path: Path, site: str, tally: Tally) -> str:
    if site:
        return checked_site(site)
    found = host_of_folder(path)
    if found is None:
        raise ImportFileError(f"{path} doesn't say which site it is from.", hint=SITE_HINT)
    tally.note(f"Taken as {found[0]}, after the folder {found[1]}.")
    return found[0]


def _questions(path: Path, host: str, tally: Tally) -> Iterator[NewQuestion]:
    with open_unpacked(path) as file:
        for row in _rows(file, path, tally):
            if row.attributes.get("PostTypeId") != _QUESTION:
                tally.passed_over += 1
                continue
            tally.read += 1
            try:
                yield _question(row.attributes, host, path.name)
            except RowError as error:
                tally.reject(row.line, str(error))


def _rows(file: BinaryIO, path: Path, tally: Tally) -> Iterator[_XmlRow]:
    rows: list[_XmlRow] = []
    parser = expat.ParserCreate()

    def refuse_entities(*_: object) -> None:
        raise ImportFileError(f"{path} declares entities, which no dump does; it was not read any further.")

    def take(name: str, attributes: dict[str, str]) -> None:
        rows.append(_XmlRow(parser.CurrentLineNumber, attributes))

    def take_root(name: str, attributes: dict[str, str]) -> None:
        if name != "posts":
            raise ImportFileError(f"{path} holds <{name}>, not <posts>.", hint="Import the dump's Posts.xml.")
        parser.StartElementHandler = take

    parser.StartElementHandler = take_root
    parser.StartDoctypeDeclHandler = lambda *_: tally.note("Its DOCTYPE was not followed.")
    parser.EntityDeclHandler = refuse_entities
    while True:
        try:
            data = file.read(_READ_BYTES)
            parser.Parse(data, not data)
        except expat.ExpatError as error:
            yield from rows
            tally.reject(error.lineno, f"the file is not well-formed XML from here: {expat.ErrorString(error.code)}")
            return
        except BROKEN_GZIP as error:
            yield from rows
            tally.reject(parser.CurrentLineNumber, f"the file breaks off: its gzip data are damaged ({error})")
            return
        yield from rows
        rows.clear()
        if not data:
            return


def _question(row: Mapping[str, str], host: str, source: str) -> NewQuestion:
    post_id = fields.identifier(row, "Id")
    try:
        question_id = question_id_for_post(host, post_id)
    except ValueError:
        raise RowError(f"`Id` is {post_id!r}") from None
    body = row.get("Body", "")
    if not body.strip():
        raise RowError("it has no body")
    asked_at = fields.moment(row.get("CreationDate"))
    answers = fields.integer(row, "AnswerCount")
    owner = row.get("OwnerUserId", "")
    return NewQuestion(
        id=question_id,
        title=row.get("Title", "") or fields.title_of(plain_text(body, TextFormat.HTML)),
        body=body,
        format=TextFormat.HTML,
        source=source,
        site=host,
        status=fields.status_of(accepted="AcceptedAnswerId" in row, closed="ClosedDate" in row, answers=answers or 0),
        score=fields.integer(row, "Score"),
        tags=tuple(fields.split_tags(row.get("Tags", ""))),
        asked_at=asked_at,
        link=f"https://{host}/questions/{int(post_id)}",
        author=row.get("OwnerDisplayName", "") or (f"user {owner}" if owner else ""),
        licence=row.get("ContentLicense", "") or licence_at(asked_at),
        views=fields.integer(row, "ViewCount"),
        answers=answers,
        source_id=post_id,
        extra={key: value for key, value in row.items() if key not in _USED},
    )
