"""References in prose: authors with a year, labels in brackets, numbered results of other works.

Prose is ambiguous, and a list of things that are no references is of no use. So each rule asks for more than a name and
a number: authors need a year that is set off as years of references are, results need a number and a work.
"""

import re
from collections.abc import Container, Iterator
from datetime import date

from uq_tui.citations.ambiguous import NO_NAMES, NO_WORK
from uq_tui.citations.reference import Mention, ReferenceKind, Span

_PARTICLE = r"(?:(?:van|von|de|der|den|del|della|di|da|du|la|le|ten|ter|zu)\s){0,3}"
_INITIALS = r"(?:[A-Z]\.[-\s]?){0,3}"
_SURNAME = r"[^\W\d_a-z](?:[^\W\d_]|['’-](?=[^\W\d_]{2})){1,30}"
_NAME = rf"{_PARTICLE}{_INITIALS}{_SURNAME}(?:,\s(?:[A-Z]\.[-\s]?){{1,3}}(?=[\s,(&]))?"
_OTHERS = r"(?P<others>,?\s[*_]?et\sal\.?[*_]?|\sand\sothers)?"
_MOST_MORE = 14
"""Names between the first and the last; of a longer list the end would be taken for the whole."""
_BEFORE_INITIALS = rf"[A-Z]\.[-\s]?{_NAME};\s(?=[A-Z]\.)"
_NAMES = (
    rf"(?:{_BEFORE_INITIALS}){{0,{_MOST_MORE}}}{_NAME}(?:,\s{_NAME}){{0,{_MOST_MORE}}}"
    rf"(?:,?\s(?:and|&amp;|&|\\&)\s{_NAME})?{_OTHERS}"
)
_YEAR = r"(?P<year>(?:1[5-9]|20)\d\d)(?P<letter>[a-z])?"
_ANY_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_LABEL = r"[A-Z][A-Za-z+]{1,6}\d{2}[a-z]?"

_AUTHORS = re.compile(
    rf"(?<![\w'’.-])(?P<names>{_NAMES})(?:['’]s)?(?P<gap>,?\s?[(\[]|,\s?|\s){_YEAR}(?!\w)"
    r"(?P<rest>(?:[,:]\s?[^()\[\];\n]{0,60})?[)\]]|(?=;))?"
)
_BEFORE = re.compile(r"(?:[(\[]|;\s|[(\[](?:see|cf\.|e\.g\.,?|see\salso|also)\s)\Z")
_CONJUNCTION = re.compile(r",?\s(?:and|&amp;|&|\\&)\s")

_KINDS = {
    "theorem": "theorem|thm",
    "lemma": "lemma|lem",
    "proposition": "proposition|prop",
    "corollary": "corollary|cor",
    "definition": "definition|def",
    "conjecture": "conjecture|conj",
    "remark": "remark|rem",
    "example": "example|ex",
    "exercise": "exercise",
    "section": "section|sect|sec|§",
    "chapter": "chapter|chap|ch",
    "appendix": "appendix",
    "equation": "equation|eq",
    "table": "table",
    "page": "page|pp|p",
}
_KIND_OF = {word: kind for kind, words in _KINDS.items() for word in words.split("|")}
_WORDS = "|".join(sorted(_KIND_OF, key=len, reverse=True))
_NUMBER = (
    r"(?:[A-Z]?\d{1,4}(?:\.\d{1,4}){0,4}|[IVXL]{1,6}(?:\.\d{1,4}){0,4}|[A-Z](?:\.\d{1,4}){1,4})"
    r"(?:\([A-Za-z0-9]{1,4}\))?"
)
_PART = rf"(?P<kind>(?i:{_WORDS}))s?\.?[\s~]?(?P<number>{_NUMBER})(?![\w])"
_OF_WORK = r"[\s~](?:of|in|from)\s(?:the\s(?:paper|book|article|work|monograph|thesis|notes|textbook)\s(?:of|by)\s)?"
_IN_BRACKETS = re.compile(rf"\\?\[(?P<label>{_LABEL}|\d{{1,3}}),\s?{_PART}[^\[\]\n]{{0,80}}\]")
_PART_OF = re.compile(rf"(?=[A-Za-z§])(?<!\w){_PART}{_OF_WORK}")
_WORK_LABEL = re.compile(rf"\\?\[(?P<label>{_LABEL}|\d{{1,3}})\\?\]")
_WORK_AUTHORS = re.compile(
    rf"(?P<names>{_NAMES})(?:['’]s(?!\w))?(?P<dated>,?\s?[(\[]?{_YEAR}[)\]]?(?!\w))?(?P<after>\s[a-z]+)?"
)
_OWN_PART = re.compile(rf"['’]s\s{_PART}")
_AUTHORS_OWN = re.compile(rf"(?<![\w'’.-])(?P<names>{_NAMES}){_OWN_PART.pattern}")
_CITE = re.compile(
    rf"\\cite[tp]?\*?(?:\[(?:(?:{_PART})|[^\[\]\n]{{0,80}})[^\[\]\n]{{0,80}}\])?\{{(?P<keys>[^{{}}\n]{{1,200}})\}}"
)
_CITED = rf"(?:{_LABEL}|\d{{1,3}})"
_LABELS = re.compile(rf"(?<![\w\\$\]}})])\\?\[(?P<labels>{_CITED}(?:\s?[,;]\s?{_CITED}){{0,9}})\\?\]")


