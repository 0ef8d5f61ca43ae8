"""What browsing costs: pages, searches, ranking and beginnings of words, at 3,000,000 questions and at 30,000.

The questions are made up: words by a Zipf law, a tenth of them looked up so rarely that a few questions have them. Both
workspaces have the tables, triggers and index of the app, are filled by plain SQL, and are kept in the temporary folder
under `uq-tui-browsing-N.db` when UQ_TUI_KEEP_BENCH is set; the large one takes 15 minutes and 5 GB.
"""

import os
import random
import sqlite3
import statistics
import sys
import tempfile
import threading
import time
from bisect import bisect
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, islice
from pathlib import Path

from sqlalchemy import Connection

from benchmarks.results import Result
from store import questions
from store.derived import remake
from store.live_reader import LiveReader, OvertakenError
from store.rows import PageKey, QuestionFilter
from store.snippets import snippets
from store.workspace import Workspace
from uq_tui.words import Direction, Order, QuestionStatus, ScoreBand

SMALL, LARGE = 30_000, 3_000_000
KEEP = "UQ_TUI_KEEP_BENCH"
_AT_ONCE = 20_000
_VOCABULARY = 300_000
_SITES = 80
_TAGS = 20_000
_HALVES = 40_000
"""Halves of bodies that questions are put together from."""
_REPEATS = 3
_SYLLABLES = (
    "con pro re in de al ge bra ter ma tri fu nc tion me as ure co mp act gro up ri ng to po lo gy ve ct or sp ace li"
    " ne ar op er at th e a an o f is gra ph num ber ser ies lim it ent ous dif fer com mut spec tral vec hom mod ul"
)

_QUESTION = (
    "INSERT INTO question (seq, id, title, site, status, score, tags, asked_at, body_sha256, body_format, link, author,"
    " licence, category, dataset_version, views, answers, created_at, extra, domain)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'plain', '', 'somebody', 'CC BY-SA 4.0', '', '', ?, 0, '', '{}', ?)"
)
_TEXT = "INSERT INTO text (sha256, body, chars) VALUES (?, ?, ?)"


class _Maker:
    """Makes the same questions each time, whatever their number."""

    def __init__(self) -> None:
        self._random = random.Random(8)
        self.words = self._vocabulary()
        weights = list(accumulate(1 / (rank + 3) for rank in range(len(self.words))))
        draw = self._random.choices
        self._halves = [" ".join(draw(self.words, cum_weights=weights, k=50)) for _ in range(_HALVES)]
        self._titles = [" ".join(draw(self.words, cum_weights=weights, k=7)) for _ in range(_HALVES)]
        self._tag_weights = list(accumulate(1 / (rank + 5) for rank in range(_TAGS)))
        self._site_weights = list(accumulate(1 / (rank + 2) for rank in range(_SITES)))

    def _vocabulary(self) -> list[str]:
        syllables = _SYLLABLES.split()
        made: dict[str, None] = {}
        while len(made) < _VOCABULARY:
            made["".join(self._random.choices(syllables, k=self._random.choice((1, 2, 2, 3, 3, 4, 5))))] = None
        return list(made)

    def rows(self, n: int) -> Iterator[tuple[tuple[object, ...], tuple[object, ...]]]:
        """`n` questions, each with the text of its body."""
        draw = self._random
        for seq in range(1, n + 1):
            half = self._halves[draw.randrange(_HALVES)], self._halves[draw.randrange(_HALVES)]
            body = f"{half[0]} {half[1]} {self.words[draw.randrange(1000, _VOCABULARY)]} item{seq}"
            site = bisect(self._site_weights, draw.random() * self._site_weights[-1])
            tags = {bisect(self._tag_weights, draw.random() * self._tag_weights[-1]) for _ in range(3)}
            score = None if draw.random() < 0.02 else int(draw.paretovariate(1.1)) - 2
            asked = f"{draw.randrange(2009, 2026)}-{draw.randrange(1, 13):02}-{draw.randrange(1, 29):02}T00:00:00Z"
            sha256 = f"{seq:064x}"
            yield (
                (
                    seq,
                    f"site{site}.example:{seq}",
                    self._titles[draw.randrange(_HALVES)],
                    f"site{site}.example",
                    draw.choices(("unanswered", "answered", "accepted", "closed"), (30, 35, 30, 5))[0],
                    score,
                    "[" + ", ".join(f'"tag-{tag}"' for tag in tags) + "]",
                    asked,
                    sha256,
                    draw.randrange(100_000),
                    ("Technology", "Science", "Culture & Recreation", "Life & Arts", "Business")[site % 5],
                ),
                (sha256, body.encode(), len(body)),
            )


