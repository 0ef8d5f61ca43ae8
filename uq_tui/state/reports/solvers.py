"""Who answers count for: models, systems and people, under the names that origins give."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from store.standing import Source
from uq_tui.analysis.families import UNKNOWN, bare_name
from uq_tui.words import AuthorKind


@dataclass(frozen=True, slots=True, order=True)
class Solver:
    """A model, a system or a person. The name is foreign text."""

    kind: AuthorKind
    name: str


def solvers_of(own: Iterable[Source]) -> tuple[Solver, ...]:
    """Who these sources name, each once. Who is not named isn't among them: two of those may be two."""
    found = dict.fromkeys(map(_solver, own))
    return tuple(one for one in found if one.name)


def _solver(one: Source) -> Solver:
    if one.kind is AuthorKind.PERSON:
        return Solver(one.kind, one.person.strip())
    model, system = bare_name(one.model or one.base_model), one.system.strip()
    name = (system or model) if one.kind is AuthorKind.SYSTEM else (model or system)
    return Solver(one.kind, "" if name == UNKNOWN else name)


def names_by_kind(sources: Iterable[Source]) -> dict[AuthorKind, int]:
    """How many different names there are of each kind."""
    counts = Counter(one.kind for one in {_solver(source) for source in sources} if one.name)
    return {kind: counts[kind] for kind in AuthorKind}
