"""Strategies by name: those that ship with uq-tui, the rows of the paper's table, and the user's own."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from prompts.loader import strategy_data
from uq_tui import paths
from uq_tui.errors import StrategyError
from uq_tui.strategies import limits
from uq_tui.strategies.notation import CHECK_WORDS, parse, to_notation
from uq_tui.strategies.toml_form import MAX_BYTES, parse_strategy
from uq_tui.strategies.tree import Strategy, slot_count
from uq_tui.text import clean_line

DEFAULT = "3-iter"
"""The strategy that is used where none is named."""

_LIKE_A_NAME = re.compile(r"[\w./-]+")
_SEE = "`uq-tui strategies` lists the names."


class Source(StrEnum):
    """Where a strategy comes from."""

    SHAPE = "shape"
    """Ships with uq-tui; its models are slots."""
    ROW = "row"
    """A row of the paper's table: a shape with models."""
    OWN = "own"
    """A file of the user's."""
    NOTATION = "notation"
    """Written out on one line."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A strategy, and the models that fill its slots from 1 on unless others are named; none for most."""

    strategy: Strategy
    source: Source
    models: tuple[str, ...] = ()
    models_are_ours: bool = False
    """The paper does not print which models it asked; `models` is a choice of ours."""


class PaperMatrix(NamedTuple):
    """Counts of a validator on answers of which `correct` are. The paper prints none; see prompts/strategies."""

    n: int
    correct: int
    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int


@dataclass(frozen=True, slots=True)
class PaperRow:
    """A row of Table S7 of Unsolved Questions (arXiv 2508.17580v1)."""

    name: str
    """As `find` takes it: `o3/cx3-m`."""
    title: str
    shape: str
    models: tuple[str, ...]
    models_are_ours: bool
    accuracy: float
    """Per cent, as printed; so are the next two."""
    precision: float
    recall: float
    matrix: PaperMatrix | None
    """`None` where no whole numbers give the printed values."""
    note: str
    """What is odd about its values."""


def find(text: str) -> Preset:
    """The strategy that goes by a name, else the one that the text is the one-line form of.

    A one-line form of the same tree as a shape that ships with uq-tui is that shape.

    Raises:
        StrategyError: it is neither, with the position at which it stops being a one-line form; or a file of the user's
            is malformed, or has the name of a strategy that ships with uq-tui.
    """
    name = text.strip()
    file = _own_file(name.lower())
    if file is not None:
        return load_own(file)
    if name.lower() in _shipped():
        return _shipped()[name.lower()]
    try:
        root = parse(text)
    except StrategyError as error:
        if _LIKE_A_NAME.fullmatch(name):
            raise _neither(name, error) from error
        raise
    notation = to_notation(root)
    same = next((preset for preset in _shapes().values() if preset.strategy.notation == notation), None)
    return same or Preset(Strategy(notation, notation, "", root, notation), Source.NOTATION)


def names() -> tuple[str, ...]:
    """Names that `find` knows: shapes, then the user's own, then the rows of the paper's table."""
    own = tuple(file.stem for file in own_files() if _name_problem(file.stem) == "")
    return (*_shapes(), *own, *(row.name for row in paper_rows()))


def shape_names() -> tuple[str, ...]:
    """Names of the strategies with open slots that ship with uq-tui."""
    return tuple(_shapes())


def shipped() -> tuple[Preset, ...]:
    """What ships with uq-tui: shapes, then the rows of the paper's table."""
    return tuple(_shipped().values())


def own_files() -> tuple[Path, ...]:
    """The files of the user's own strategies, sorted by name, usable or not."""
    return tuple(sorted(own_folder().glob("*.toml")))


def own_folder() -> Path:
    """Where the user's own strategies are looked for; it need not exist."""
    return paths.config_dir() / "strategies"


