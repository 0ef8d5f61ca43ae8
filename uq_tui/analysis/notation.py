"""Taking away from a final answer how it is set: what is left has the same meaning."""

import re

_WRAPPER = re.compile(r"\\(?:text|textrm|textbf|textnormal|mbox|mathrm|mathbf|boxed)\s*\{([^{}]*)\}")
_SIZING = re.compile(r"\\(?:left|right|big|bigl|bigr|Big|Bigl|Bigr|displaystyle)(?![a-zA-Z])\s*")
_SPACES = re.compile(r"(?:\\[,;:! ]|~|\s)+")
_WIDE = re.compile(r"^(?: ?\\q?quad(?![a-zA-Z]))+ ?|(?: ?\\q?quad(?![a-zA-Z]))+ ?$")
"""A wide space at either end. One between two numbers keeps them apart and stays."""
_SET = re.compile(r"[\\$~\s\u2212]|\{,\}")
"""What only a text that has been set in some way holds."""
_WORD = re.compile(r"[a-zA-Z]{2}")
_DELIMITERS = (("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]"))
_COMMON = {
    "\u2212": "-",
    "\\lbrace": "\\{",
    "\\rbrace": "\\}",
    "\\dfrac": "\\frac",
    "\\tfrac": "\\frac",
    "\\%": "%",
}
"""Spellings, and the one that is read."""
_GROUPING = re.compile(r"\{,\}(?=[0-9]{3}(?![0-9]))")
"""Elsewhere it is a decimal comma."""
_SPELLING = re.compile("|".join(map(re.escape, _COMMON)))
_DEEPEST = 8

ROW_END = "\n"
"""What stands for `\\\\` in a normalised text, which has no other line ends."""


def normalise(text: str) -> str:
    """A final answer without what doesn't change its meaning: math delimiters, sizing, spacing, text wrappers.

    Words keep their wrapper unless they are all there is: without it `3\\text{ or }4` would read as a product.
    """
    text = text.strip().removesuffix(".").rstrip()
    for left, right in _DELIMITERS:
        if len(text) > len(left) + len(right) and text.startswith(left) and text.endswith(right):
            text = text[len(left) : -len(right)]
            break
    if not _SET.search(text):
        return text.strip().removesuffix(".").rstrip()
    text = _SPELLING.sub(lambda found: _COMMON[found.group()], text)
    if "{,}" in text:
        text = _GROUPING.sub(",", text)
    rows = text.split("\\\\") if "\\\\" in text else [text]
    if "\\" in text:
        rows = [_SIZING.sub("", row) for row in rows]
    text = ROW_END.join(_SPACES.sub(" ", row) for row in rows)
    if "{" in text:
        text = _unwrapped(text)
    if "quad" in text:
        text = _WIDE.sub("", text)
    return text.strip().removesuffix(".").rstrip()


def _unwrapped(text: str) -> str:
    for _ in range(_DEEPEST):
        whole = _WRAPPER.fullmatch(text)
        before, text = text, whole.group(1) if whole else _WRAPPER.sub(_bare, text)
        if text == before:
            break
    return text


def _bare(found: re.Match[str]) -> str:
    content = found.group(1)
    return found.group() if _WORD.search(content) else content
