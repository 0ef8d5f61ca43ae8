"""How a solver's replies are drawn where the user's settings say nothing: as the paper had it, by family of model.

The values are those of the code that came with Consequence-Based Utility (arXiv 2602.06291v1). Models of other families
are left to their providers.
"""

import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from uq_tui.config import Sampling
from uq_tui.engine.models import ModelKind, kind_of
from uq_tui.engine.requests import ModelChoice

_LONGEST = 16_384
"""Tokens of a reply, reasoning included."""


@dataclass(frozen=True, slots=True)
class Family:
    """Models whose replies are usually drawn alike. `pattern` is sought in a model's own name, in lower case."""

    name: str
    pattern: re.Pattern[str]
    sampling: Sampling


FAMILIES = (
    Family("gpt-oss", re.compile(r"\bgpt-oss\b(?!-safeguard)"), Sampling(temperature=1.0, max_tokens=_LONGEST)),
    Family(
        "Qwen3 Thinking",
        re.compile(r"\bqwen3[-:]\d+b\b.*\bthinking\b"),
        Sampling(temperature=0.7, top_p=0.8, top_k=20, min_p=0.0, max_tokens=_LONGEST),
    ),
)


def family_of(model_id: str) -> Family | None:
    """The family of a model by its id, whoever serves it; `None` for all others."""
    name = model_id.lower().rstrip("/").rpartition("/")[2]
    return next((family for family in FAMILIES if family.pattern.search(name)), None)


def usual_sampling(solvers: Iterable[ModelChoice]) -> dict[str, dict[str, Any]]:
    """What a run pins of this, by model id; nothing for local models, whose contexts are smaller, and recordings."""
    hosted = (solver.id for solver in solvers if kind_of(solver.id) is ModelKind.HOSTED)
    return {model_id: asdict(family.sampling) for model_id in hosted if (family := family_of(model_id))}
