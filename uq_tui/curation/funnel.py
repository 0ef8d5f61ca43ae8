"""The funnel in numbers: how many questions came to each stage, fell, wait, and went on; in all, by site, by domain."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from store.curation_rows import StageCount
from uq_tui.curation import paper
from uq_tui.words import CurationStage

STAGES = (CurationStage.RULES, CurationStage.MODEL, CurationStage.REVIEW)
"""Those that questions fall at, in their order."""


@dataclass(frozen=True, slots=True)
class StageSum:
    """One stage. `entered` = those that fell, wait and went on.

    Shares are of those decided there: what fell because a figure is not known, and what waits, is counted apart.

    Attributes:
        stage: which.
        entered: questions that came to it.
        fell: by reason, those whose figures were known.
        unknown: by reason, those that fell because a figure is not known.
        waiting: those that still stand at it.
        undecided: those among them that models were asked about, and too little came of it.
        left: those that went on.
        paper: how many went on in the paper; `None` where it doesn't say.
    """

    stage: CurationStage
    entered: int
    fell: Mapping[str, int]
    unknown: Mapping[str, int]
    waiting: int
    undecided: int
    left: int
    paper: int | None

    @property
    def fallen(self) -> int:
        """All that fell, known or not."""
        return sum(self.fell.values()) + sum(self.unknown.values())

    @property
    def decided(self) -> int:
        """Those that went on, and those that fell by figures that are known."""
        return self.left + sum(self.fell.values())

    @property
    def share(self) -> float | None:
        """What share of those decided went on, 0 to 1; `None` where none is decided."""
        return self.left / self.decided if self.decided else None


@dataclass(frozen=True, slots=True)
class Line:
    """The funnel of one site, one domain, or of all (`name` is ""): what was left after each stage."""

    name: str
    entered: int
    left: Mapping[CurationStage, int]
    paper: Mapping[CurationStage, int]
    """Stages for which the paper says nothing are absent."""


@dataclass(frozen=True, slots=True)
class Funnel:
    """All of it. Sites and domains with most questions come first; "" is what belongs to none that is known."""

    stages: tuple[StageSum, ...]
    sites: tuple[Line, ...]
    domains: tuple[Line, ...]

    @property
    def kept(self) -> int:
        """Questions that have come through."""
        return self.stages[-1].left


def funnel(counts: Iterable[StageCount]) -> Funnel:
    """The funnel that these counts make. Each question is counted at one place of them."""
    all_counts = tuple(counts)
    return Funnel(
        stages=tuple(stage_sum(all_counts, stage) for stage in STAGES),
        sites=_lines(all_counts, lambda one: one.site, _of_site),
        domains=_lines(all_counts, lambda one: one.domain, lambda domain: paper.DOMAINS.get(domain, {})),
    )


def beyond(counts: Iterable[StageCount], stage: CurationStage) -> tuple[StageCount, ...]:
    """Those of the questions that have come through a stage."""
    return tuple(one for one in counts if _depth(one.stage) > _depth(stage))


def stage_sum(counts: Iterable[StageCount], stage: CurationStage) -> StageSum:
    """What became of these questions at a stage."""
    fell: Counter[str] = Counter()
    unknown: Counter[str] = Counter()
    waiting = undecided = left = 0
    for one in counts:
        if _depth(one.stage) > _depth(stage):
            left += one.n
        elif one.stage is stage and one.fell:
            (unknown if one.unknown else fell)[one.fell] += one.n
        elif one.stage is stage:
            waiting += one.n
            undecided += one.n if one.unknown else 0
    entered = left + waiting + fell.total() + unknown.total()
    by_number = dict(fell.most_common()), dict(unknown.most_common())
    return StageSum(stage, entered, *by_number, waiting, undecided, left, paper.STANDING.get(stage))


def _lines(
    counts: Iterable[StageCount],
    name_of: Callable[[StageCount], str],
    paper_of: Callable[[str], Mapping[CurationStage, int]],
) -> tuple[Line, ...]:
    grouped: defaultdict[str, list[StageCount]] = defaultdict(list)
    for one in counts:
        grouped[name_of(one)].append(one)
    lines = [
        Line(
            name,
            sum(one.n for one in own),
            {stage: sum(one.n for one in beyond(own, stage)) for stage in STAGES},
            paper_of(name),
        )
        for name, own in grouped.items()
    ]
    return tuple(sorted(lines, key=lambda line: (-line.entered, line.name)))


def _of_site(site: str) -> Mapping[CurationStage, int]:
    return {CurationStage.REVIEW: paper.SITES[site]} if site in paper.SITES else {}


def _depth(stage: CurationStage) -> int:
    return list(CurationStage).index(stage)
