"""Runs that put questions of a pass through the model filter of the funnel.

Unsolved Questions (arXiv 2508.17580v1, section 2.1): one call answers the question, three rate it with that answer. A
call that failed, and a rating that can't be read when asked for twice, bring nothing: no zero, and no answer that could
be found wrong. With too few ratings a question stays undecided, and the next run asks again for what is missing: for
calls that failed as they were, for replies that could not be read as further samples. What has come is remembered.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from prompts.loader import Output, Template, render
from store import curations, questions, ratings, run_pins
from store.curation_rows import CurationAnswer, Rating
from store.identity import candidate_id, now
from store.rows import NewCandidate, Origin
from store.run_rows import Call, Message
from store.workspace import Workspace
from uq_tui.curation.criteria import Judged, Rated, judge
from uq_tui.curation.thresholds import ModelLimits, parse
from uq_tui.engine.judging.conversations import Conversation, converse
from uq_tui.engine.judging.rating_reading import ReadRating, read_rating
from uq_tui.engine.protocol import CandidateAdded, QuestionRated
from uq_tui.engine.requests import MOST_QUESTIONS, CurateRequest, ModelChoice
from uq_tui.engine.runs.draws import warn_at_zero
from uq_tui.engine.runs.pins import (
    epoch_for,
    load_question,
    pin_common,
    pin_model,
    pin_question,
    pinned_model,
    pinned_template,
    template_ref,
)
from uq_tui.engine.runs.replies import CUT, failure, said
from uq_tui.engine.runs.together import all_of
from uq_tui.engine.spec import Ask, RunContext
from uq_tui.errors import UqError
from uq_tui.text import counted
from uq_tui.words import AuthorKind, CallState, CurationStage, Reading, RunKind, TextFormat

ANSWER, RATING, RETRY = "generate.answer", "curate.rating", "retry.rating"


def pin(ws: Workspace, request: CurateRequest) -> tuple[str, dict[str, Any], int]:
    """Title, spec and number of units (questions) of a run.

    Raises:
        NotFoundError: the pass or a question is unknown.
        ConfigError: the rules of the pass can't be read.
        TemplateError: a prompt is malformed.
        UqError: no question or no rater is named, too many questions are, a rater is named twice, or the text of a
            question is not in the workspace.
    """
    curation = curations.get(ws, request.curation_id)
    limits = parse(curation.rules, f"The rules of {curation.name}").model
    ids = list(dict.fromkeys(request.question_ids))
    if not ids:
        raise UqError("No question is named.", hint="The questions that a pass has left after its rules can be rated.")
    if len(ids) > MOST_QUESTIONS:
        raise UqError(
            f"{len(ids):,} questions were named.", hint=f"Name at most {MOST_QUESTIONS:,}; the next run takes the rest."
        )
    raters = [rater.id for rater in request.raters]
    if not raters or len(set(raters)) < len(raters):
        raise UqError(
            "No model rates the questions." if not raters else "A rater is named twice.",
            hint="Name one or more different models that rate; the rules say how often.",
        )
    epoch = epoch_for(ws, RunKind.CURATE, ids, fresh=request.fresh)
    spec = {
        **pin_common(request.model, [ANSWER, RATING, RETRY], epoch),
        "models": [pin_model(model) for model in dict.fromkeys((request.model, *request.raters))],
        "inputs": ids,
        "curation": {"id": curation.id, "name": curation.name},
        "questions": [pin_question(questions.get(ws, key)) for key in ids],
        "raters": [pin_model(rater) for rater in request.raters],
        "temperature": limits.temperature,
        "samples": limits.ratings,
        "draws": _draws(ws, curation.id, ids),
    }
    title = f"{curation.name}: {counted(len(ids), 'question')} answered by {request.model.id}"
    return f"{title}, rated by {', '.join(raters)}", spec, len(ids)


def _draws(ws: Workspace, curation_id: str, question_ids: Sequence[str]) -> dict[str, dict[str, int]]:
    """How often the answer, and each rating, was drawn before without a reply that could be read; those of zero absent.

    Earlier runs count whatever their pass, since their calls are remembered.
    """
    unread = ratings.unread(ws, curation_id)
    earlier = [spec["draws"] for spec in run_pins.about(ws, RunKind.CURATE, question_ids, ["draws"])]
    draws: dict[str, dict[str, int]] = {}
    for key in question_ids:
        before = [pinned.get(key, {}) for pinned in earlier]
        names = {name for one in before for name in one} | unread.get(key, set())
        if names:
            draws[key] = {
                name: max((one.get(name, 0) for one in before), default=0) + (name in unread.get(key, ()))
                for name in sorted(names)
            }
    return draws


@dataclass(frozen=True, slots=True)
class _Sample:
    """One rating after a round."""

    number: int
    conversation: Conversation
    call: Call
    read: ReadRating
    twice: bool = False

    @property
    def state(self) -> Reading:
        if self.call.state is CallState.FAILED:
            return Reading.FAILED
        return Reading.UNPARSED if self.read.rated is None else Reading.READ

    @property
    def reason(self) -> str:
        if self.call.state is CallState.FAILED:
            return failure(self.call)
        return f"{self.read.trouble}{', asked twice' if self.twice else ''}" if self.read.trouble else ""


async def run(ctx: RunContext, ws: Workspace) -> None:
    """Put the pinned questions through the filter side by side. Where each then stands is stored before it is told.

    Raises:
        NotFoundError, UqError: a question is gone, or is no longer what was pinned.
        StoreError: the workspace cannot be read or written.
    """
    curation = await asyncio.to_thread(curations.get, ws, ctx.spec["curation"]["id"])
    limits = parse(curation.rules, f"The rules of {curation.name}").model
    raters = tuple(ModelChoice(one["id"], one["api_base"]) for one in ctx.spec["raters"])
    if limits.ratings > len(raters):
        for rater in raters:
            warn_at_zero(ctx, f"{limits.ratings:,} ratings of each question", rater)
    filtering = _Filtering(ctx, ws, curation.id, limits, raters)
    pinned = ctx.spec["questions"]
    done = 0

    async def one(question: Mapping[str, str]) -> None:
        nonlocal done
        if await asyncio.to_thread(ratings.still_waits, ws, curation.id, question["id"]):
            decided = await filtering.put_through(question)
            ctx.emit(QuestionRated(ctx.run_id, curation.id, question["id"]))
        else:
            decided = True
        done += decided
        await ctx.progress(done, len(pinned))

    await all_of([one(question) for question in pinned])


class _Filtering:
    """Puts questions through the filter, one at a time."""

    def __init__(
        self, ctx: RunContext, ws: Workspace, curation_id: str, limits: ModelLimits, raters: Sequence[ModelChoice]
    ) -> None:
        self._ctx = ctx
        self._ws = ws
        self._curation_id = curation_id
        self._limits = limits
        self._raters = raters
        self._answer = pinned_template(ctx.spec, ANSWER)
        self._rating = pinned_template(ctx.spec, RATING)
        self._retry = pinned_template(ctx.spec, RETRY)

    async def put_through(self, pinned: Mapping[str, str]) -> bool:
        """Have one question answered and rated; whether that decided on it."""
        question_id = pinned["id"]
        question = await asyncio.to_thread(load_question, self._ws, pinned)
        prompt = render(self._answer, {"question": question})
        (call,) = await self._ctx.ask([self._ask_answer(question_id, prompt)])
        answer = self._read_answer(question_id, call)
        new = self._candidate(question_id, prompt, call) if answer.candidate_id is not None else None
        detail = "" if answer.state is Reading.READ else f"undecided: no answer, {answer.reason}"
        waits = await asyncio.to_thread(ratings.save_answer, self._ws, answer, new, detail)
        if waits and answer.candidate_id is not None:
            self._ctx.emit(CandidateAdded(self._ctx.run_id, question_id, answer.candidate_id))
        if not waits or answer.state is not Reading.READ:
            return not waits
        samples = await self._rate(question_id, question, call.reply.strip())
        found = judge([one.read.rated for one in samples if one.read.rated is not None], self._limits)
        await asyncio.to_thread(self._settle, question_id, samples, found)
        return found.decided

    def _drawn(self, question_id: str, name: str) -> int:
        drawn: int = self._ctx.spec["draws"].get(question_id, {}).get(name, 0)
        return drawn

    def _ask_answer(self, question_id: str, prompt: str) -> Ask:
        return Ask(
            model=pinned_model(self._ctx.spec),
            messages=(Message("user", prompt),),
            template=template_ref(self._answer),
            path=f"{question_id}/{ratings.ANSWER}",
            sample=self._drawn(question_id, ratings.ANSWER),
            form=Output(self._answer.output.value),
            temperature=self._ctx.spec["temperature"],
        )

    def _read_answer(self, question_id: str, call: Call) -> CurationAnswer:
        """What became of the answer call. A reply that was cut is kept, and not rated: its end may have held it all."""
        key = candidate_id(question_id, call.reply.strip()) if call.reply.strip() else None
        if call.state is CallState.FAILED:
            state, reason, key = Reading.FAILED, failure(call), None
        elif key is None:
            state, reason = Reading.UNPARSED, "the reply is empty"
        elif call.cut_off:
            state, reason = Reading.UNPARSED, CUT
        else:
            state, reason = Reading.READ, ""
        return CurationAnswer(self._curation_id, question_id, self._ctx.run_id, state, reason, key, call.key, now())

    def _candidate(self, question_id: str, prompt: str, call: Call) -> NewCandidate:
        model = pinned_model(self._ctx.spec).id
        return NewCandidate(
            question_id=question_id,
            answer=call.reply.strip(),
            format=TextFormat.MARKDOWN,
            origin=Origin(AuthorKind.MODEL, model=model, prompt=prompt, source=self._ctx.run_id, call_key=call.key),
            reasoning=call.reasoning,
            cut_off=call.cut_off,
        )

    async def _rate(self, question_id: str, question: str, answer: str) -> list[_Sample]:
        """All ratings, in one round; those that can't be read once more in a second, each in its own conversation."""
        values = {"question": question, "candidate": answer}
        conversation = converse(self._ctx.secret, (), self._rating, values)
        first = await self._round(
            question_id, self._rating, [(number, conversation) for number in range(self._limits.ratings)]
        )
        unread = [one for one in first if one.state is Reading.UNPARSED]
        if not unread:
            return first
        again = await self._round(
            question_id,
            self._retry,
            [
                (
                    one.number,
                    converse(self._ctx.secret, (*one.conversation.messages, said(one.call)), self._retry, {}),
                )
                for one in unread
            ],
            twice=True,
        )
        return [one for one in first if one.state is not Reading.UNPARSED] + again

    async def _round(
        self, question_id: str, template: Template, asked: Sequence[tuple[int, Conversation]], *, twice: bool = False
    ) -> list[_Sample]:
        calls = await self._ctx.ask(
            [
                Ask(
                    model=self._raters[number % len(self._raters)],
                    messages=conversation.messages,
                    template=template_ref(template),
                    path=f"{question_id}/{number}",
                    sample=number + self._limits.ratings * self._drawn(question_id, str(number)),
                    form=conversation.form,
                    tag=conversation.tag,
                )
                for number, conversation in asked
            ]
        )
        return [
            _Sample(number, conversation, call, _read(call, conversation), twice)
            for (number, conversation), call in zip(asked, calls, strict=True)
        ]

    def _settle(self, question_id: str, samples: Sequence[_Sample], found: Judged) -> None:
        rows = [self._row(question_id, one) for one in samples]
        stage = CurationStage.REVIEW if found.decided and found.fell is None else CurationStage.MODEL
        fell = "" if found.fell is None else found.fell.value
        ratings.save_ratings(self._ws, rows, stage, fell, found.detail, decided=found.decided)

    def _row(self, question_id: str, sample: _Sample) -> Rating:
        rated = sample.read.rated
        return Rating(
            curation_id=self._curation_id,
            question_id=question_id,
            sample=sample.number,
            run_id=self._ctx.run_id,
            state=sample.state,
            reason=sample.reason,
            explanation=sample.read.explanation,
            call_key=sample.call.key,
            created_at=now(),
            **_figures(rated),
        )


def _figures(rated: Rated | None) -> dict[str, Any]:
    names = ("answer_correctness", "expert_solvability", "well_defined", "approachable", "objective")
    return {name: None if rated is None else getattr(rated, name) for name in names}


def _read(call: Call, conversation: Conversation) -> ReadRating:
    """What a reply says. One that failed or was cut says nothing: whatever object is in it may have been a draft."""
    if call.state is CallState.FAILED:
        return ReadRating(trouble=failure(call))
    if call.cut_off:
        return ReadRating(trouble=CUT)
    return read_rating(call.reply, conversation.tag)
