"""Words of others within Markdown of ours."""

import re

from uq_tui.text import clean_line

_ADDRESS = re.compile(r"\(?https://[\w.:/?=&%#~+@-]+[),.]*")
_MARKS = re.compile(r"([\\`*_{}\[\]<>#|~$&!()])")


def plain(words: str) -> str:
    """Foreign words on one line in which Markdown finds no marks, addresses left as they are."""
    return " ".join(
        part if _ADDRESS.fullmatch(part) else _MARKS.sub(r"\\\1", part) for part in clean_line(words).split(" ")
    )
