"""Ids of candidates, runs, neighbours and remarks as people type them: whole, or the first characters of one."""

import re
from collections.abc import Callable, Iterable

from store import candidates, evaluation, neighbours, questions, remarks, reviewers, runs, statements
from store.rows import Neighbour
from store.workspace import Workspace
from uq_tui.errors import NotFoundError

SHORTEST = 6
"""Characters that are needed to name a candidate, a run, a neighbour or a remark."""

_NUMBER = re.compile(r"[nN]([0-9]{1,9})")


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


def neighbour(workspace: Workspace, question_id: str, given: str) -> Neighbour:
    """The neighbour of a question that goes by this number (`N2`), or whose id starts with `given`.

    Raises:
        NotFoundError: the question is unknown or has no such neighbour, several have such an id, or it is too short.
    """
    questions.get(workspace, question_id)
    found = neighbours.of_question(workspace, question_id)
    hint = f"`uq-tui neighbours list {question_id}` lists them with their numbers and ids."
    if number := _NUMBER.fullmatch(given.strip()):
        one = next((one for one in found if one.number == int(number[1])), None)
        if one is None:
            raise NotFoundError(f"The question {question_id} has no neighbour N{number[1]}.", hint=hint)
        return one
    key = _only("neighbour", given, lambda prefix: neighbours.find_by_prefix(workspace, question_id, prefix), hint)
    return next(one for one in found if one.id == key)


def remark(workspace: Workspace, given: str) -> str:
    """The id of the one remark of the current reviewer whose id starts with `given`. Raises as `candidate` does."""
    reviewer_id = reviewers.current(workspace).id
    hint = "`uq-tui remarks QUESTION|CANDIDATE` lists those on a text."
    return _only("remark", given, lambda prefix: remarks.find_by_prefix(workspace, reviewer_id, prefix), hint)


def reviewer(workspace: Workspace, given: str) -> str:
    """The id of the reviewer with this public name, or whose id starts with `given`; `me` is who sits here.

    Raises:
        NotFoundError: there is none, or there are several.
    """
    if given == "me":
        return reviewers.current(workspace).id
    named = [one.id for one in reviewers.all_of(workspace) if one.handle == given]
    if len(named) == 1:
        return named[0]
    if len(named) > 1:
        raise NotFoundError(f"Several reviewers are called “{given}”: {', '.join(named)}.", hint="Give an id.")
    found = reviewers.find_by_prefix(workspace, given) if len(given) >= SHORTEST else ()
    if len(found) == 1:
        return found[0]
    if found:
        raise NotFoundError(
            f"The ids of several reviewers start with “{given}”: {', '.join(found)}.", hint="Give more."
        )
    raise NotFoundError(
        f"No reviewer here is called “{given}”, and no id starts so.",
        hint="`uq-tui reviewer` lists them, `uq-tui reviewer new` adds one.",
    )


def statement(workspace: Workspace, given: str) -> str:
    """The id of the one statement, such as a comment, whose id starts with `given`. Raises as `candidate` does."""
    hint = "`uq-tui comment QUESTION` lists them."
    return _only("statement", given, lambda prefix: statements.find_by_prefix(workspace, prefix), hint)


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
