"""What scorers of Inspect gave, as numbers of outside scorers: a machine's word, never a label."""

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from store.ingest.scores_rows import LARGEST

_LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
"""Inspect's grades: correct, incorrect, partial, no answer; with its own values for them."""
_WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_NUMBER = re.compile(r"[+-]?[0-9]{1,300}(?:\.[0-9]*)?(?:[eE][+-]?[0-9]{1,3})?")
_MODEL_GRADED = "model_graded"
_LONGEST_NAME = 200
_LONGEST_EXPLANATION = 4_000
"""Characters of a grader's words that are kept."""


def scores_of(sample: Mapping[str, Any], evaluation: Mapping[str, Any]) -> Iterator[tuple[str, float | None]]:
    """Scorers by name, with what each gave; `None` where that is no number: unscored, or in no form that is known.

    A scorer that gives several values is several scorers. Who graded by a model is named after it.

    Args:
        sample: the sample.
        evaluation: the log's `eval`.
    """
    for name, score in _given(sample):
        called = f"inspect: {name}{_grader(name, score, evaluation)}{_edited(score)}"[:_LONGEST_NAME]
        value = score.get("value")
        if isinstance(value, dict):
            for part, inner in value.items():
                yield f"{called}: {part}"[:_LONGEST_NAME], _number(inner)
        else:
            yield called, _number(value)


def explanations_of(sample: Mapping[str, Any]) -> dict[str, Any]:
    """What scorers said, by their names, to be kept beside their numbers."""
    kept = {}
    for name, score in _given(sample):
        said = {"value": score.get("value")}
        for key in ("answer", "explanation"):
            text = score.get(key)
            if isinstance(text, str) and text:
                said[key] = text[:_LONGEST_EXPLANATION]
        kept[name] = said
    return kept


def _given(sample: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    scores = sample.get("scores")
    if isinstance(scores, dict):
        for name, score in scores.items():
            yield name, score if isinstance(score, dict) else {"value": score}
    elif isinstance(sample.get("score"), dict):  # logs of 2024 had one scorer without a name
        yield "score", sample["score"]


def _number(value: object) -> float | None:
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, str):
        word = value.strip()
        known = _LETTERS.get(word, _WORDS.get(word.lower()))
        if known is not None or not _NUMBER.fullmatch(word):
            return known
        value = float(word)
    if not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) and abs(number) <= LARGEST else None


def _grader(name: str, score: Mapping[str, Any], evaluation: Mapping[str, Any]) -> str:
    """` by MODEL` for a scorer that asks one. Unless it is told another, Inspect has the evaluated model grade."""
    about = score.get("metadata")
    if not name.startswith(_MODEL_GRADED) and not (isinstance(about, dict) and "grading" in about):
        return ""
    scorers = evaluation.get("scorers")
    named = [one for one in scorers if isinstance(one, dict)] if isinstance(scorers, list) else []
    options = next((one.get("options") for one in named if one.get("name") == name), None)
    roles = evaluation.get("model_roles")
    role = roles.get("grader") if isinstance(roles, dict) else None
    for place in (options, role):
        if isinstance(place, dict) and isinstance(place.get("model"), str) and place["model"]:
            return f" by {place['model']}"
    model = evaluation.get("model")
    return f" by {model}" if isinstance(model, str) and model else ""


def _edited(score: Mapping[str, Any]) -> str:
    """Somebody has changed the score since: it is no longer what the scorer gave."""
    history = score.get("history")
    changes = [one for one in history if isinstance(one, dict)] if isinstance(history, list) else []
    return ", edited" if any(one.get("provenance") for one in changes) else ""
