"""The kinds of run there are: what each consists of, and which request asks for it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Protocol

from store.workspace import Workspace
from uq_tui.engine.requests import (
    AuditRequest,
    CbuRequest,
    CurateRequest,
    GenerateRequest,
    JudgeRequest,
    NeighboursRequest,
    ValidateRequest,
)
from uq_tui.engine.runs import audit, cbu, curate, generate, judge, neighbours, validate
from uq_tui.engine.spec import RunContext
from uq_tui.words import RunKind


class Job(Protocol):
    """What a kind of run consists of."""

    def pin(self, ws: Workspace, request: Any) -> tuple[str, Mapping[str, Any], int]:
        """Title, all that the run depends on, and how many units it has. Raises UqError."""
        ...

    async def run(self, ctx: RunContext, ws: Workspace) -> None:
        """Do it; running it again continues it."""
        ...


JOBS: Mapping[RunKind, Job] = MappingProxyType(
    {
        RunKind.GENERATE: generate,
        RunKind.VALIDATE: validate,
        RunKind.JUDGE: judge,
        RunKind.AUDIT: audit,
        RunKind.CBU: cbu,
        RunKind.NEIGHBOURS: neighbours,
        RunKind.CURATE: curate,
    }
)
KINDS: Mapping[type[Any], RunKind] = MappingProxyType(
    {
        GenerateRequest: RunKind.GENERATE,
        ValidateRequest: RunKind.VALIDATE,
        JudgeRequest: RunKind.JUDGE,
        AuditRequest: RunKind.AUDIT,
        CbuRequest: RunKind.CBU,
        NeighboursRequest: RunKind.NEIGHBOURS,
        CurateRequest: RunKind.CURATE,
    }
)
