"""What the rounds of a utility run have brought: its utility rows, and which arms the next round asks."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from store.run_rows import Call, NeighbourValue, Rollout, Utility
from uq_tui.analysis import allocation, independence
from uq_tui.analysis.independence import Sample
from uq_tui.analysis.intervals import mean_of_proportions
from uq_tui.analysis.utility import Rolls, count, estimate
from uq_tui.engine.runs.cbu_arms import CONTROL_ARM, Arm, Plan
from uq_tui.engine.runs.draws import sample_of
from uq_tui.words import Interval


@dataclass(frozen=True, slots=True)
class Record:
    """All completed rounds. Grows by whole rounds only."""

    rollouts: list[Rollout] = field(default_factory=list)
    samples: dict[tuple[str, str], list[Sample]] = field(default_factory=dict)
    """Replies by arm and neighbour."""
    constrained: set[str] = field(default_factory=set)
    """Arms of which a grammar has held a reply that counts, be it the solver's or on what it answered."""

    def add(self, rollouts: Sequence[Rollout], calls: Mapping[str, Call]) -> None:
        """Add a round. `calls` are its calls by key, as far as they were asked for."""
        self.rollouts.extend(rollouts)
        for one in rollouts:
            call = calls.get(one.call_key)
            if call is None:
                continue
            if (drawn := sample_of([call])) is not None:
                self.samples.setdefault((one.candidate_id, one.neighbour_id), []).append(drawn)
            if call.constrained:
                self.constrained.add(one.candidate_id)


def open_arms(plan: Plan, rollouts: Iterable[Rollout]) -> tuple[Arm, ...]:
    """The arms that another round is to ask, by the rollouts of completed ones; none when the run is to stop.

    Without a rule all. With one the candidates that may still be the best by enough to matter, and all controls while
    there are such candidates.
    """
    if plan.rule is None:
        return plan.arms
    rolls = _rolls(plan, rollouts)
    competing = [
        allocation.Arm(arm.key, tuple((one.solved, one.decided) for one in rolls[arm.key])) for arm in plan.candidates
    ]
    found = allocation.standing(competing, epsilon=plan.rule.epsilon, delta=plan.rule.delta)
    going = tuple(arm for arm in plan.candidates if arm.key in found.open)
    return (*going, *plan.controls) if going else ()


def utilities(run_id: str, plan: Plan, record: Record, *, complete: bool) -> list[Utility]:
    """The utility of every candidate by the rounds so far; `complete` says that no round follows.

    Only a fixed number of rollouts has a score interval; whatever is looked at on the way has an anytime one.
    """
    rolls = _rolls(plan, record.rollouts)
    control = rolls[CONTROL_ARM] if any(arm.key == CONTROL_ARM for arm in plan.controls) else []
    placebo = rolls[plan.placebo_id] if plan.placebo_id else []
    placebo_mean = mean_of_proportions([(one.solved, one.decided) for one in placebo])
    interval = Interval.SCORE if complete and plan.rule is None else Interval.ANYTIME
    controls = {arm.key for arm in plan.controls}
    found = []
    for arm in plan.candidates:
        own = rolls[arm.key]
        figures = estimate(own, control, interval=interval)
        found.append(
            Utility(
                run_id=run_id,
                candidate_id=arm.key,
                solver=plan.solver.id,
                mean=figures.utility.value if figures.utility else None,
                low=figures.utility.low if figures.utility else None,
                high=figures.utility.high if figures.utility else None,
                rollouts=plan.rollouts,
                neighbours=_values(plan, record, arm.key, own),
                control=_values(plan, record, CONTROL_ARM, control),
                control_mean=figures.control.value if figures.control else None,
                lift=figures.lift.value if figures.lift else None,
                lift_low=figures.lift.low if figures.lift else None,
                lift_high=figures.lift.high if figures.lift else None,
                complete=complete,
                constrained=bool(record.constrained & {arm.key, *controls}),
                interval=interval,
                stopped_early=complete and any(one.decided + one.undecided < plan.rollouts for one in own),
                placebo=_values(plan, record, plan.placebo_id, placebo),
                placebo_mean=placebo_mean.value if placebo_mean else None,
            )
        )
    return found


def _rolls(plan: Plan, rollouts: Iterable[Rollout]) -> dict[str, list[Rolls]]:
    """Counts by arm, in the neighbours' order."""
    values: dict[tuple[str, str], list[int | None]] = {}
    for one in rollouts:
        values.setdefault((one.candidate_id, one.neighbour_id), []).append(one.value)
    return {
        arm.key: [count(values.get((arm.key, neighbour.id), ())) for neighbour in plan.neighbours] for arm in plan.arms
    }


def _values(plan: Plan, record: Record, key: str, rolls: Sequence[Rolls]) -> tuple[NeighbourValue, ...]:
    """One value a neighbour; none for an arm that isn't there."""
    if not rolls:
        return ()
    draws = [independence.count(record.samples.get((key, one.id), ())) for one in plan.neighbours]
    return tuple(
        NeighbourValue(
            neighbour_id=neighbour.id,
            solved=one.solved,
            decided=one.decided,
            undecided=one.undecided,
            replies=drawn.replies,
            distinct=drawn.distinct,
            cut_off=drawn.cut_off,
            temperature=drawn.temperature,
        )
        for neighbour, one, drawn in zip(plan.neighbours, rolls, draws, strict=True)
    )
