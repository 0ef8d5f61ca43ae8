"""Foreign text as text of a page."""

import re
from html import escape

from uq_tui.text import clean

_NO_CHARACTERS = re.compile("[\ufdd0-\ufdef\ufffe\uffff]")


def shown(text: str) -> str:
    """`text` escaped for HTML and XML, in elements and in quoted attributes.

    What can't be seen, or turns the direction of reading, is the mark that `uq_tui.text` has for it; characters that
    XML does not allow are replaced.
    """
    return escape(_NO_CHARACTERS.sub("\N{REPLACEMENT CHARACTER}", clean(text)))
