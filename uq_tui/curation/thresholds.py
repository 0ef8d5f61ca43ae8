"""What questions must meet, read from TOML: for all sites and single ones, for ratings, for the diamond subset.

`thresholds.toml` has the values that the paper and its authors' code have published, each with its source.
"""

import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from store.identity import canonical_host
from uq_tui.curation.tags import TagList
from uq_tui.errors import ConfigError

_HINT = "`uq-tui curate thresholds` prints the ones that ship with uq-tui."
_MOST_RATINGS = 100


@dataclass(frozen=True, slots=True)
class SiteRules:
    """What the rules ask of questions of one site.

    Attributes:
        age_days: at least so old.
        views: at least so often looked at.
        votes: at least so many, up minus down.
        views_per_vote: fewer than so many.
        top_share: among the first of its site's open questions by votes, as a share of 1; 1 lets all through.
        no_why: no title with the word "why".
        no_images: no image in the text.
        tags: none of these tags.
    """

    age_days: int
    views: int
    votes: int
    views_per_vote: int
    top_share: float
    no_why: bool
    no_images: bool
    tags: TagList


@dataclass(frozen=True, slots=True)
class ModelLimits:
    """What models' ratings must come to. Figures are percentages, and may be met exactly.

    Attributes:
        temperature: of the call that answers the question.
        ratings: how often the question with its answer is rated.
        least_ratings: how many of these must have been read for anything to be decided.
        answer_correctness: at most so high a mean.
        expert_solvability: at most so high a mean.
    """

    temperature: float
    ratings: int
    least_ratings: int
    answer_correctness: float
    expert_solvability: float


@dataclass(frozen=True, slots=True)
class SiteTable:
    """Rules for all sites, and for those that have some of their own, by canonical host."""

    general: SiteRules
    sites: Mapping[str, SiteRules]

    def of(self, site: str) -> SiteRules:
        """The rules for a site, in any spelling of its host."""
        return self.sites.get(canonical_host(site), self.general)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """All that a pass of the funnel goes by."""

    rules: SiteTable
    model: ModelLimits
    diamond: SiteTable


@dataclass(frozen=True, slots=True)
class _Kind:
    """What a value may be: a whole number, a number, a yes or no, or a list of tags, between two bounds."""

    type: type
    least: float = 0
    most: float = 10**9
    above: bool = False
    """`least` itself is too little."""

    def trouble(self, value: Any) -> str:
        """Why a value is none of this kind; "" where it is one."""
        if self.type is list:
            return "" if isinstance(value, list) and all(isinstance(one, str) for one in value) else "a list of tags"
        if self.type is bool:
            return "" if isinstance(value, bool) else "true or false"
        numbers = (int,) if self.type is int else (int, float)
        in_range = isinstance(value, numbers) and not isinstance(value, bool) and self.least <= value <= self.most
        if in_range and not (self.above and value == self.least):
            return ""
        what = "a whole number" if self.type is int else "a number"
        beginning = f"above {self.least:,} up" if self.above else f"from {self.least:,}"
        return f"{what} {beginning} to {self.most:,}"


_RULES: Mapping[str, _Kind] = {
    "age_days": _Kind(int, most=100_000),
    "views": _Kind(int),
    "votes": _Kind(int, least=1),
    "views_per_vote": _Kind(int, least=1),
    "top_share": _Kind(float, most=1, above=True),
    "no_why": _Kind(bool),
    "no_images": _Kind(bool),
    "tags": _Kind(list),
}
_MODEL: Mapping[str, _Kind] = {
    "temperature": _Kind(float, most=2),
    "ratings": _Kind(int, least=1, most=_MOST_RATINGS),
    "least_ratings": _Kind(int, least=1, most=_MOST_RATINGS),
    "answer_correctness": _Kind(float, most=100),
    "expert_solvability": _Kind(float, most=100),
}
_SECTIONS = ("rules", "model", "diamond")
_SITES = "sites"


@cache
def default_toml() -> str:
    """The text of the thresholds that ship with uq-tui: the paper's."""
    return files("uq_tui.curation").joinpath("thresholds.toml").read_text(encoding="utf-8")


