"""Which models are kin, told by how their names begin.

Models tend to rate too high what they wrote themselves and what other models of their maker wrote (Unsolved Questions,
arXiv 2508.17580v1), so a report puts judges and authors into families. Only the name counts, not who serves the model:
`openai/o3`, `azure/o3` and `o3` are one. A fine-tuned model belongs to the family its name begins with
(`Llama-3.3-Nemotron` to Meta), since it was made from those weights.
"""

import re

UNKNOWN = "unknown"

_STEMS = {
    "openai": ("gpt", "chatgpt", "o1", "o3", "o4", "codex"),
    "anthropic": ("claude",),
    "google": ("gemini", "gemma", "palm"),
    "deepseek": ("deepseek",),
    "alibaba": ("qwen", "qwq", "qvq"),
    "meta": ("llama", "meta-llama"),
    "mistral": ("mistral", "mixtral", "ministral", "magistral", "codestral", "devstral"),
    "xai": ("grok",),
    "moonshot": ("kimi", "moonshot"),
    "zhipu": ("glm", "chatglm"),
    "microsoft": ("phi",),
    "nvidia": ("nemotron",),
    "cohere": ("command",),
    "hugging face": ("smollm",),
}
_FAMILIES = {stem: family for family, stems in _STEMS.items() for stem in stems}
_DATED = re.compile(r"[-@](\d{4}-?\d{2}-?\d{2})$")
_FIRST_WORD = re.compile(r"[^\W\d_]+")


def bare_name(model: str) -> str:
    """The model's own name: without who serves it, without what follows a colon, without a date, in lower case.

    `openai/o3-2025-04-16` and `o3` are both `o3`; `openai/o4-mini--high` stays `o4-mini--high`.
    """
    last = model.strip().lower().rstrip("/").rpartition("/")[2].partition(":")[0]
    return _DATED.sub("", last)


def family_of(model: str) -> str:
    """The family of a model: one of those listed here, else the first word of its name; `unknown` without a name."""
    name = bare_name(model)
    stem = max((stem for stem in _FAMILIES if _begins(name, stem)), key=len, default="")
    if stem:
        return _FAMILIES[stem]
    word = _FIRST_WORD.search(name)
    return word[0] if word else UNKNOWN


def _begins(name: str, stem: str) -> bool:
    """`o3` begins `o3` and `o3-mini`, not `o30`; `qwen` begins `qwen2.5` too: only after a digit a digit goes on."""
    rest = name[len(stem) :]
    if not name.startswith(stem):
        return False
    return not rest[:1].isalpha() and not (stem[-1].isdigit() and rest[:1].isdigit())