def results(text: str, today: date) -> Iterator[Mention]:
    """Numbered results of other works."""
    for found in _IN_BRACKETS.finditer(text):
        yield _result(found, f"[{found['label'].casefold()}]", Span(*found.span()))
    for found in _CITE.finditer(text):
        if found["kind"]:
            yield _result(found, f"[{found['keys'].casefold()}]", Span(*found.span()))
    for part in _PART_OF.finditer(text):
        label = _WORK_LABEL.match(text, part.end())
        if label:
            yield _result(part, f"[{label['label'].casefold()}]", Span(part.start(), label.end()))
        elif (work := _WORK_AUTHORS.match(text, part.end())) and (names := _authors(work)):
            if work["dated"]:
                year = f" {work['year']}{work['letter'] or ''}"
                span = Span(part.start(), work.end("dated"))
                yield _result(part, f"{names}{year}", span, _year_problem(work["year"], today))
            elif (work["after"] or "").strip() not in NO_WORK:
                yield _result(part, names, Span(part.start(), work.end("names")))
    for found in _AUTHORS_OWN.finditer(text) if _OWN_PART.search(text) else ():
        if names := _authors(found):
            yield _result(found, names, Span(_first_name(found), found.end()))


def authors_with_years(text: str, today: date) -> Iterator[Mention]:
    """Authors with the year of a work, as `Smith (2019)`, `(Smith, 2019)`, `Smith and Jones, 2019`."""
    for found in _AUTHORS.finditer(text) if _ANY_YEAR.search(text) else ():
        names = _authors(found)
        if not names or not _set_off(found):
            continue
        key = f"{names} {found['year']}{found['letter'] or ''}"
        opened = found["gap"].strip(", ") != ""
        end = found.end() if opened and found["rest"] else found.end("letter" if found["letter"] else "year")
        yield Mention(
            ReferenceKind.AUTHOR_YEAR, key, Span(_first_name(found), end), _year_problem(found["year"], today)
        )


def labels(text: str, listed: Container[str]) -> Iterator[tuple[str, Span]]:
    """Labels in brackets with their places: telling ones such as `[Smi19]`, and those that a bibliography lists.

    Args:
        text: any text.
        listed: the labels of the text's own bibliography.
    """
    for found in _LABELS.finditer(text):
        yield from ((label, at) for label, at in _split(found, "labels") if label in listed or not label.isdigit())
    for found in _CITE.finditer(text):
        yield from _split(found, "keys")


def _split(found: re.Match[str], group: str) -> Iterator[tuple[str, Span]]:
    """The labels of one pair of brackets. A single one is at the brackets, several are at their own letters."""
    start = found.start(group)
    inner = list(re.finditer(r"[^\s,;]+", found[group]))
    for one in inner:
        at = Span(*found.span()) if len(inner) == 1 else Span(start + one.start(), start + one.end())
        yield one[0], at


def _result(found: re.Match[str], work: str, span: Span, problem: str = "") -> Mention:
    kind, number = _KIND_OF[found["kind"].casefold()], found["number"].casefold()
    return Mention(ReferenceKind.RESULT, f"{kind} {number} of {work}", span, problem)


def _parts(found: re.Match[str]) -> list[tuple[str, int]]:
    """The names with their places, without words before them that are no names."""
    names, start = found["names"], found.start("names")
    if found["others"]:
        names = names[: -len(found["others"])]
    parts = [(one[0], start + one.start()) for one in re.finditer(rf"{_PARTICLE}{_INITIALS}{_SURNAME}", names)]
    joined = bool(found["others"]) or _CONJUNCTION.search(names) is not None
    if not joined and len(parts) > 1 and not _alone_in_brackets(found):
        return parts[-1:]  # names in a row without `and` are an enumeration of something
    while parts and _is_no_name(parts[0][0]):
        parts = parts[1:]
    return parts


def _alone_in_brackets(found: re.Match[str]) -> bool:
    """Whether names and year fill brackets, or what is between semicolons there, as `(Smith, Jones, Lee, 2019)`."""
    if found.re is not _AUTHORS or found["gap"].strip(", "):
        return False
    closed = found["rest"] is not None or found.string[found.end() : found.end() + 1] in (";", ")", "]")
    return closed and _BEFORE.search(found.string, max(0, found.start() - 12), found.start()) is not None


def _authors(found: re.Match[str]) -> str:
    """The authors' names as part of a key; "" where they are none."""
    parts = _parts(found)
    if not parts or any(_is_no_name(name) for name, _ in parts):
        return ""
    surnames = [re.sub(rf"^{_INITIALS}", "", name).casefold() for name, _ in parts]
    return " ".join([*surnames, *(["et al"] if found["others"] else [])])


def _first_name(found: re.Match[str]) -> int:
    return _parts(found)[0][1]


def _is_no_name(name: str) -> bool:
    word = re.split(r"[\s.]", name)[-1]
    lower = word.casefold()
    return lower in NO_NAMES or lower.endswith("ly") or word.isupper() or not word[0].isupper()


def _set_off(found: re.Match[str]) -> bool:
    """Whether the year is set off as a reference's is: in brackets of its own, or with the authors in brackets."""
    gap = found["gap"]
    if gap.strip(", "):
        return found["rest"] is not None
    if found["others"] or len(_parts(found)) > 1:
        return True
    return _alone_in_brackets(found)


def _year_problem(year: str | None, today: date) -> str:
    return f"its year, {year}, is in the future" if year and int(year) > today.year + 1 else ""
