"""Rollouts of one arm as they are listed: by neighbour, then by what came of them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from store.rows import Neighbour
from store.run_rows import Rollout
from uq_tui.words import DecidedBy


class Kind(StrEnum):
    """What came of a rollout; in the order in which they are listed."""

    SOLVED = "solved"
    NOT_SOLVED = "not solved"
    NO_ANSWER = "no answer"
    CUT_OFF = "cut off"
    UNDECIDABLE = "undecidable"
    ENDED = "not compared"
    """Comparing ended at a limit, or the answer was program text and never read."""
    FAILED = "failed"


UNDECIDED = frozenset({Kind.CUT_OFF, Kind.UNDECIDABLE, Kind.ENDED, Kind.FAILED})
"""Kinds without a value: no evidence either way."""


class Filter(StrEnum):
    """Which rollouts are listed."""

    ALL = "all"
    UNSOLVED = "only unsolved"
    UNDECIDED = "only undecided"

    def takes(self, kind: Kind) -> bool:
        """Whether rollouts of this kind are listed. Undecided ones are not unsolved."""
        if self is Filter.ALL:
            return True
        return kind in UNDECIDED if self is Filter.UNDECIDED else kind in (Kind.NOT_SOLVED, Kind.NO_ANSWER)


_UNDECIDED_BY: Mapping[DecidedBy, Kind] = {
    DecidedBy.CUT_OFF: Kind.CUT_OFF,
    DecidedBy.CALL_FAILED: Kind.FAILED,
    DecidedBy.FAILED: Kind.ENDED,
}
_TOLD: Mapping[DecidedBy, str] = {
    DecidedBy.EXACT: "read exactly",
    DecidedBy.SYMBOLIC: "by algebra",
    DecidedBy.MODEL: "by a model",
    DecidedBy.DIFFERENT: "read exactly or by algebra",
}


def kind_of(rollout: Rollout) -> Kind:
    """What came of a rollout."""
    if rollout.value is None:
        return _UNDECIDED_BY.get(rollout.decided_by, Kind.UNDECIDABLE)
    if rollout.value:
        return Kind.SOLVED
    return Kind.NO_ANSWER if rollout.decided_by is DecidedBy.NO_ANSWER else Kind.NOT_SOLVED


def told_by(rollout: Rollout) -> str:
    """`by algebra`: how the answers were compared; empty where they were not."""
    return _TOLD.get(rollout.decided_by, "") if rollout.value is not None else ""


def key_of(rollout: Rollout) -> str:
    """What a rollout goes by among those of its arm."""
    return f"{rollout.neighbour_id}/{rollout.sample}"


@dataclass(frozen=True, slots=True)
class Around:
    """The rollouts on one neighbour."""

    neighbour: Neighbour
    solved: int
    decided: int
    undecided: int
    by_kind: tuple[tuple[Kind, tuple[Rollout, ...]], ...]
    """Those that are listed, by kind and sample."""


def grouped(
    rollouts: Sequence[Rollout], neighbours: Sequence[Neighbour], show: Filter = Filter.ALL
) -> tuple[Around, ...]:
    """Rollouts of one arm by neighbour and kind.

    Args:
        rollouts: of one arm in one run.
        neighbours: all of the question's, in their order; those without rollouts are left out.
        show: which rollouts are listed; counts are always of all.
    """
    groups = []
    for neighbour in neighbours:
        own = sorted((one for one in rollouts if one.neighbour_id == neighbour.id), key=lambda one: one.sample)
        if own:
            groups.append(_around(neighbour, own, show))
    return tuple(groups)


def _around(neighbour: Neighbour, own: Collection[Rollout], show: Filter) -> Around:
    decided = [one.value for one in own if one.value is not None]
    kinds = [(kind, tuple(one for one in own if kind_of(one) is kind)) for kind in Kind if show.takes(kind)]
    listed = tuple((kind, found) for kind, found in kinds if found)
    return Around(neighbour, sum(decided), len(decided), len(own) - len(decided), listed)
