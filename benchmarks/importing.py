"""How many rows of a dump's `Posts.xml` are imported a second, beside a bare loop of the standard library's SQLite."""

import json
import random
import re
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from html import escape, unescape
from itertools import islice
from pathlib import Path
from typing import Any
from xml.parsers import expat

from benchmarks.results import Result
from store.ingest.posts_xml import import_posts
from store.search_index import PREFIXES, TOKENIZER
from store.workspace import Workspace

_ROWS = 60_000
_RUNS = 3
_AT_ONCE = 10_000
"""Rows in a transaction of the bare loop."""
_WORDS = 30_000
_SITE = "math.stackexchange.com"

_COLUMNS = (
    *("id", "title", "site", "status", "score", "tags", "asked_at", "body", "body_format", "link", "author", "licence"),
    *("category", "dataset_version", "views", "answers", "created_at", "extra", "domain", "resolution", "author_id"),
    "edited_at",
)
"""Those of our questions, with the body in place of its hash."""
_LIKE_OURS = f"prefix='{PREFIXES}', tokenize='{TOKENIZER}'"
_TAG = re.compile("<[^<>]*>")
_USED = frozenset(
    {
        *("Id", "PostTypeId", "ParentId", "Score", "ViewCount", "Body", "OwnerUserId", "CreationDate", "LastEditDate"),
        *("Title", "Tags", "AnswerCount", "ContentLicense"),
    }
)


def measure() -> list[Result]:
    """Rows a second, medians of some runs, ours and the bare loop's in turns."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "Posts.xml"
        write_posts(path, _ROWS)
        ours: list[float] = []
        bare: list[float] = []
        for number in range(_RUNS):
            bare.append(_rate(lambda to: _bare(path, to), Path(folder) / f"bare-{number}.db"))
            ours.append(_rate(lambda to: _imported(path, to), Path(folder) / f"ours-{number}.db"))
    value, baseline = statistics.median(ours), statistics.median(bare)
    what = (
        f"rows of a Posts.xml of {_ROWS:,} questions, answers and tag wikis; baseline: expat, executemany in"
        f" transactions of {_AT_ONCE:,}, the columns of a question for every post, and a row without markup in an"
        " FTS5 index made like ours; aim >= 0.5"
    )
    return [Result("import.posts_xml", value, "rows/s", baseline, value / baseline, _RUNS, what, n=_ROWS)]


def _rate(load: Callable[[Path], None], to: Path) -> float:
    begun = time.perf_counter()
    load(to)
    return _ROWS / (time.perf_counter() - begun)


def _imported(path: Path, to: Path) -> None:
    with closing(Workspace.open(to)) as ws:
        report = import_posts(ws, path, site=_SITE)
    assert report.new == report.read > _ROWS / 2
    assert not report.rejected


def write_posts(path: Path, rows: int) -> None:
    """A made-up Posts.xml: a question, two or three answers to earlier ones, now and then a tag wiki."""
    with path.open("w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="utf-8"?>\n<posts>\n')
        file.writelines(posts(rows))
        file.write("</posts>\n")


def posts(rows: int) -> Iterator[str]:
    """The lines of such a file."""
    chance = random.Random(20_24)
    words = [_word(chance) for _ in range(_WORDS)]
    weights = [1 / (rank + 3) for rank in range(_WORDS)]
    text = chance.choices(words, weights, k=200_000)
    questions = [1]
    for number in range(1, rows + 1):
        start, length = chance.randrange(len(text) - 600), int(chance.lognormvariate(4.9, 0.7)) + 5
        body = _body(text[start : start + min(length, 600)])
        common = f'Id="{number}" CreationDate="2019-03-{number % 28 + 1:02}T10:00:00.000" Score="{number % 9 - 1}"'
        if number % 50 == 49:
            yield f'  <row {common} PostTypeId="{4 + number % 2}" Body="{body}" />\n'
        elif number % 5 < 2:
            title = " ".join(text[start : start + 9])
            questions.append(number)
            yield (
                f'  <row {common} PostTypeId="1" ViewCount="{number}" Body="{body}" OwnerUserId="{number % 9999}"'
                f' LastActivityDate="2020-01-01T00:00:00.000" Title="{title}" Tags="|algebra|{text[start]}|"'
                f' AnswerCount="{number % 4}" CommentCount="2" ContentLicense="CC BY-SA 4.0" />\n'
            )
        else:
            asked = questions[-1 - min(chance.randrange(40), len(questions) - 1)]
            yield (
                f'  <row {common} PostTypeId="2" ParentId="{asked}" Body="{body}" OwnerUserId="{number % 9999}"'
                f' LastActivityDate="2020-01-01T00:00:00.000" CommentCount="1" ContentLicense="CC BY-SA 4.0" />\n'
            )


def _word(chance: random.Random) -> str:
    return "".join(chance.choice("bcdfghklmnprstvz") + chance.choice("aeiou") for _ in range(chance.randrange(1, 5)))


def _body(words: list[str]) -> str:
    paragraphs = [" ".join(words[at : at + 60]) for at in range(0, len(words), 60)]
    shown = "\n\n".join(f"<p>{one} $x_{{{len(one)}}} &lt; y$ <em>so</em>.</p>" for one in paragraphs)
    return escape(shown).replace("\n", "&#xA;")


def _bare(path: Path, to: Path) -> None:
    with closing(sqlite3.connect(to, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute(f"CREATE TABLE post (seq INTEGER PRIMARY KEY, {', '.join(_COLUMNS)}, UNIQUE (id))")
        db.execute(f"CREATE VIRTUAL TABLE found USING fts5 (title, body, tags, content='', {_LIKE_OURS})")
        rows = _bare_rows(path)
        seq = 0
        while some := list(islice(rows, _AT_ONCE)):
            db.execute("BEGIN")
            numbered = [(seq + at, *row) for at, row in enumerate(some, 1)]
            db.executemany(f"INSERT INTO post VALUES (?{', ?' * len(_COLUMNS)})", numbered)
            db.executemany(
                "INSERT INTO found (rowid, title, body, tags) VALUES (?, ?, ?, ?)",
                ((row[0], row[2], unescape(_TAG.sub(" ", row[8])), row[6]) for row in numbered),
            )
            db.execute("COMMIT")
            seq += len(some)


def _bare_rows(path: Path) -> Iterator[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []

    def take(name: str, row: Mapping[str, str]) -> None:
        if name == "row":
            found.append(_bare_row(row))

    parser = expat.ParserCreate()
    parser.StartElementHandler = take
    with path.open("rb") as file:
        while data := file.read(1 << 16):
            parser.Parse(data, False)
            yield from found
            found.clear()


def _bare_row(row: Mapping[str, str]) -> tuple[Any, ...]:
    tags = json.dumps(row.get("Tags", "").strip("|").split("|"))
    extra = json.dumps({key: value for key, value in row.items() if key not in _USED})
    views, answers = row.get("ViewCount"), row.get("AnswerCount")
    return (
        *(f"{_SITE}:{row['Id']}", row.get("Title", ""), _SITE, "unanswered", int(row["Score"]), tags),
        *(row["CreationDate"], row["Body"], "html", f"https://{_SITE}/q/{row['Id']}", "", row.get("ContentLicense")),
        *("", "", int(views) if views else None, int(answers) if answers else None, "2024", extra, "Science", "open"),
        *(row.get("OwnerUserId"), row.get("LastEditDate")),
    )
