"""The tabs of Insights: a report is one entry here, and so on the screen, in files and in `uq-tui report plots`."""

from collections.abc import Iterator, Sequence

from uq_tui.state.reports import (
    agreement,
    agreement_plots,
    agreement_tables,
    consensus,
    consensus_tables,
    insights,
    standing,
    standing_tables,
    utility_insights,
    utility_tables,
    validator_plots,
    work,
    work_tables,
)
from uq_tui.state.reports.agreement import AgreementFindings
from uq_tui.state.reports.consensus import ConsensusFindings
from uq_tui.state.reports.insight_tables import CONFUSION, DECISIONS, FAILING, NOTHING_YET, WHAT_TO_DO, intro, sections
from uq_tui.state.reports.insights import Findings
from uq_tui.state.reports.page import Page, Part, Words
from uq_tui.state.reports.plots import Drawing
from uq_tui.state.reports.standing import StandingFindings
from uq_tui.state.reports.tab import AnyTab, Option, Tab
from uq_tui.state.reports.utility_insights import UtilityFindings
from uq_tui.state.reports.utility_plots import calibration_plot, convergence_plot, separation_plot
from uq_tui.state.reports.work import Work
from uq_tui.state.reviewing.blind import LeftOut

AGREEMENT, CONSENSUS = "agreement", "consensus"
"""The tabs from which conflicts are opened."""


def _validators(found: Findings) -> Iterator[Part]:
    report = found.report
    if not report.validators:
        yield _nothing(NOTHING_YET, found.left_out, WHAT_TO_DO)
        return
    yield Words(intro(found))
    beside = {
        DECISIONS: _drawn(validator_plots.balanced_plot(report.validators)),
        CONFUSION: validator_plots.confusion_plots(report.validators),
        FAILING: _drawn(validator_plots.failing_plot(report)),
    }
    for section in sections(report):
        yield section
        yield from beside.get(section.title, ())


def _utility(found: UtilityFindings) -> Iterator[Part]:
    if found.left_out.lines:
        yield Words(found.left_out.lines)
    if found.selection.qualities:
        yield Words(utility_tables.selection_intro(found.selection))
        yield from utility_tables.selection_sections(found.selection)
        yield from _drawn(separation_plot(found.selection))
    else:
        yield Words((utility_tables.NO_SCORES, "", *utility_tables.WHAT_TO_DO))
    if found.convergence.curves:
        yield Words(utility_tables.convergence_intro(found.convergence), "How fast scores settle")
        yield from _drawn(convergence_plot(found.convergence))
        yield from utility_tables.convergence_sections(found.convergence)
    if found.combined.calibrated:
        yield Words(utility_tables.combined_intro(found.combined), "Utility together with a judge")
        yield from _drawn(calibration_plot(found.combined))
        yield from utility_tables.combined_sections(found.combined)


def _agreement(found: AgreementFindings) -> Iterator[Part]:
    if not found.counts.verdicts:
        yield _nothing(agreement_tables.NOTHING_YET, found.left_out, agreement_tables.WHAT_TO_DO)
        return
    yield Words(agreement_tables.intro(found))
    kappa = _drawn(agreement_plots.kappa_plot(found.pairs, found.people))
    beside = {
        agreement_tables.OVERALL: _drawn(agreement_plots.overall_plot(found.overall)),
        agreement_tables.PAIRS: (*kappa, *agreement_plots.label_plots(found.pairs, found.people)),
        agreement_tables.GOLD: _drawn(agreement_plots.gold_plot(found.gold, found.people)),
    }
    for section in agreement_tables.sections(found):
        yield section
        yield from beside.get(section.title, ())


def _consensus(found: ConsensusFindings) -> Iterator[Part]:
    if not found.rows:
        yield _nothing(agreement_tables.NOTHING_YET, found.left_out, agreement_tables.WHAT_TO_DO)
        return
    yield Words(consensus_tables.intro(found))
    for section in consensus_tables.sections(found):
        yield section
        if section.title == consensus_tables.STANDINGS:
            yield from _drawn(consensus_tables.standings_plot(found))


