"""Prompt templates, read strictly, and the files that hold the strategies that ship with uq-tui.

A template is a Markdown file: TOML between two `+++` lines, then the body with `{{variable}}` where values go. What a
judge goes by and how it must end are apart: a template of criteria has `{{ending}}` where an `ending.*` template goes.
Nothing is guessed: an unknown key, an undeclared variable or a missing value is a TemplateError that lists all of them.
"""

import hashlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import resources
from pathlib import Path
from typing import Any

from uq_tui.errors import NotFoundError, TemplateError
from uq_tui.words import DecisionForm

_MARKER = "+++"
_KEYS = ("name", "version", "purpose", "inputs", "output")
_VARIABLE = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
_IDENTIFIER = re.compile(r"[a-z][a-z0-9_]*")


class Output(StrEnum):
    """What the end of a reply must look like. Small local models are held to it by a grammar."""

    FREE = "free"
    DECISION = "decision"
    """A last line `TAG: accept` or `TAG: reject`."""
    DECISION_EXACT = "decision_exact"
    """A last line with `[[Y]]` or `[[N]]`."""
    SCORE = "score"
    """A last line `TAG: k`."""
    SCORE_EXACT = "score_exact"
    """A last line `Score: k`."""
    GRADE = "grade"
    """An XML element that holds a score with its grounds, and the tag in an attribute."""
    GRADE_EXACT = "grade_exact"
    """The same element without a tag."""
    AUDIT = "audit"
    """A JSON object that holds an audit, and the tag as its code."""
    NEIGHBOURS = "neighbours"
    """A JSON object that holds proposed neighbours, and the tag as its code."""
    RATING = "rating"
    """A JSON object that holds a rating of a question with its answer, and the tag as its code."""
    BOXED = "boxed"
    """A final answer in `\\boxed{}`."""


_TAGGED = (Output.DECISION, Output.SCORE, Output.GRADE, Output.AUDIT, Output.NEIGHBOURS, Output.RATING)
_EXACT = "_exact"


@dataclass(frozen=True, slots=True)
class Template:
    """One prompt. `sha256` is that of the body; `source` is the whole file, front matter included."""

    name: str
    version: str
    purpose: str
    inputs: tuple[str, ...]
    output: Output
    body: str = field(repr=False)
    sha256: str
    source: str = field(repr=False)


def parse_template(source: str, where: str) -> Template:
    """Read a template's text.

    Args:
        source: the whole file.
        where: what to call it in messages, usually its path.

    Raises:
        TemplateError: naming everything that is wrong at once.
    """
    header, body = _split(source, where)
    try:
        front = tomllib.loads(header)
    except tomllib.TOMLDecodeError as error:
        raise TemplateError(f"{where}: the front matter is not TOML: {error}") from error
    problems = _front_problems(front)
    if not problems:
        problems = _body_problems(body, front["inputs"], front["output"])
    if problems:
        raise TemplateError(f"{where}: {'; '.join(problems)}.", hint=f"The front matter holds {', '.join(_KEYS)}.")
    return Template(
        name=front["name"],
        version=front["version"],
        purpose=front["purpose"],
        inputs=tuple(front["inputs"]),
        output=Output(front["output"]),
        body=body,
        sha256=hashlib.sha256(body.encode()).hexdigest(),
        source=source,
    )


def ending_name(output: Output, form: DecisionForm) -> str:
    """Name of the ending for templates with this output; "" for outputs that go without one."""
    if output not in _TAGGED:
        return ""
    return f"ending.{output}{_EXACT if form is DecisionForm.EXACT else ''}"


def retry_name(output: Output) -> str:
    """Name of the template that asks once more for such an output; "" for outputs that are read as they are."""
    return f"retry.{output}" if output in _TAGGED else ""


def shipped_template(name: str) -> Template:
    """The template `name` that ships with uq-tui. Raises NotFoundError."""
    return parse_template(_read("templates", name, ".md"), f"{name}.md")


def override_file(name: str, folder: Path) -> Path:
    """Where the user's own wording of a template stands, if there is one."""
    return folder / f"{name}.md"


def overrides(own: Path) -> bool:
    """Whether something stands at the place of an override, be it no file or a link that leads nowhere."""
    try:
        own.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True  # why it can't be looked at is said when it is read
    return True


def load_template(name: str, folder: Path | None = None) -> Template:
    """The template `name`: from `folder/name.md` where something stands there, else the one that ships with uq-tui.

    Raises:
        NotFoundError: no such template ships with uq-tui.
        TemplateError: it is no file, malformed, not UTF-8, goes by another name, or differs from the shipped one in its
            inputs or output, which the code that uses it relies on.
    """
    shipped = shipped_template(name)
    own = override_file(name, folder) if folder is not None else None
    if own is None or not overrides(own):
        return shipped
    hint = f"`uq-tui templates show {name} --shipped` prints the original; everything but its wording must stay."
    try:
        if own.exists() and not own.is_file():  # a pipe would be waited for, for ever
            raise TemplateError(f"{own}: it cannot be read: it is no file.", hint="Take it out of the folder.")
        template = parse_template(own.read_text(encoding="utf-8"), str(own))
    except (OSError, UnicodeDecodeError) as error:
        raise TemplateError(f"{own}: it cannot be read: {error}", hint=hint) from error
    except TemplateError as error:
        raise TemplateError(error.message, hint=error.hint or hint) from error
    problems = _differences(template, shipped)
    if problems:
        raise TemplateError(f"{own}: {'; '.join(problems)}.", hint=hint)
    return template


