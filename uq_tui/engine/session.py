"""The engine of one process: starts, resumes and ends runs, and is the boundary where their errors are reported."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from store import imported_runs, marks, runs
from store.identity import uuid7
from store.run_rows import Run
from store.workspace import Workspace
from uq_tui.config import Config, Sampling
from uq_tui.engine.calls.attention import Attention
from uq_tui.engine.calls.budget import Budget, Use
from uq_tui.engine.calls.caller import Caller, RunCalls
from uq_tui.engine.calls.live_text import LiveText
from uq_tui.engine.calls.providers import Models
from uq_tui.engine.calls.run_meter import RunMeter
from uq_tui.engine.jobs import JOBS, KINDS
from uq_tui.engine.leases import Leases
from uq_tui.engine.models import ModelKind, kind_of
from uq_tui.engine.protocol import EngineProblem, Event, RunFinished, RunStarted
from uq_tui.engine.requests import ModelChoice, Request
from uq_tui.engine.run_report import report
from uq_tui.engine.spec import RunContext
from uq_tui.errors import RunHeldError, UqError
from uq_tui.words import RunState

log = logging.getLogger(__name__)

_OPEN = (RunState.QUEUED, RunState.RUNNING, RunState.INTERRUPTED)


@dataclass(slots=True)
class _Active:
    """A run under way. `stopped_as` is the state it ends in when its task is cancelled; `None` while it may go on."""

    run: Run
    meter: RunMeter
    task: asyncio.Task[None] | None = None
    stopped_as: RunState | None = None
    taken: bool = False
    """Another process has the run now: nothing more is written about it."""
    ending: bool = False
    """The work is over and its end is being recorded, which is not to be cut short."""

    @property
    def goes_on(self) -> bool:
        """Whether nothing has ended the work yet."""
        return self.stopped_as is None and not self.ending

    def stop(self, state: RunState) -> None:
        """Cancel the work, once."""
        if self.task is not None and self.goes_on:
            self.stopped_as = state
            self.task.cancel()


class EngineSession:
    """Runs jobs on one event loop. What an event reports is in the store before the event is emitted.

    Args:
        ws: the workspace, which stays open until `close` has returned.
        config: the user's settings.
        emit: takes events; called on the loop, must not block.
        log: the file that this process logs to, for messages about unexpected errors.
        owner: who holds the claims on runs; empty for a new name. A process that replaces a dead one may use its
            name to continue its runs at once.
        audience: somebody may watch calls; only then are replies streamed.
    """

    def __init__(
        self,
        ws: Workspace,
        config: Config,
        emit: Callable[[Event], None],
        *,
        log: Path,
        owner: str = "",
        audience: bool = False,
    ) -> None:
        self._ws = ws
        self._config = config
        self._emit = emit
        self._log = log
        self._models = Models(config, ws.path)
        self._attention = Attention(audience=audience)
        self._caller = Caller(
            ws,
            emit,
            provider=self._models.resolve,
            limits=self._models.limits,
            live=LiveText(emit),
            attention=self._attention,
        )
        self._leases = Leases(ws, owner or f"{os.getpid()}-{uuid7()}", self._stop_taken)
        self._active: dict[str, _Active] = {}
        self._starting = asyncio.Lock()
        self._closing = False

    async def warm_up(self) -> None:
        """Start what takes seconds before the first call needs it. Raises ModelError when it cannot be started."""
        await self._models.warm_up()

    async def start(
        self, ticket: str, request: Request, *, budget_usd: float | None = None, budget_tokens: int | None = None
    ) -> str:
        """Start a run and return its id. `ticket` comes back in `RunStarted`.

        Args:
            ticket: the caller's name for this command.
            request: what to do.
            budget_usd, budget_tokens: what the run may use at most; `None` leaves it to the configuration.

        Raises:
            UqError: the request names something that doesn't exist, or nothing can be started any more.
        """
        kind = KINDS[type(request)]
        async with self._starting:  # what is pinned depends on the runs that are there: sample indices, epochs
            self._refuse_when_closing()
            title, spec, total = await asyncio.to_thread(JOBS[kind].pin, self._ws, request)
            models = spec.get("models", [{"id": request.model.id}])
            spec = {**spec, "sampling": self._sampling_of(models, spec.get("usual_sampling", {}))}
            create = partial(runs.create, budget_usd=budget_usd, budget_tokens=budget_tokens)
            run = await asyncio.to_thread(create, self._ws, kind, title, spec, total)
            async with self._claimed(run.id):
                await self._launch(run, ticket)
        return run.id

    async def resume(self, run_id: str, *, budget_usd: float | None = None, budget_tokens: int | None = None) -> None:
        """Run a run again: what it has done comes from the store. One that is under way here goes on.

        A budget that is given replaces the run's own.

        Raises:
            NotFoundError: no such run.
            RunHeldError: another process works on it, or nothing can be started any more.
            UqError: it was made elsewhere and came in a file.
        """
        async with self._starting:
            self._refuse_when_closing()
            active = self._active.get(run_id)
            if active is not None:
                if active.goes_on:
                    return
                await self._end_of(active)
            if imported_runs.is_imported(await asyncio.to_thread(runs.get, self._ws, run_id)):
                raise UqError(
                    f"Run {run_id} came in a file; what it asked is not here, so there is nothing to go on with.",
                    hint="`uq-tui validate` judges its candidates anew.",
                )
            budget = partial(runs.set_budget, self._ws, run_id, usd=budget_usd, tokens=budget_tokens)
            async with self._claimed(run_id):
                await asyncio.to_thread(marks.count_left, self._ws, run_id)
                await asyncio.to_thread(budget)
                await self._launch(await asyncio.to_thread(runs.get, self._ws, run_id), "")

    async def resume_interrupted(self) -> tuple[str, ...]:
        """Resume all runs that were cut short and that no process holds; returns their ids.

        Runs that the user has stopped, by Ctrl-C in a command, wait to be resumed by name.
        """
        resumed = []
        for run in await asyncio.to_thread(self._cut_short):
            if run.id in self._active:
                continue
            try:
                await self.resume(run.id)
            except RunHeldError:
                continue  # another process was faster
            resumed.append(run.id)
        return tuple(resumed)

    def _cut_short(self) -> tuple[Run, ...]:
        """What nobody holds, and what a process of the same name held that is dead now."""
        return (*runs.held_by(self._ws, self._leases.owner), *runs.cut_short(self._ws))

    async def cancel(self, run_id: str) -> None:
        """End a run for good; returns when it has ended. A finished run is left as it is.

        Raises:
            NotFoundError: no such run.
            RunHeldError: another process works on it.
        """
        async with self._starting:
            active = self._active.get(run_id)
            if active is None:
                await self._cancel_idle(run_id)
        if active is not None:
            await self._stop(active, RunState.CANCELLED)

    async def _cancel_idle(self, run_id: str) -> None:
        run = await asyncio.to_thread(runs.get, self._ws, run_id)
        if run.state not in _OPEN:
            return
        message = report(run.kind, RunState.CANCELLED, done=run.done, total=run.total, failures=(), repeated=0)
        async with self._claimed(run_id):
            await asyncio.to_thread(runs.set_state, self._ws, run_id, RunState.CANCELLED, message)
            await self._leases.release(run_id)
        self._emit(RunFinished(run_id, RunState.CANCELLED, message))

    def watch(self, call_key: str) -> None:
        """Emit this call's text as it comes, the text so far first; nothing when it is not in flight."""
        self._caller.watch(call_key)

    def unwatch(self, call_key: str) -> None:
        """Emit no more of this call's text."""
        self._caller.unwatch(call_key)

    async def wait(self, run_id: str) -> Run:
        """Wait until a run has ended here; the run as it is stored. Raises NotFoundError."""
        active = self._active.get(run_id)
        if active is not None:
            await self._end_of(active)
        return await asyncio.to_thread(runs.get, self._ws, run_id)

    async def close(self, *, leave_as: RunState = RunState.INTERRUPTED) -> None:
        """Stop all runs so that they can be resumed, then close providers and local servers.

        Args:
            leave_as: the state of the stopped runs; `QUEUED` leaves them to whoever next looks for what was cut short.
        """
        async with self._starting:
            self._closing = True
        await asyncio.gather(*(self._stop(active, leave_as) for active in tuple(self._active.values())))
        await self._leases.close()
        await self._models.close()

    def _refuse_when_closing(self) -> None:
        if self._closing:
            raise RunHeldError("The engine is closing and starts nothing more.")

    @asynccontextmanager
    async def _claimed(self, run_id: str) -> AsyncIterator[None]:
        """Claim a run. When the block fails the claim is left to run out, so that the run can be tried again."""
        if not await self._leases.claim(run_id):
            raise RunHeldError(
                f"Another uq-tui works on run {run_id}.",
                hint=f"Let it finish there. After a crash its claim lasts {runs.LEASE_SECONDS:.0f} seconds.",
            )
        try:
            yield
        except BaseException:
            self._leases.forget(run_id)
            raise

    async def _launch(self, run: Run, ticket: str) -> None:
        used = await asyncio.to_thread(marks.used, self._ws, run.id)
        budget = Budget(
            self._config.budget_usd if run.budget_usd is None else run.budget_usd,
            self._config.budget_tokens if run.budget_tokens is None else run.budget_tokens,
            Use(used.usd, used.tokens),
        )
        active = _Active(run, RunMeter(self._ws, run, self._emit, budget=budget))
        self._attention.began(run.id)
        self._active[run.id] = active
        active.task = asyncio.create_task(self._conduct(active, ticket))
        await asyncio.sleep(0)  # a task that is cancelled before its first step would end without a word

    async def _stop(self, active: _Active, state: RunState) -> None:
        active.stop(state)
        await self._end_of(active)

    async def _end_of(self, active: _Active) -> None:
        if active.task is not None:
            await asyncio.wait({active.task})

    def _stop_taken(self, run_id: str) -> None:
        active = self._active.get(run_id)
        if active is not None:
            active.taken = True
            active.stop(RunState.INTERRUPTED)

    async def _conduct(self, active: _Active, ticket: str) -> None:
        """Run one job to its end, whatever that is: the one place where a run's errors are reported."""
        run = active.run
        trouble = ""
        try:
            await asyncio.to_thread(runs.set_state, self._ws, run.id, RunState.RUNNING)
            self._emit(RunStarted(ticket, run.id, run.kind, run.title))
            calls = RunCalls(active.meter, run.spec["epoch"], partial(self._sampling, run.spec.get("sampling", {})))
            await self._caller.require_known(calls, _hosted(run.spec))
            await JOBS[run.kind].run(self._context(run, calls), self._ws)
            state = RunState.DONE
        except asyncio.CancelledError:
            state = active.stopped_as or RunState.INTERRUPTED
        except UqError as error:
            state, trouble = RunState.FAILED, str(error)
        except Exception as error:
            log.exception("run %s ended by an unexpected error", run.id)
            state, trouble = RunState.FAILED, self._unexpected(error)
        active.ending = True
        try:
            await self._finish(active, state, trouble)
        except Exception as error:
            log.exception("the end of run %s could not be recorded", run.id)
            self._leases.forget(run.id)
            problem = error if isinstance(error, UqError) else UqError(self._unexpected(error))
            self._emit(EngineProblem(ticket, problem.title, problem.message, problem.hint))
            self._emit(RunFinished(run.id, RunState.FAILED, f"{trouble}\n{problem.message}".strip()))
        finally:
            del self._active[run.id]
            self._attention.ended(run.id)

    def _context(self, run: Run, calls: RunCalls) -> RunContext:
        return RunContext(
            run_id=run.id,
            spec=run.spec,
            ask=partial(self._caller.ask, calls),
            emit=self._emit,
            progress=calls.meter.progress,
            secret=self._ws.secret,
        )

    def _sampling_of(
        self, models: Sequence[Mapping[str, str]], usual: Mapping[str, Mapping[str, Any]]
    ) -> dict[str, dict[str, Any]]:
        """How the replies of a run's models are drawn: as the settings now have it, then as is usual for the model."""
        return {
            model_id: asdict(self._config.model(model_id).sampling.filled(Sampling(**usual.get(model_id, {}))))
            for model_id in (model["id"] for model in models)
        }

    def _sampling(self, pinned: Mapping[str, Mapping[str, Any]], model: ModelChoice) -> Sampling:
        """What the run has pinned. Runs of uq-tui 0.1.0 pinned nothing and take what is configured."""
        return Sampling(**pinned[model.id]) if model.id in pinned else self._config.model(model.id).sampling

    async def _finish(self, active: _Active, state: RunState, trouble: str) -> None:
        run, meter = active.run, active.meter
        if active.taken:
            meter.abandon()
            message = "Another uq-tui has taken this run over."
        else:
            await meter.close()
            message = report(
                run.kind,
                state,
                done=meter.done,
                total=meter.total,
                failures=meter.failures.values(),
                repeated=run.repeated,
                retries=meter.retries,
                unasked=meter.budget.unasked(),
                trouble=trouble,
            )
            await asyncio.to_thread(runs.set_state, self._ws, run.id, state, message)
            await self._leases.release(run.id)
        self._emit(RunFinished(run.id, state, message))

    def _unexpected(self, error: Exception) -> str:
        return f"An unexpected error ended the run ({type(error).__name__}). Details are in {self._log}"


def _hosted(spec: Mapping[str, Any]) -> list[ModelChoice]:
    """The models of a run that may cost something. Runs of uq-tui 0.1.0 pinned one model."""
    pinned = spec.get("models", [spec["model"]] if "model" in spec else [])
    models = [ModelChoice(one["id"], one.get("api_base", "")) for one in pinned]
    return [model for model in models if kind_of(model.id) is ModelKind.HOSTED]