def _workspace(maker: _Maker, n: int) -> Path:
    """The file of a workspace of `n` questions; one that was kept is used again."""
    path = Path(tempfile.gettempdir()) / f"uq-tui-browsing-{n}.db"
    if path.exists():
        return path
    making = path.with_suffix(".making")
    making.unlink(missing_ok=True)
    Workspace.open(making).close()
    with closing(sqlite3.connect(making, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = OFF")
        db.execute("PRAGMA synchronous = OFF")
        db.execute("PRAGMA cache_size = -400000")
        db.execute("BEGIN")
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f'DROP TRIGGER "{name}"')
        indexes = db.execute(
            "SELECT name, sql FROM sqlite_master WHERE tbl_name = 'question' AND type = 'index' AND sql <> ''"
        )
        made_last = indexes.fetchall()
        for name, _ in made_last:
            db.execute(f'DROP INDEX "{name}"')
        rows = maker.rows(n)
        while some := list(islice(rows, _AT_ONCE)):
            db.executemany(_TEXT, [body for _, body in some])
            db.executemany(_QUESTION, [row for row, _ in some])
        for _, sql in made_last:
            db.execute(sql)
        remake(db)
        db.execute("COMMIT")
    making.rename(path)
    return path


def _ms(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


def _median(work: Callable[[], object]) -> float:
    """Of a few runs, the first not counted: pages of the file are read from the disk then."""
    work()
    return statistics.median(_ms(work) for _ in range(_REPEATS))


def _pages(ws: Workspace, n: int) -> dict[str, Callable[[], object]]:
    """Pages as a browser of questions asks for them: first ones, deep ones, filtered, in each order."""
    deep = PageKey(n // 2)
    rare_tag = f"tag-{_TAGS // 40}"

    def page(wanted: QuestionFilter, order: Order = Order.ARRIVAL, after: PageKey | None = None) -> object:
        direction = Direction.UP if order is Order.ARRIVAL else Direction.DOWN
        return questions.page(ws, wanted, order, direction, after=after)

    everything, site = QuestionFilter(), QuestionFilter(site="site3.example")
    return {
        "first": lambda: page(everything),
        "deep": lambda: page(everything, after=deep),
        "by score": lambda: page(everything, Order.SCORE),
        "by score, deep": lambda: page(everything, Order.SCORE, PageKey(n // 2, 1)),
        "by date, deep": lambda: page(everything, Order.ASKED, PageKey(n // 2, "2016-01-01T00:00:00Z")),
        "site": lambda: page(site),
        "site, deep": lambda: page(site, after=deep),
        "site, by score": lambda: page(site, Order.SCORE),
        "site and status": lambda: page(QuestionFilter(site="site9.example", status=QuestionStatus.CLOSED)),
        "frequent tag": lambda: page(QuestionFilter(tags=("tag-1",))),
        "frequent tag, by score": lambda: page(QuestionFilter(tags=("tag-1",)), Order.SCORE),
        "rare tag, by score": lambda: page(QuestionFilter(tags=(rare_tag,)), Order.SCORE),
        "two tags": lambda: page(QuestionFilter(tags=("tag-1", "tag-4"))),
        "band and year": lambda: page(QuestionFilter(score_band=ScoreBand.MANY, year="2013")),
    }


def _texts(maker: _Maker) -> dict[str, str]:
    """Searches of whole words, from the commonest to one that one question has."""
    word = maker.words
    return {
        "commonest": f"{word[0]} ",
        "common": f"{word[40]} ",
        "frequent": f"{word[400]} ",
        "rare": f"{word[60_000]} ",
        "two common": f"{word[3]} {word[90]} ",
        "common and rare": f"{word[10]} {word[9_000]} ",
        "three": f"{word[5]} {word[30]} {word[200]} ",
        "excluded": f"{word[60]} -{word[2]} ",
        "one question": "item29000 ",
    }


def _beginnings(maker: _Maker, n: int) -> list[str]:
    """Beginnings of words as they are typed: of words by their frequency, from three letters on."""
    draw = random.Random(5)
    typed = [word for word in maker.words[:20_000] if len(word) >= 6]
    ranks = list(accumulate(1 / (rank + 30) for rank in range(len(typed))))
    words = draw.choices(typed, cum_weights=ranks, k=n)
    return [word[: draw.randrange(3, 7)] for word in words]


def _p95(values: Sequence[float]) -> float:
    return sorted(values)[int(len(values) * 0.95)]


def _interrupted(ws: Workspace, text: str) -> float:
    """Milliseconds from a key until the search that it interrupts has ended."""
    reader = LiveReader(ws)
    began = threading.Event()
    ended = 0.0

    def read(db: Connection) -> None:
        began.set()
        while True:  # until the key comes
            questions.read_count(db, QuestionFilter(text=text), cap=LARGE)

    def search() -> None:
        nonlocal ended
        try:
            reader.run(read)
        except OvertakenError:
            ended = time.perf_counter()

    thread = threading.Thread(target=search)
    thread.start()
    began.wait()
    time.sleep(0.02)  # into the middle of it
    pressed = time.perf_counter()
    reader.interrupt()
    thread.join()
    return (ended - pressed) * 1000


def _shown(ws: Workspace, text: str, order: Order) -> None:
    """A first page as the screen has it: counted, with snippets."""
    wanted = QuestionFilter(text=text)
    with ws.read() as db:
        page = questions.read_page(db, wanted, order)
        questions.read_count(db, wanted)
        snippets(db, text, [row.seq for row in page.rows])


@dataclass(frozen=True, slots=True)
class _Measured:
    """Milliseconds, in one workspace."""

    pages: dict[str, float]
    searches: dict[str, float]
    deep_searches: dict[str, float]
    ranked: list[float]
    beginnings: list[float]
    shown: float
    facets: float
    interrupt: float


def _measure(maker: _Maker, path: Path, n: int) -> _Measured:
    texts, typed = _texts(maker), _beginnings(maker, 60)
    with closing(Workspace.open(path)) as ws:

        def search(text: str, after: PageKey | None = None, order: Order = Order.ARRIVAL) -> object:
            return questions.page(ws, QuestionFilter(text=text), order, after=after)

        deep = PageKey(n // 2)
        for text in (*texts.values(), *typed):
            search(text, order=Order.RELEVANCE)
        return _Measured(
            pages={name: _median(page) for name, page in _pages(ws, n).items()},
            searches={name: _median(partial(search, text)) for name, text in texts.items()},
            deep_searches={name: _median(partial(search, text, deep)) for name, text in texts.items()},
            ranked=[_ms(partial(search, text, order=Order.RELEVANCE)) for text in texts.values() for _ in range(5)],
            beginnings=[_ms(partial(search, text)) for text in typed],
            shown=_median(partial(_shown, ws, texts["common"], Order.ARRIVAL)),
            facets=_median(partial(questions.facets, ws)),
            interrupt=statistics.median(_interrupted(ws, texts["commonest"]) for _ in range(5)),
        )


def measure() -> list[Result]:
    """Both workspaces in one run, the small one first."""
    maker = _Maker()
    paths = {n: _workspace(maker, n) for n in (SMALL, LARGE)}
    small, large = (_measure(maker, paths[n], n) for n in (SMALL, LARGE))
    if not os.environ.get(KEEP):
        for path in paths.values():
            path.unlink()
    for name, values in (("page", "pages"), ("search", "searches"), ("deep search", "deep_searches")):
        for what, value in getattr(large, values).items():
            sys.stderr.write(f"  {name:12} {what:24} {getattr(small, values)[what]:8.2f} ms {value:8.2f} ms\n")
    searches = [*small.searches.values(), *small.deep_searches.values()]
    large_searches = [*large.searches.values(), *large.deep_searches.values()]
    return [
        _against("browse.page.3M", list(large.pages.values()), list(small.pages.values()), "a page of 100 by key"),
        _against("browse.search.3M", large_searches, searches, "a page of 100 hits, unranked"),
        _bounded("browse.ranked_p95.3M", _p95(large.ranked), _p95(small.ranked), "first page of the best, p95"),
        _bounded("browse.prefix_p95.3M", _p95(large.beginnings), _p95(small.beginnings), "beginnings of words, p95"),
        _bounded("browse.live.3M", large.shown, small.shown, "a search with its count and snippets"),
        _bounded("browse.facets.3M", large.facets, small.facets, "all facets, the 100 most frequent values of each"),
        _bounded(
            "browse.interrupt.3M", large.interrupt, small.interrupt, "from a key to the end of what it interrupts"
        ),
    ]


def _against(name: str, values: Sequence[float], baseline: Sequence[float], what: str) -> Result:
    value, base = statistics.median(values), statistics.median(baseline)
    said = f"{what}: median of {len(values)} kinds at 3,000,000 questions, and at 30,000"
    return Result(name, value, "ms", base, value / base, _REPEATS, said)


def _bounded(name: str, value: float, baseline: float, what: str) -> Result:
    return Result(name, value, "ms", baseline, value / baseline, 1, f"{what}, at 3,000,000 questions, and at 30,000")
