"""Lists of question ids in files, as `dataset make` takes them."""

import json
from collections.abc import Iterator
from pathlib import Path

from uq_tui.errors import ImportFileError
from uq_tui.words import Subset

LARGEST_BYTES = 64 * 1024 * 1024


def read_ids(path: Path) -> tuple[tuple[str, Subset | None], ...]:
    """Question ids with the subset that each is said to be of, if it is; from plain lines, or rows with `question_id`.

    Raises:
        ImportFileError: it can't be read, is larger than 64 MiB, or a line holds no id.
    """
    try:
        if path.stat().st_size > LARGEST_BYTES:
            raise ImportFileError(f"{path} is larger than 64 MiB.", hint="A list of ids is one id a line.")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ImportFileError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise ImportFileError(f"{path} is not UTF-8 text (byte {error.start}).") from error
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
            raise ImportFileError(f"{path}, line {number}: it is no JSON.") from error
        question_id, subset = row.get("question_id"), row.get("subset", "")
        if not isinstance(question_id, str) or not question_id:
            raise ImportFileError(f"{path}, line {number}: it has no `question_id`.")
        if subset not in ("", *Subset):
            raise ImportFileError(f"{path}, line {number}: there is no such subset as its `subset` names.")
        yield question_id, Subset(subset) if subset else None