def strategy_data(name: str) -> str:
    """The TOML text of a collection of strategies, `shapes` or `paper_rows`. Raises NotFoundError."""
    return _read("strategies", name, ".toml")


def template_names() -> tuple[str, ...]:
    """Names of the templates that ship with uq-tui, sorted."""
    return _names("templates", ".md")


def render(template: Template, values: Mapping[str, str]) -> str:
    """The body with every variable replaced. A value is put in as it is and never searched for variables.

    Raises:
        TemplateError: naming all values that are missing and all that the template doesn't take.
    """
    missing = [name for name in template.inputs if name not in values]
    unknown = sorted(values.keys() - set(template.inputs))
    if missing or unknown:
        parts = [f"misses {', '.join(missing)}"] if missing else []
        parts += [f"doesn't take {', '.join(unknown)}"] if unknown else []
        raise TemplateError(f"Template {template.name} {' and '.join(parts)}.")
    return _VARIABLE.sub(lambda found: values[found.group(1)], template.body)


def _differences(own: Template, shipped: Template) -> list[str]:
    """What keeps an override from standing in for the original, which the code that fills it in goes by."""
    missing = [name for name in shipped.inputs if name not in own.inputs]
    unknown = [name for name in own.inputs if name not in shipped.inputs]
    problems = [] if own.name == shipped.name else [f"its name must be {shipped.name}, not {own.name}"]
    problems += [f"its inputs lack {', '.join(missing)}"] if missing else []
    problems += [f"there is no input {', '.join(unknown)}"] if unknown else []
    problems += [] if own.output is shipped.output else [f"its output must be {shipped.output}, not {own.output}"]
    return problems


def _split(source: str, where: str) -> tuple[str, str]:
    lines = source.replace("\r\n", "\n").split("\n")
    if lines[0].rstrip() != _MARKER:
        raise TemplateError(f"{where}: it must begin with a line {_MARKER}, the start of its front matter.")
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip() == _MARKER:
            return "\n".join(lines[1:number]), "\n".join(lines[number + 1 :]).strip("\n")
    raise TemplateError(f"{where}: no second line {_MARKER} ends the front matter.")


def _front_problems(front: Mapping[str, Any]) -> list[str]:
    problems = [f"unknown key {key}" for key in sorted(front.keys() - set(_KEYS))]
    problems += [f"missing key {key}" for key in _KEYS if key not in front]
    for key in ("name", "version", "purpose"):
        if key in front and not (isinstance(front[key], str) and front[key]):
            problems.append(f"{key} must be a text that is not empty")
    if front.get("output", Output.FREE) not in set(Output):
        problems.append(f"output must be one of {', '.join(Output)}")
    inputs = front.get("inputs", [])
    if not (isinstance(inputs, list) and all(isinstance(name, str) for name in inputs)):
        return [*problems, "inputs must be a list of names"]
    problems += [
        f"{name!r} in inputs is no name of lower-case letters, digits and _"
        for name in inputs
        if not _IDENTIFIER.fullmatch(name)
    ]
    if len(set(inputs)) < len(inputs):
        problems.append("inputs names something twice")
    return problems


def _body_problems(body: str, inputs: list[str], output: str) -> list[str]:
    used = list(dict.fromkeys(_VARIABLE.findall(body)))
    problems = [f"{{{{{name}}}}} is not among its inputs" for name in used if name not in inputs]
    problems += [f"input {name} is never used" for name in inputs if name not in used]
    marks = [name for name in ("tag", "ending") if name in inputs]
    if output in _TAGGED and len(marks) != 1:
        problems.append(f"a template with the output {output} needs one of the inputs tag and ending")
    if output not in _TAGGED and marks:
        problems.append(f"a template with the output {output} takes no {' and no '.join(marks)}")
    if not body.strip():
        problems.append("the body is empty")
    return problems


def _read(kind: str, name: str, suffix: str) -> str:
    """Text of a file that ships with uq-tui. Only a name that is listed is ever used as a path."""
    known = _names(kind, suffix)
    if name not in known:
        raise NotFoundError(f"There is no {name!r} among the {kind}.", hint=f"There are: {', '.join(known)}.")
    return (resources.files("prompts") / kind / f"{name}{suffix}").read_text(encoding="utf-8")


def _names(kind: str, suffix: str) -> tuple[str, ...]:
    entries = (resources.files("prompts") / kind).iterdir()
    return tuple(sorted(entry.name.removesuffix(suffix) for entry in entries if entry.name.endswith(suffix)))
