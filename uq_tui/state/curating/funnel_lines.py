"""The funnel as it is read: lines of counts in sections, each with the questions it counts and the paper's figures."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from store.curation_rows import StageCount
from store.sites import name_of
from uq_tui.curation.funnel import beyond, stage_sum
from uq_tui.state.curating import papers
from uq_tui.state.curating.papers import Theirs
from uq_tui.words import Criterion, CurationStage, QuestionDecision, Rule

STAGES = tuple(CurationStage)
NO_SITE = "no site known"
NO_DOMAIN = "no domain known"
REASONS = {QuestionDecision.REJECT.value: "rejected"}
"""Reasons to fall whose names are no words for it."""

Counts = Sequence[StageCount]


@dataclass(frozen=True, slots=True, order=True)
class Spot:
    """Questions of one site at one place of the funnel. `fell` is "" for those that stand there."""

    stage: CurationStage
    fell: str
    unknown: bool
    site: str


@dataclass(frozen=True, slots=True)
class FunnelLine:
    """One line.

    `of` is how many `n` is a share of; `None` where it is a share of nothing. The paper's are `None` where it gives
    none.
    """

    key: str
    label: str
    n: int
    of: int | None
    spots: tuple[Spot, ...]
    """Where its questions are."""
    paper_n: int | None = None
    paper_of: int | None = None
    depth: int = 0


@dataclass(frozen=True, slots=True)
class FunnelSection:
    """Lines under a title. `about` says what they count."""

    title: str
    about: str
    lines: tuple[FunnelLine, ...]


def sections(counts: Counts) -> tuple[FunnelSection, ...]:
    """What a curation's counts come to; nothing where there are none."""
    if not counts:
        return ()
    shown = (
        FunnelSection(
            "Stages",
            "Shares are of those decided at a stage; the paper's, of all that came to it.",
            tuple(_stages(counts, "all", "looked at", papers.WHOLE)),
        ),
        FunnelSection(
            "Fell at the rules",
            "Each by the first rule it broke. The paper has no such counts.",
            tuple(_reasons(counts, CurationStage.RULES, Rule)),
        ),
        FunnelSection(
            "Fell at the models",
            "Each by the first criterion missed. The paper has no such counts.",
            tuple(_reasons(counts, CurationStage.MODEL, Criterion)),
        ),
        FunnelSection("Fell at people", "", tuple(_reasons(counts, CurationStage.REVIEW, REASONS))),
        FunnelSection("By domain", "", tuple(_domains(counts))),
        FunnelSection("By site", "The paper gives what was kept of a site.", tuple(_sites(counts))),
    )
    return tuple(one for one in shown if one.lines)


def _stages(counts: Counts, key: str, head: str, theirs: Theirs) -> Iterator[FunnelLine]:
    """What was looked at and what has come through each stage, with what isn't decided there."""
    yield _line(f"{key} looked_at", head, counts, None, paper=(theirs.looked_at, None))
    under = (
        (CurationStage.RULES, "passed the rules", (theirs.rules, theirs.looked_at)),
        (CurationStage.MODEL, "passed the models", (theirs.model, theirs.rules)),
        (CurationStage.REVIEW, "kept by people", (theirs.kept, theirs.model)),
    )
    for stage, label, paper in under:
        passed, decided = beyond(counts, stage), stage_sum(counts, stage).decided
        yield _line(f"{key} {stage}", label, passed, decided, paper=paper, depth=1)
        yield from _undecided(counts, key, stage)


def _undecided(counts: Counts, key: str, stage: CurationStage) -> Iterator[FunnelLine]:
    """Those at a stage of which something isn't known, or not yet."""
    here = [one for one in counts if one.stage is stage]
    parts: tuple[tuple[str, str, Callable[[StageCount], bool]], ...] = {
        CurationStage.RULES: (
            ("unknown", "fell, figure unknown", lambda one: bool(one.fell) and one.unknown),
            ("waiting", "rules not applied yet", lambda one: not one.fell),
        ),
        CurationStage.MODEL: (
            ("unknown", "undecided, few ratings", lambda one: not one.fell and one.unknown),
            ("waiting", "not asked yet", lambda one: not one.fell and not one.unknown),
        ),
        CurationStage.REVIEW: (("waiting", "wait for a person", lambda one: not one.fell),),
    }[stage]  # fmt: skip
    for name, label, holds in parts:
        if found := [one for one in here if holds(one)]:
            yield _line(f"{key} {stage} {name}", label, found, None, depth=2)


# By reason


def _reasons(counts: Counts, stage: CurationStage, known: Iterable[str]) -> Iterator[FunnelLine]:
    """By reason in the order in which they are looked at; those of other programs' rules last."""
    fell, of = _fell(counts, stage), stage_sum(counts, stage).decided
    there = {one.fell for one in fell}
    ordered = [str(one) for one in known if str(one) in there]
    for reason in (*ordered, *sorted(there.difference(ordered))):
        found = [one for one in fell if one.fell == reason]
        label = REASONS.get(reason, reason.replace("_", " "))
        if known_figure := [one for one in found if not one.unknown]:
            yield _line(f"{stage} {reason}", label, known_figure, of)
        if unknown := [one for one in found if one.unknown]:
            yield _line(f"{stage} {reason} unknown", f"{label}, figure unknown", unknown, None)


# By where it is from


def _domains(counts: Counts) -> Iterator[FunnelLine]:
    """All of the paper's, then others, then those without any."""
    there = {one.domain for one in counts}
    others = sorted(there.difference(papers.DOMAINS, ("",)))
    for domain in (*papers.DOMAINS, *others, *(("",) if "" in there else ())):
        own = [one for one in counts if one.domain == domain]
        yield from _stages(own, f"domain {domain}", domain or NO_DOMAIN, papers.DOMAINS.get(domain, papers.UNTOLD))


def _sites(counts: Counts) -> Iterator[FunnelLine]:
    """Those with the most questions first."""
    there: dict[str, list[StageCount]] = {}
    for one in counts:
        there.setdefault(one.site, []).append(one)
    for site, own in sorted(there.items(), key=lambda found: (-_n(found[1]), found[0])):
        yield from _stages(own, f"site {site}", name_of(site) or site or NO_SITE, papers.SITES.get(site, papers.UNTOLD))


# Counting


def _line(
    key: str,
    label: str,
    found: Counts,
    of: int | None,
    *,
    paper: tuple[int | None, int | None] = (None, None),
    depth: int = 0,
) -> FunnelLine:
    spots = tuple(sorted({Spot(one.stage, one.fell, one.unknown, one.site) for one in found if one.n}, key=_in_order))
    return FunnelLine(key, label, _n(found), of, spots, *paper, depth)


def _in_order(spot: Spot) -> tuple[int, str, str, bool]:
    return STAGES.index(spot.stage), spot.fell, spot.site, spot.unknown


def _n(counts: Counts) -> int:
    return sum(one.n for one in counts)


def _fell(counts: Counts, stage: CurationStage) -> list[StageCount]:
    return [one for one in counts if one.stage is stage and one.fell]