def parse(text: str, where: str = "The thresholds") -> Thresholds:
    """Read thresholds. A text says everything, so that a pass which keeps it depends on nothing else.

    Only tables of sites may leave keys out, which are then as for all sites, and the table of the diamond subset,
    where they are then as in the one of rules.

    Args:
        text: the TOML.
        where: what to call it in messages, usually its path.

    Raises:
        ConfigError: it is no TOML, or, all at once with their lines, keys are unknown, missing or wrong.
    """
    try:
        given = tomllib.loads(text)
    except ValueError as error:  # also what numbers of thousands of digits raise
        raise ConfigError(f"{where}: this is not TOML: {error}.", hint=_HINT) from error
    except RecursionError as error:
        raise ConfigError(f"{where}: it is nested too deeply.", hint=_HINT) from error
    reader = _Reader(text)
    reader.known(given, (), _SECTIONS)
    rules, model, diamond = (reader.table(given, (), section) for section in _SECTIONS)
    general = reader.values(rules, ("rules",), _RULES)
    limits = reader.values(model, ("model",), _MODEL)
    strictest = {**general, **reader.values(diamond, ("diamond",), _RULES, whole=False)}
    own = {section: reader.sites(table, section) for section, table in (("rules", rules), ("diamond", diamond))}
    if not reader.problems and limits["least_ratings"] > limits["ratings"]:
        reader.complain(("model", "least_ratings"), f"must be at most ratings, which is {limits['ratings']}")
    if reader.problems:
        raise ConfigError(f"{where}: {'; '.join(reader.problems)}.", hint=_HINT)
    return Thresholds(
        rules=_site_table(general, own["rules"]),
        model=ModelLimits(**limits),
        diamond=_site_table(strictest, own["diamond"]),
    )


def _site_table(general: Mapping[str, Any], sites: Mapping[str, Mapping[str, Any]]) -> SiteTable:
    return SiteTable(SiteRules(**general), {host: SiteRules(**{**general, **own}) for host, own in sites.items()})


class _Reader:
    """Reads tables, and gathers what is wrong with them, each with its line."""

    def __init__(self, text: str) -> None:
        self.problems: list[str] = []
        self._lines = _lines(text)

    def complain(self, path: tuple[str, ...], trouble: str) -> None:
        """Note what is wrong with a key, or the table where it would stand."""
        places = [path[:length] for length in range(len(path), 0, -1)]
        line = next((self._lines[place] for place in places if place in self._lines), None)
        name = ".".join(key if _PLAIN.fullmatch(key) else f"{key!a}" for key in path)
        self.problems.append(f"{f'line {line}: ' if line is not None else ''}{name} {trouble}")

    def known(self, table: Mapping[str, Any], path: tuple[str, ...], keys: Collection[str]) -> None:
        """Note every key that isn't one of these."""
        for key in table:
            if key not in keys:
                self.complain((*path, key), "is no key that is known here")

    def table(self, holder: Mapping[str, Any], path: tuple[str, ...], key: str) -> Mapping[str, Any]:
        """The table that stands there; an empty one where there is none, which is noted."""
        found = holder.get(key)
        if isinstance(found, dict):
            return found
        self.complain((*path, key), "must be a table" if key in holder else "is missing")
        return {}

    def values(
        self, table: Mapping[str, Any], path: tuple[str, ...], kinds: Mapping[str, _Kind], *, whole: bool = True
    ) -> dict[str, Any]:
        """The values that are as they must be; all others are noted, and those missing from a table that is `whole`."""
        self.known(table, path, (*kinds, *([_SITES] if len(path) == 1 and path != ("model",) else [])))
        good: dict[str, Any] = {}
        for key, kind in kinds.items():
            if key not in table:
                if whole and table:
                    self.complain((*path, key), "is missing")
                continue
            wanted = kind.trouble(table[key])
            if wanted:
                self.complain((*path, key), f"must be {wanted}")
                continue
            good[key] = self._tags(table[key], (*path, key)) if kind.type is list else table[key]
        return good

    def sites(self, section: Mapping[str, Any], name: str) -> dict[str, dict[str, Any]]:
        """What single sites have of their own, by canonical host."""
        path = (name, _SITES)
        given = self.table(section, (name,), _SITES) if _SITES in section else {}
        found: dict[str, dict[str, Any]] = {}
        for key in given:
            host = canonical_host(key)
            if not host:
                self.complain((*path, key), "is no site")
            elif host in found:
                self.complain((*path, key), f"is {host}, which has a table already")
            else:
                found[host] = self.values(self.table(given, path, key), (*path, key), _RULES, whole=False)
        return found

    def _tags(self, patterns: list[str], path: tuple[str, ...]) -> TagList:
        try:
            return TagList(patterns)
        except ConfigError as error:
            self.complain(path, f"can't be read: {error.message.rstrip('.')}")
            return TagList(())


_PLAIN = re.compile(r"[A-Za-z0-9_-]+")
_HEADER = re.compile(r"\s*(\[[^\[\]]+\])\s*(?:#.*)?")
_KEY = re.compile(r"\s*([A-Za-z0-9_-]+)\s*=")


def _lines(text: str) -> dict[tuple[str, ...], int]:
    """The lines of tables and of plain keys in them, from 1, for messages; what is written otherwise has none."""
    lines: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.fullmatch(line):
            table = _header_path(header[1])
            lines.setdefault(table, number)
        elif key := _KEY.match(line):
            lines.setdefault((*table, key[1]), number)
    return lines


def _header_path(header: str) -> tuple[str, ...]:
    try:
        inner: Any = tomllib.loads(header)
    except tomllib.TOMLDecodeError:  # a line of a text that goes over several
        return ()
    path: list[str] = []
    while inner:
        ((key, inner),) = inner.items()
        path.append(key)
    return tuple(path)
