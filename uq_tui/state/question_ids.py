"""Lists of question ids in files, as `dataset make` takes them."""

import json
from collections.abc import Iterator
from pathlib import Path

from uq_tui.errors import ImportFileError
from uq_tui.words import Subset

LARGEST_BYTES = 64 * 1024 * 1024
_HINT = "A list has one id a line, or one row of JSON a line with `question_id` and perhaps `subset`."


def read_ids(path: Path) -> tuple[tuple[str, Subset | None], ...]:
    """Question ids with the subset that each is said to be of, if it is; from plain lines, or rows with `question_id`.

    Raises:
        ImportFileError: it can't be read, is larger than 64 MiB, or a line holds no id.
    """
    try:
        if path.stat().st_size > LARGEST_BYTES:
            raise ImportFileError(f"{path} is larger than 64 MiB.", hint=_HINT)
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ImportFileError(f"{path} cannot be read: {error.strerror}.", hint="Look whether it is there.") from error
    except UnicodeDecodeError as error:
        raise ImportFileError(f"{path} is not UTF-8 text (byte {error.start}).", hint=_HINT) from error
    return tuple(_ids(path, text))


def _ids(path: Path, text: str) -> Iterator[tuple[str, Subset | None]]:
    for number, line in enumerate(text.split("\n"), 1):
        words = line.strip()
        if not words.startswith("{"):
            if words:
                yield words, None
            continue
        try:
            row = json.loads(words)
        except (ValueError, RecursionError) as error:
            raise ImportFileError(f"{path}, line {number}: it is no JSON.", hint=_HINT) from error
        question_id, subset = row.get("question_id"), row.get("subset", "")
        if not isinstance(question_id, str) or not question_id:
            raise ImportFileError(f"{path}, line {number}: it has no `question_id`.", hint=_HINT)
        if subset not in ("", *Subset):
            raise ImportFileError(
                f"{path}, line {number}: there is no such subset as its `subset` names.",
                hint=f"There are {', '.join(Subset)}.",
            )
        yield question_id, Subset(subset) if subset else None
