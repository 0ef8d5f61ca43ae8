"""What runs pin when they are created, and how they find it again when they run.

A run may be resumed days later, by a newer uq-tui, after prompts were edited. So a run's spec holds its prompts as text
and the hashes of the texts it is about; a run that finds an input changed stops instead of mixing two.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from prompts.loader import Template, load_template, parse_template
from store import candidates, questions, run_pins
from store.evidence import app_version
from store.identity import text_sha256
from store.rows import Candidate, Question
from store.workspace import Workspace
from uq_tui.config import is_address
from uq_tui.engine.requests import ModelChoice
from uq_tui.engine.spec import TemplateRef
from uq_tui.errors import ModelError, UqError
from uq_tui.paths import config_dir
from uq_tui.words import RunKind

_CHANGED_HINT = "Start a new run; this one keeps what it has found."


def question_text(question: Question) -> str:
    """A question as prompts show it: title, body, and the site it was asked on, whose customs say what an answer is."""
    title, body = question.row.title.strip(), question.body.markdown.strip()
    parts = [] if body.startswith(title) else [f"# {title}"]
    parts.append(body)
    if question.row.site:
        parts.append(f"(Asked on {question.row.site})")
    return "\n\n".join(part for part in parts if part)


def candidate_text(candidate: Candidate) -> str:
    """A candidate as prompts show it."""
    return candidate.answer.markdown.strip()


def pin_common(model: ModelChoice, templates: Iterable[str], epoch: int) -> dict[str, Any]:
    """The part of a spec that all kinds of run have. Template overrides come from the configuration folder.

    Raises:
        ModelError: the model's address could carry a secret, which a spec would keep.
        TemplateError: a template is malformed.
    """
    folder = config_dir() / "templates"
    loaded = [load_template(name, folder) for name in templates]
    return {
        "app_version": app_version(),
        "model": pin_model(model),
        "epoch": epoch,
        "templates": {
            template.name: {"version": template.version, "sha256": template.sha256, "source": template.source}
            for template in loaded
        },
    }


def pin_model(model: ModelChoice) -> dict[str, str]:
    """A model as specs keep it. Raises ModelError when its address could carry a secret, which a spec would keep."""
    if model.api_base and not is_address(model.api_base):
        raise ModelError(
            f"The address given for {model.id} must be http or https, without user name, password or query.",
            hint="A key is named by api_key_env in config.toml.",
        )
    return {"id": model.id, "api_base": model.api_base}


def pinned_model(spec: Mapping[str, Any]) -> ModelChoice:
    """The model a spec names."""
    return ModelChoice(spec["model"]["id"], spec["model"]["api_base"])


def pinned_template(spec: Mapping[str, Any], name: str) -> Template:
    """The template as it was when the run was created. Raises TemplateError when this version can't read it."""
    return parse_template(spec["templates"][name]["source"], f"template {name} of this run")


def template_ref(template: Template) -> TemplateRef:
    """How calls record which template wrote them."""
    return TemplateRef(template.name, template.version, template.sha256)


def pin_question(question: Question) -> dict[str, str]:
    """A question's id, the hash of its text as prompts show it, and the version of a dataset that holds it.

    Raises UqError when its text isn't here.
    """
    if not question.body.sha256:
        raise UqError(
            f"Question {question.row.id} is known from a verdict only; its text is not in this workspace.",
            hint="Import the file that holds the question, then start again.",
        )
    return {
        "id": question.row.id,
        "sha256": text_sha256(question_text(question)),
        "dataset_version": question.dataset_version,
    }


def pin_candidate(candidate: Candidate) -> dict[str, str]:
    """A candidate's id with the hash of its text as prompts show it. Raises UqError when its text isn't here."""
    if not candidate.answer.sha256:
        raise UqError(
            f"Candidate {candidate.id} is known from a verdict only; its text is not in this workspace.",
            hint="Import the file that holds the answer, then start again.",
        )
    return {"id": candidate.id, "sha256": text_sha256(candidate_text(candidate))}


def load_question(ws: Workspace, pin: Mapping[str, str]) -> str:
    """Text of a pinned question. Raises NotFoundError, and UqError when the text is no longer what was pinned."""
    text = question_text(questions.get(ws, pin["id"]))
    if text_sha256(text) != pin["sha256"]:
        raise UqError(f"Question {pin['id']} reads differently from when this run was started.", hint=_CHANGED_HINT)
    return text


def load_candidate(ws: Workspace, pin: Mapping[str, str]) -> str:
    """Text of a pinned candidate. Raises as `load_question` does."""
    text = candidate_text(candidates.get(ws, pin["id"]))
    if text_sha256(text) != pin["sha256"]:
        raise UqError(f"Candidate {pin['id']} reads differently from when this run was started.", hint=_CHANGED_HINT)
    return text


def epoch_for(ws: Workspace, kind: RunKind, input_ids: Iterable[str], *, fresh: bool) -> int:
    """0, or for a fresh run one more than the highest epoch of earlier runs of this kind on any of these inputs.

    `input_ids` are matched with `spec["inputs"]`.
    """
    if not fresh:
        return 0
    earlier = run_pins.about(ws, kind, list(input_ids), ["epoch"])
    return max((pinned["epoch"] for pinned in earlier), default=-1) + 1
