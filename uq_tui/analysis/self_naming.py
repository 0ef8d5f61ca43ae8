"""Whether an answer says who wrote it: then nobody judges it blind, whatever the screen keeps back.

Two questions. `says_what_it_is` looks for an answer that speaks of itself as a model or a system; it needs to know
nothing about the author and may be wrong either way. `names` looks for the author's true name.

Names are compared by their letters and digits, so that `Claude 3.5 Sonnet` is `claude-3-5-sonnet`. Names of fewer than
`SHORTEST` of these are not looked for: `o1` is a variable in too many proofs.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable
from itertools import accumulate

SHORTEST = 4
_WORD = re.compile(r"[^\W\d_]+|\d+")

_KNOWN = (
    r"(?:Chat ?GPT|GPT|Claude|Gemini|Gemma|Bard|PaLM|Grok|DeepSeek|Qwen|QwQ|Llama|LLaMA|Mistral|Mixtral|Magistral"
    r"|Copilot|Kimi|Perplexity|Command R|GLM|SmolLM|Phi-\d)"
)
_SIZE = r"(?:Opus|Sonnet|Haiku|Pro|Ultra|Flash|Nano|Mini|mini|Turbo|Max|Instruct|Chat)"
_VERSION = rf"(?:[- ]?[vVR]?\d[\w.]{{0,10}}|[- ]{_SIZE}){{0,4}}"
_MODEL = rf"{_KNOWN}{_VERSION}"
_NOT_A_SURNAME = r"(?![\w’'-])(?! [A-Z][a-zà-ÿ])"
"""Claude Shannon, Claude Berge and the Gemini Observatory wrote things too."""
_MAKER = (
    r"(?:OpenAI|Anthropic|Google(?: DeepMind| AI)?|DeepMind|Meta(?: AI)?|Mistral(?: AI)?|DeepSeek|xAI|Alibaba"
    r"|Moonshot(?: AI)?|Microsoft|Cohere|Zhipu(?: AI)?)"
)
_KIND = (
    r"(?:AI|A\.I\.|artificial intelligence|(?:(?:AI|large) )?language model|LLM|AI (?:model|assistant|system)"
    r"|machine learning model|chatbot|virtual assistant)"
)
_SELF_NAMING = (
    re.compile(
        rf"\bas (?:an?|your) (?:\w{{1,20}} )?{_KIND}\b(?: developed| trained| made| created|,| I\b)", re.IGNORECASE
    ),
    re.compile(rf"\bI(?:['’]m| am)(?: just| only| actually)? (?:an?|your) (?:\w{{1,20}} )?{_KIND}\b", re.IGNORECASE),
    re.compile(rf"\b(?:I am|I['’]m|My name is|my name is|This is) {_MODEL}{_NOT_A_SURNAME}(?=[\s.,;:!)]|$)"),
    re.compile(rf"\b[Aa]s {_MODEL}(?: \([^()\n]{{1,40}}\))?,? (?:I|my)\b"),
    re.compile(
        rf"\bI(?:['’]m| am| was| have been|['’]ve been)\b[^.\n]{{0,80}}?\b(?:trained|developed|created|made|built)"
        rf" by {_MAKER}\b"
    ),
    re.compile(
        r"\b(?:[Gg]enerated|[Ww]ritten|[Aa]nswered|[Pp]roduced|[Cc]reated|[Ss]olved|[Aa]nswer|[Ss]olution)"
        rf" (?:by|with|using) {_MODEL}{_NOT_A_SURNAME}"
    ),
    re.compile(
        rf"^[\s*_#>-]{{0,8}}(?:Model|Author|Assistant|System)[*_]{{0,3}}: ?[*_]{{0,3}} ?{_MODEL}{_NOT_A_SURNAME}", re.M
    ),
    re.compile(r"\bmy (?:training data|knowledge cut-?off|system prompt|training cut-?off)\b", re.IGNORECASE),
)


def says_what_it_is(text: str) -> str:
    """The words by which a text speaks of itself as a model's, as it has them; empty where there are none."""
    found = (match for pattern in _SELF_NAMING if (match := pattern.search(text)) is not None)
    first = min(found, key=lambda match: match.start(), default=None)
    return "" if first is None else first[0].strip()


def names(text: str, own: Iterable[str]) -> bool:
    """Whether a text has any of these names, as words of its own. Takes time in proportion to the text."""
    wanted = {compact for name in own if (compact := "".join(_words(name))) and _is_a_name(compact)}
    if not wanted:
        return False
    words = _words(text)
    whole = "".join(words)
    starts = [0, *accumulate(len(word) for word in words)]
    return any(_stands_in(compact, whole, starts) for compact in wanted)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _is_a_name(compact: str) -> bool:
    """Digits alone are none: `2024` is a year."""
    return len(compact) >= SHORTEST and not compact.isdigit()


def _stands_in(compact: str, whole: str, starts: list[int]) -> bool:
    """Whether it stands in the words of a text put together, from where one begins to where one ends."""
    at = whole.find(compact)
    while at >= 0:
        if _is_edge(at, starts) and _is_edge(at + len(compact), starts):
            return True
        at = whole.find(compact, at + 1)
    return False


def _is_edge(at: int, starts: list[int]) -> bool:
    found = bisect_left(starts, at)
    return found < len(starts) and starts[found] == at
