"""Ids of candidates and runs as people type them: whole, or the first characters of one."""

from collections.abc import Callable, Iterable

from store import candidates, evaluation, questions, runs
from store.workspace import Workspace
from uq_tui.errors import NotFoundError

SHORTEST = 6
"""Characters that are needed to name a candidate or a run."""


def candidate(workspace: Workspace, given: str) -> str:
    """The id of the one candidate whose id starts with `given`.

    Raises:
        NotFoundError: none does, several do, or `given` is too short.
    """
    hint = "`uq-tui questions show QUESTION` lists the candidates of a question with their ids."
    return _only("candidate", given, lambda prefix: candidates.find_by_prefix(workspace, prefix), hint)


def run(workspace: Workspace, given: str) -> str:
    """The id of the one run whose id starts with `given`. Raises NotFoundError, as `candidate` does."""
    return _only("run", given, lambda prefix: runs.find_by_prefix(workspace, prefix), "`uq-tui runs` lists them.")


def _only(noun: str, given: str, find: Callable[[str], tuple[str, ...]], hint: str) -> str:
    wanted = given.strip()
    if len(wanted) < SHORTEST:
        raise NotFoundError(f"{given!a} is too short for the id of a {noun}: {SHORTEST} characters or more.", hint=hint)
    found = find(wanted)
    if not found:
        raise NotFoundError(f"The id of no {noun} starts with {given!a}.", hint=hint)
    if len(found) > 1:
        raise NotFoundError(f"The ids of several {noun}s start with {given!a}: {', '.join(found)}.", hint="Give more.")
    return found[0]


def chosen(workspace: Workspace, given: Iterable[str], question_id: str) -> tuple[str, ...]:
    """The candidates that a command is about: all of the question if one is named, else those `given`, each once.

    Raises:
        NotFoundError: as `candidates_of` and `candidate`.
    """
    if question_id:
        return candidates_of(workspace, question_id)
    return tuple(dict.fromkeys(candidate(workspace, one) for one in given))


def candidates_of(workspace: Workspace, question_id: str) -> tuple[str, ...]:
    """The ids of a question's candidates whose text is here.

    Raises:
        NotFoundError: there is no such question, or it has none.
    """
    questions.get(workspace, question_id)
    found = tuple(one.id for one in candidates.of_question(workspace, question_id) if one.answer.sha256)
    if not found:
        raise NotFoundError(
            f"The question {question_id} has no candidate whose text is here.",
            hint="`uq-tui generate` asks a model for some, `uq-tui import` brings some in.",
        )
    return found


def labelled_candidates(workspace: Workspace) -> tuple[str, ...]:
    """The ids of all candidates that came with a known label.

    Raises:
        NotFoundError: there is none.
    """
    found = evaluation.labelled(workspace)
    if not found:
        raise NotFoundError(
            "No candidate here came with a known label.",
            hint="`uq-tui import` reads labels from rows with `known_label`; see docs/evaluation.md.",
        )
    return found