def _standing(found: StandingFindings) -> Iterator[Part]:
    if standing_tables.is_empty(found):
        yield _nothing(standing_tables.NOTHING_YET, found.left_out, standing_tables.WHAT_TO_DO)
        return
    yield Words(standing_tables.intro(found))
    beside = {
        standing_tables.RANKING: _drawn(standing_tables.ranking_plot(found)),
        standing_tables.MOVED: _drawn(standing_tables.moved_plot(found)),
    }
    for section in standing_tables.sections(found):
        yield section
        yield from beside.get(section.title, ())


def _work(found: Work) -> Iterator[Part]:
    if not (found.models or found.people):
        yield _nothing(work_tables.NOTHING_YET, found.left_out, work_tables.WHAT_TO_DO)
        return
    yield Words(work_tables.intro(found))
    beside = {
        work_tables.MODELS: (*_drawn(work_tables.cost_plot(found)), *_drawn(work_tables.token_plot(found))),
        work_tables.WEEKS: _drawn(work_tables.week_plot(found)),
    }
    for section in work_tables.sections(found):
        yield section
        yield from beside.get(section.title, ())


def _nothing(why: str, left_out: LeftOut, to_do: Sequence[str]) -> Words:
    """Why there is nothing to report, and what to do about it."""
    return Words((why, "", *left_out.lines, *to_do))


def _drawn(plot: Drawing | None) -> Sequence[Drawing]:
    return () if plot is None else (plot,)


TABS: tuple[AnyTab, ...] = (
    Tab(
        "validators",
        "Validators",
        insights.Wanted,
        lambda ws, wanted, _reviewer_id, left_out: insights.read(ws, wanted, left_out),
        insights.record_shown,
        lambda found: Page(tuple(_validators(found))),
        {Option.LABELS: insights.other_labels, Option.BORDERLINE: insights.other_borderline},
    ),
    Tab(
        "utility",
        "Utility",
        utility_insights.at_first,
        lambda ws, wanted, _reviewer_id, left_out: utility_insights.read(ws, wanted, left_out),
        utility_insights.record_shown,
        lambda found: Page(tuple(_utility(found))),
        {
            Option.LABELS: utility_insights.next_labels,
            Option.BORDERLINE: utility_insights.other_borderline,
            Option.UNIT: utility_insights.next_unit,
            Option.REFERENCE: utility_insights.other_reference,
        },
    ),
    Tab(
        AGREEMENT,
        "Agreement",
        agreement.Wanted,
        agreement.read,
        agreement.record_shown,
        lambda found: Page(tuple(_agreement(found))),
        {Option.BORDERLINE: agreement.other_borderline},
        agreement.restricted,
    ),
    Tab(
        CONSENSUS,
        "Consensus",
        consensus.Wanted,
        consensus.read,
        lambda ws, reviewer_id, found, where: consensus.record_shown(ws, reviewer_id, found, where, rows=False),
        lambda found: Page(tuple(_consensus(found))),
        {Option.METHOD: consensus.other_method, Option.BORDERLINE: agreement.other_borderline},
        agreement.restricted,
    ),
    Tab(
        "standing",
        "Standing",
        agreement.Wanted,
        standing.read,
        standing.record_shown,
        lambda found: Page(tuple(_standing(found))),
        {Option.BORDERLINE: agreement.other_borderline},
        agreement.restricted,
    ),
    Tab(
        "work",
        "Work",
        lambda: None,
        lambda ws, _wanted, reviewer_id, left_out: work.read(ws, reviewer_id, left_out),
        lambda *_given: None,  # counts of calls and verdicts tell nothing of single candidates
        lambda found: Page(tuple(_work(found))),
    ),
)
