"""Validators beside people, by who wrote the answers: what each passed, how far they agree, whose reasoning is sound.

These are the columns of the table on human verification in the UQ paper (arXiv 2508.17580v1): passed by the validator,
passed by people, agreement, Cohen's kappa, and the accuracy of the validator's trace.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from store import evaluation
from store.opinions import Said
from store.traces import StageTrace, Trace
from store.workspace import Workspace
from uq_tui.analysis.agreement_figures import MOST_INTERVALS, Measured, kappa_of, share_of
from uq_tui.analysis.cases import Answer, Case, Group, Validator, by_author, grouped
from uq_tui.analysis.truth import standing
from uq_tui.state.reports.insights import judgements_of, named_authors, validators_by_run
from uq_tui.words import Soundness

EVERYBODY = "all answers"
NO_TRACE = "no second pass says whether its reasoning is sound"
NOTHING_COMMON = "nothing was decided by both"


@dataclass(frozen=True, slots=True)
class Beside:
    """A validator beside people, on the answers of one author."""

    number: int
    """The validator's, from 1."""
    strategy: str
    models: tuple[str, ...]
    author: str
    """Who wrote the answers; `EVERYBODY` for all of them together."""
    n: int
    """Answers that both decided."""
    passed_validator: int
    passed_people: int
    undecided: int
    """Answers that people judged and the validator too, where one of both decides nothing."""
    agreement: Measured
    kappa: Measured
    traces: Measured
    """Share of second passes that find the reasoning of every stage that they judge sound."""
    traces_unsure: int
    """Second passes that are sure of no stage."""


def beside(
    ws: Workspace, said: Mapping[str, Said], traces: Iterable[Trace], *, borderline_correct: bool
) -> tuple[tuple[Beside, ...], tuple[Group, ...]]:
    """Every validator beside what people say of candidates; also the cases behind it.

    Args:
        ws: where outcomes are read.
        said: by candidate, the verdicts that count.
        traces: second passes on any candidates.
        borderline_correct: what borderline correct counts as.
    """
    judged = [one for one in judgements_of(ws) if one.candidate_id in said]
    keys = dict.fromkeys(one.candidate_id for one in judged)
    authors = evaluation.authors(ws, keys)
    answers = [
        Answer(
            key,
            named_authors(authors.get(key, ())),
            standing((one.label for one in said[key].deciding), borderline_correct=borderline_correct),
        )
        for key in keys
    ]
    groups = tuple(grouped(judged, answers))
    passes = _Passes(ws, traces)
    cells = [
        (group, author, cases)
        for group in groups
        for author, cases in ((EVERYBODY, group.cases), *sorted(by_author(group.cases).items()))
    ]
    largest = frozenset(sorted(range(len(cells)), key=lambda place: -len(cells[place][2]))[:MOST_INTERVALS])
    rows = (_beside(*cell, passes, interval=place in largest) for place, cell in enumerate(cells))
    return tuple(row for row in rows if row.n or row.traces.n), groups


class _Passes:
    """Second passes on the reasoning of validators."""

    def __init__(self, ws: Workspace, traces: Iterable[Trace]) -> None:
        self._traces = defaultdict[str, list[Trace]](list)
        for trace in traces:
            self._traces[trace.candidate_id].append(trace)
        self._validators = validators_by_run(ws) if self._traces else {}

    def on(self, candidate_id: str, validator: Validator) -> Iterator[bool | None]:
        """Of each second pass that judges the validator's reasoning whether it is sound; `None` where it isn't sure."""
        for trace in self._traces.get(candidate_id, ()):
            found = {stage.sound for stage in trace.stages if self._is_of(stage, validator)}
            if found:
                yield None if found == {Soundness.UNSURE} else Soundness.UNSOUND not in found

    def _is_of(self, stage: StageTrace, validator: Validator) -> bool:
        """Whether a stage is the validator's: by its run, or by the strategy's name where the run isn't here."""
        known = self._validators.get(stage.run_id)
        return stage.strategy == validator.strategy if known is None else known == validator


def _beside(group: Group, author: str, cases: Sequence[Case], passes: _Passes, *, interval: bool) -> Beside:
    measured = [case for case in cases if case.labelled and case.decided]
    table = Counter((case.accepted, case.correct) for case in measured)
    sound = [one for case in cases for one in passes.on(case.answer.candidate_id, group.validator)]
    n, same = len(measured), table[True, True] + table[False, False]
    sure = [one for one in sound if one is not None]
    return Beside(
        number=group.number,
        strategy=group.validator.strategy,
        models=group.validator.models,
        author=author,
        n=n,
        passed_validator=table[True, True] + table[True, False],
        passed_people=table[True, True] + table[False, True],
        undecided=len(cases) - n,
        agreement=share_of(same, n, NOTHING_COMMON, interval=interval),
        kappa=kappa_of(table, interval=interval),
        traces=share_of(sum(sure), len(sure), NO_TRACE, interval=interval),
        traces_unsure=len(sound) - len(sure),
    )