def load_own(file: Path) -> Preset:
    """A strategy of the user's, called as its file is.

    Raises:
        StrategyError: it has a name it can't have, can't be read, or is malformed.
    """
    wrong = _name_problem(file.stem)
    if wrong:
        raise StrategyError(f"{file}: {wrong}", hint="Rename the file.")
    if not file.is_file():  # a pipe would be waited for, for ever
        raise StrategyError(f"{file}: it cannot be read: it is no file.", hint="Take it out of the folder.")
    try:
        with file.open(encoding="utf-8") as opened:
            source = opened.read(MAX_BYTES + 1)
    except (OSError, UnicodeDecodeError) as error:
        raise StrategyError(f"{file}: it cannot be read: {error}") from error
    return Preset(parse_strategy(file.stem, source), Source.OWN)


@cache
def paper_rows() -> tuple[PaperRow, ...]:
    """The 43 rows of Table S7, in its order."""
    data = tomllib.loads(strategy_data("paper_rows"))
    return tuple(_row(family, row) for family in data["families"] for row in family["rows"])


def _row(family: Mapping[str, Any], row: Mapping[str, Any]) -> PaperRow:
    shape = row["shape"]
    accuracy, precision, recall = row["printed"]
    printed_as = _shape_data()[shape].get("printed_as", _shape_data()[shape]["title"])
    return PaperRow(
        name=f"{family['name']}/{shape}",
        title=f"{family['title']}, {printed_as}",
        shape=shape,
        models=tuple(family["models"][: slot_count(_shapes()[shape].strategy.root)]),
        models_are_ours=row.get("models_are_ours", family.get("models_are_ours", False)),
        accuracy=accuracy,
        precision=precision,
        recall=recall,
        matrix=PaperMatrix(*row["matrix"]) if "matrix" in row else None,
        note=row.get("note", ""),
    )


@cache
def _shape_data() -> Mapping[str, Any]:
    return tomllib.loads(strategy_data("shapes"))


@cache
def _shapes() -> Mapping[str, Preset]:
    """The shapes that ship with uq-tui, by name."""
    return {
        name: Preset(
            Strategy(name, data["title"], data["purpose"], parse(data["notation"]), data["notation"]), Source.SHAPE
        )
        for name, data in _shape_data().items()
    }


@cache
def _shipped() -> Mapping[str, Preset]:
    """Everything that ships with uq-tui, by name."""
    rows = {
        row.name: Preset(
            replace(_shapes()[row.shape].strategy, name=row.name, title=row.title),
            Source.ROW,
            row.models,
            row.models_are_ours,
        )
        for row in paper_rows()
    }
    return {**_shapes(), **rows}


def _own_file(name: str) -> Path | None:
    """The user's file for a name. Only what is checked to be a name becomes part of a path."""
    if not limits.NAME.fullmatch(name) or len(name) > limits.MAX_NAME:
        return None
    file = own_folder() / f"{name}.toml"
    return file if file.is_file() else None


def _name_problem(name: str) -> str:
    """Why a strategy of the user's can't have this name; "" when it can."""
    if name in _shipped():
        return f"{name} is the name of a strategy that ships with uq-tui."
    if name in CHECK_WORDS:
        return f"{name} means a check in the one-line form."
    if not limits.NAME.fullmatch(name) or len(name) > limits.MAX_NAME:
        return f"its name must be of lower-case letters, digits, - and _, {limits.MAX_NAME} at most."
    return ""


def _neither(name: str, error: StrategyError) -> StrategyError:
    """The one error for a word that is no name and no one-line form either."""
    shown = name if len(name) <= limits.MAX_NAME else f"{name[: limits.MAX_NAME]}…"
    near = get_close_matches(shown.lower(), names(), 3)
    meant = [f"Did you mean {', '.join(near)}?"] if near else [error.hint] if error.hint else []
    return StrategyError(
        f"There is no strategy {clean_line(shown)}, and as one line it cannot be read: {error.message}",
        hint=" ".join((*meant, _SEE)),
        position=error.position,
    )
