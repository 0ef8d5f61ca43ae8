"""The arms of a utility run, as pinned: with which example each solves the neighbours, and what it is asked.

Candidates compete. The controls beside them show what solving owes to the candidate: one goes without an example, the
other, the placebo, has another question with a candidate to that one.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from prompts.loader import Output, Template
from store import neighbours
from store.rows import Neighbour
from store.run_rows import Message
from store.workspace import Workspace
from uq_tui.engine.judging.conversations import Conversation, converse
from uq_tui.engine.requests import ModelChoice
from uq_tui.engine.runs.pins import load_candidate, load_question, pinned_model, pinned_template, template_ref
from uq_tui.engine.spec import Ask
from uq_tui.engine.verification import equivalence
from uq_tui.errors import UqError

ROLLOUT, FENCED, CONTROL = "cbu.rollout", "cbu.rollout_fenced", "cbu.control"
CONTROL_ARM = ""
"""Candidate id of rollouts without an example."""


@dataclass(frozen=True, slots=True)
class Arm:
    """One way of asking. `key` is the id of the candidate that is the example; `prompts` has one for each neighbour."""

    key: str
    template: Template
    prompts: Mapping[str, tuple[Message, ...]]


@dataclass(frozen=True, slots=True)
class Rule:
    """When candidates are told apart well enough to stop (see `analysis.allocation.standing`)."""

    epsilon: float
    delta: float


@dataclass(frozen=True, slots=True)
class Comparing:
    """How a model is asked whether two answers are equal."""

    model: ModelChoice
    template: Template
    ending: Template
    secret: bytes

    def ask(self, arm: Arm, neighbour: Neighbour, round_: int, answer: str) -> tuple[Conversation, Ask]:
        """What is asked of one answer. Equal answers to a neighbour are asked about once."""
        asked = equivalence.equivalence(
            self.secret,
            self.template,
            self.ending,
            statement=neighbour.statement.strip(),
            expected=neighbour.answer,
            answer=answer,
        )
        path = f"{_path(neighbour, round_)}/equivalence"
        ref = template_ref(self.template)
        return asked, Ask(self.model, asked.messages, ref, arm.key, path, form=asked.form, tag=asked.tag)


@dataclass(frozen=True, slots=True)
class Plan:
    """All that is pinned, with its texts. `rollouts` is how many each arm makes on each neighbour at most."""

    solver: ModelChoice
    neighbours: tuple[Neighbour, ...]
    candidates: tuple[Arm, ...]
    controls: tuple[Arm, ...]
    placebo_id: str
    """Key of the placebo arm; "" where there is none."""
    rollouts: int
    rule: Rule | None
    comparing: Comparing | None

    @property
    def arms(self) -> tuple[Arm, ...]:
        """Candidates, then controls."""
        return (*self.candidates, *self.controls)

    def units(self, arms: Sequence[Arm]) -> Iterator[tuple[Arm, Neighbour]]:
        """What a round asks of these arms: each on every neighbour."""
        return ((arm, neighbour) for arm in arms for neighbour in self.neighbours)

    def ask(self, arm: Arm, neighbour: Neighbour, round_: int) -> Ask:
        """One rollout. It is the solver's sample number `round_`, also where the arm sat out a round before."""
        return Ask(
            model=self.solver,
            messages=arm.prompts[neighbour.id],
            template=template_ref(arm.template),
            candidate_id=arm.key,
            path=_path(neighbour, round_),
            sample=round_,
            form=Output(arm.template.output.value),
        )


def _path(neighbour: Neighbour, round_: int) -> str:
    return f"{neighbour.id}/{round_}"


def load(spec: Mapping[str, Any], ws: Workspace, secret: bytes) -> Plan:
    """The plan that a spec has pinned. Specs of earlier versions lack what those couldn't do.

    Raises:
        NotFoundError, UqError: an input is gone, or is no longer what was pinned.
        TemplateError: a pinned prompt can't be read by this version.
    """
    used = _used(spec, ws)
    question = load_question(ws, spec["question"])
    example = pinned_template(spec, FENCED if spec.get("fenced") else ROLLOUT)

    def arm(key: str, template: Template, texts: Mapping[str, str]) -> Arm:
        return Arm(key, template, {one.id: _prompt(secret, template, texts, one) for one in used})

    candidates = tuple(
        arm(pinned["id"], example, {"question": question, "candidate": load_candidate(ws, pinned)})
        for pinned in spec["candidates"]
    )
    controls = [arm(CONTROL_ARM, pinned_template(spec, CONTROL), {})] if spec["control"] else []
    placebo = spec.get("placebo")
    if placebo:
        texts = {
            "question": load_question(ws, placebo["question"]),
            "candidate": load_candidate(ws, placebo["candidate"]),
        }
        controls.append(arm(placebo["candidate"]["id"], example, texts))
    rule = spec.get("adaptive")
    return Plan(
        solver=pinned_model(spec),
        neighbours=used,
        candidates=candidates,
        controls=tuple(controls),
        placebo_id=placebo["candidate"]["id"] if placebo else "",
        rollouts=spec["rollouts"],
        rule=Rule(rule["epsilon"], rule["delta"]) if rule else None,
        comparing=_comparing(spec, secret),
    )


def _used(spec: Mapping[str, Any], ws: Workspace) -> tuple[Neighbour, ...]:
    """The pinned neighbours, also those that were set aside since."""
    around = {one.id: one for one in neighbours.of_question(ws, spec["question_id"])}
    gone = [key for key in spec["neighbour_ids"] if key not in around]
    if gone:
        raise UqError(f"Neighbour {gone[0]} of this run is no longer in the workspace.", hint="Start a new run.")
    return tuple(around[key] for key in spec["neighbour_ids"])


def _prompt(secret: bytes, template: Template, texts: Mapping[str, str], neighbour: Neighbour) -> tuple[Message, ...]:
    return converse(secret, (), template, {**texts, "neighbour": neighbour.statement.strip()}).messages


def _comparing(spec: Mapping[str, Any], secret: bytes) -> Comparing | None:
    pinned = spec.get("equivalence")
    if not pinned:
        return None
    template, ending = (pinned_template(spec, name) for name in (equivalence.TEMPLATE, equivalence.ENDING))
    return Comparing(ModelChoice(pinned["id"], pinned["api_base"]), template, ending, secret)
