"""Adds and removes tables of models in config.toml, sets its theme, and leaves the rest as its owner wrote it.

The text is edited as text; then both versions are read, and the edit is kept only when they differ by just that.
"""

import json
import os
import re
import tempfile
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from uq_tui import config, paths
from uq_tui.errors import ConfigError

_THEME = re.compile(r"""[ \t]*theme[ \t]*=[ \t]*("[^"\n]*"|'[^'\n]*')""")


def add_model(model_id: str, settings: Mapping[str, str | int]) -> Path:
    """Add a model's table at the end of the file; returns the file.

    Raises:
        ConfigError: the file is malformed, has the table, or cannot be written.
    """
    file, text, content = _read()
    models = content["models"]
    if model_id in models:
        raise ConfigError(
            f"{file} has settings for {model_id} already.", hint="Give another name, or edit or remove them."
        )
    table = "\n".join((f"[models.{_quoted(model_id)}]", *(f"{key} = {_value(settings[key])}" for key in settings), ""))
    gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    edited = text + (gap + table).replace("\n", "\r\n" if "\r\n" in text else "\n")
    if _content(edited) != {**content, "models": {**models, model_id: dict(settings)}}:
        raise ConfigError(f"A table cannot be added to {file} as it is written.", hint=f"Add it by hand:\n{table}")
    _replace(file, edited)
    return file


def remove_model(model_id: str) -> Path:
    """Remove a model's table, up to its last setting; returns the file.

    Raises:
        ConfigError: the file is malformed, has no such table, or cannot be written.
    """
    file, text, content = _read()
    models = content["models"]
    if model_id not in models:
        raise ConfigError(f"{file} has no settings for {model_id}.")
    rest = {**content, "models": {name: values for name, values in models.items() if name != model_id}}
    lines = text.splitlines(keepends=True)
    heads = [number for number, line in enumerate(lines) if line.lstrip().startswith("[")]
    for start in heads:
        if _content(lines[start]) != {"models": {model_id: {}}}:
            continue
        for end in (*(number for number in heads if number > start), len(lines)):
            edited = _without(lines, start, end)
            if _content(edited) == rest:
                _replace(file, edited)
                return file
    raise ConfigError(f"The settings of {model_id} are written in a way that only you can edit: {file}.")


def set_theme(theme: str) -> Path:
    """Have the app open in these colours from now on; returns the file.

    Raises:
        ConfigError: the file is malformed or cannot be written, or it names its theme in a way that only its owner can
            edit.
    """
    file, text, content = _read()
    wanted = {**content, "theme": theme}
    line = f"theme = {_quoted(theme)}"
    lines = text.splitlines(keepends=True)
    head = next((number for number, one in enumerate(lines) if one.lstrip().startswith("[")), len(lines))
    found = next((number for number in range(head) if _THEME.match(lines[number])), None)
    if found is not None:
        edited = "".join((*lines[:found], _THEME.sub(lambda _: line, lines[found]), *lines[found + 1 :]))
    else:
        end = "\r\n" if "\r\n" in text else "\n"
        edited = f"{line}{end}{text}"
    if _content(edited) != wanted:
        raise ConfigError(f"The theme in {file} is written in a way that only you can edit.", hint=f"Write: {line}")
    _replace(file, edited)
    return file


def _without(lines: list[str], start: int, end: int) -> str:
    """The text without one table. Comments and blank lines before the next table belong to that one."""
    while end > start + 1 and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
        end -= 1
    before, after = lines[:start], lines[end:]
    while before and not after and not before[-1].strip():
        before.pop()
    return "".join((*before, *after))


def _read() -> tuple[Path, str, dict[str, Any]]:
    """The file, its text, and what stands in it, all of which is in order."""
    file = paths.config_dir() / "config.toml"
    config.load(file)
    try:
        with file.open(encoding="utf-8", newline="") as opened:
            text = opened.read()
    except FileNotFoundError:
        text = ""
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error}") from error
    return file, text, _content(text) or {"models": {}}


def _content(text: str) -> dict[str, Any] | None:
    """What a text says, with its tables of models even if there are none; `None` when it isn't TOML."""
    try:
        return {"models": {}, **tomllib.loads(text)}
    except tomllib.TOMLDecodeError:
        return None


def _value(value: str | int) -> str:
    return str(value) if isinstance(value, int) else _quoted(value)


def _quoted(text: str) -> str:
    """A text as a TOML string. JSON's escapes are TOML's too, but TOML also wants DEL escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _replace(file: Path, text: str) -> None:
    """Write the file whole or not at all, with the mode it had. A link to it stays a link."""
    try:
        place = file.resolve()
        with tempfile.NamedTemporaryFile(
            "w", dir=place.parent, prefix=".config-", encoding="utf-8", newline="", delete=False
        ) as out:
            try:
                if place.exists():
                    os.fchmod(out.fileno(), place.stat().st_mode & 0o777)
                out.write(text)
                out.flush()
                os.fsync(out.fileno())
                os.replace(out.name, place)
            finally:
                with suppress(FileNotFoundError):
                    os.unlink(out.name)
    except OSError as error:
        raise ConfigError(f"{file} cannot be written: {error}") from error
