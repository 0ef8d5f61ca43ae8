"""References by identifier: DOI, arXiv, ISBN, Mathematical Reviews, zbMATH, web address.

Each pattern's repetitions are bounded and can match in one way only, so that finding takes time in proportion to the
text. The syntax is that of the registries: the DOI Handbook (2.2: `10.`, a registrant of four digits or more, a slash),
arxiv.org/help/arxiv_identifier, and ISO 2108 for the check digits of ISBNs.
"""

import re
from collections.abc import Iterator
from datetime import date
from urllib.parse import unquote, urlsplit

from uq_tui.citations.reference import Mention, ReferenceKind, Span

LONGEST = 400
"""Signs of an identifier or address; what is longer ends there."""

# An identifier or address goes on up to white space, a quotation mark, what Markdown, LaTeX or HTML puts around it, or
# a bracket that it doesn't close itself.
_STOP = r"\s()\[\]\\\"<>{}|^`$«»“”„‹›\u0000-\u001f\u007f-\u00a0\u2000-\u200f\u2028-\u202f\u2060-\u206f\ud800-\udfff"
_TOKEN = (
    rf"(?:[^{_STOP}]|\([^{_STOP}]{{0,80}}\)|\[[^{_STOP}]{{0,80}}\]|\\[_%#&]"
    rf"|<\d{{1,6}}::?[A-Za-z0-9-]{{1,20}}>){{1,{LONGEST}}}"  # the last is part of old DOIs of Wiley
)
_TAIL = ".,;:!?'’*_~"
"""Signs that end a sentence or an emphasis rather than an identifier."""
_ESCAPED = re.compile(r"\\([_%#&])")

_DOI = re.compile(
    r"(?:(?P<said>(?:https?://)?(?<![\w.-])(?:dx\.|www\.)?doi\.org/|(?<![\w./-])(?:info:)?doi(?:\s?:\s?|/|\s|\{))"
    rf"|(?<![\w.,/-]))(?P<doi>1\d\.{_TOKEN})",
    re.IGNORECASE,
)
_DOI_FORM = re.compile(r"10\.[1-9]\d{3,8}(?:\.\d{1,9}){0,4}/\S+")
_DOI_LIKE = re.compile(r"\d\d\.[\d.]{1,20}/\S")
_DECIMAL = re.compile(r"[\d.,+\-*/=]{0,11}|.{1,3}")
"""What follows the slash where `10.1234/5.2` is a quotient, not a DOI."""

_ARCHIVE_NAMES = """
acc-phys adap-org alg-geom ao-sci astro-ph atom-ph bayes-an chao-dyn chem-ph cmp-lg comp-gas cond-mat cs dg-ga funct-an
gr-qc hep-ex hep-lat hep-ph hep-th math math-ph mtrl-th nlin nucl-ex nucl-th patt-sol physics plasm-ph q-alg q-bio
quant-ph solv-int supr-con
"""
_ARCHIVES = frozenset(_ARCHIVE_NAMES.split())
_ARXIV = re.compile(
    r"(?:(?P<said>(?:https?://)?(?<![\w.-])(?:[a-z]{2,6}\.)?(?:arxiv\.org/(?:abs|pdf|html|format|ps|e-print"
    r"|ftp/[a-z-]{2,12}/papers/\d{4})|ar5iv(?:\.labs\.arxiv)?\.org/(?:abs|html))/|(?<![\w./-])arxiv(?:\s?:\s?|\s|/))"
    r"|(?<![\w.,/-]))"
    r"(?:(?P<month>\d{4})\.(?P<number>\d{1,7})|(?P<archive>[a-z][a-z-]{1,9})(?:\.[a-z]{2})?/(?P<old>\d{4,9}))"
    r"(?:v(?P<version>\d{1,3}))?(?!\w)(?:\.pdf\b)?(?!\.\d)",
    re.IGNORECASE,
)
_OLD_NUMBER = re.compile(r"/\d{7}(?!\d)")

_ISBN = re.compile(
    r"(?<!\w)ISBN(?:-?1[03])?(?:\s?\(1[03]\))?\s?:?\s?(?P<digits>\d(?:[ –-]?\d){8,16}(?:[ –-]?X)?)(?!\w)", re.IGNORECASE
)
_MR = re.compile(r"(?<!\w)MR\s?[-:]?\s?(?P<number>\d{5,12})(?!\w|[.,]\d)")
_MR_DIGITS = 7
_ZBL = re.compile(r"(?<!\w)(?P<base>Zbl|JFM)\s?:?\s?(?P<number>\d{1,12}(?:\.\d{1,9}){0,3})(?!\w|\.\d)", re.IGNORECASE)
_ZBL_FORMS = {"zbl": re.compile(r"\d{1,4}\.\d{5}|\d{7,8}"), "jfm": re.compile(r"\d{1,2}\.\d{4}\.\d{2}")}

_SITE = (
    r"(?:(?:[a-z]{2,20}\.)?mathoverflow\.net|[a-z0-9.-]{2,40}\.stackexchange\.com|(?:[a-z]{2}\.)?stackoverflow\.com)"
)
_URL = re.compile(
    rf"(?:https?://|(?<![\w./@-])(?:www\.(?=[a-z0-9])|(?={_SITE}/(?:q|a|questions)/\d))){_TOKEN}", re.IGNORECASE
)
_DOMAIN = re.compile(r"(?:[\w-]{1,63}\.){1,10}[\w-]{1,63}")
_POST = re.compile(r"/(?:questions/\d{1,10}/[^/]{1,200}/(?P<reply>\d{1,10})|(?P<what>questions|q|a)/(?P<id>\d{1,10}))")


def identifiers(text: str, today: date) -> Iterator[Mention]:
    """Every identifier, kind by kind: what names a thing better comes before what may overlap it.

    What most texts hold nothing of is looked for only where its sign is in the text.

    Args:
        text: any text.
        today: ids that carry a later month are malformed.
    """
    lower = text.lower()
    if "10." in text or "doi" in lower:
        yield from _dois(text)
    if "arxiv" in lower or _OLD_NUMBER.search(text):
        yield from _arxiv_ids(text, today)
    if "isbn" in lower:
        yield from _isbns(text)
    if "MR" in text or "zbl" in lower or "jfm" in lower:
        yield from _review_numbers(text)
    if "http" in lower or "www." in lower or ".com/" in lower or ".net/" in lower:
        yield from _urls(text)


def _dois(text: str) -> Iterator[Mention]:
    for found in _DOI.finditer(text):
        written, said = found["doi"].rstrip(_TAIL), found["said"] or ""
        if "/" in said:
            written = re.split(r"[?#]", written, maxsplit=1)[0].rstrip(_TAIL)
        doi = _ESCAPED.sub(r"\1", written)
        if "%" in doi and "/" in said:
            doi = unquote(doi)
        _, _, suffix = doi.partition("/")
        well_formed = _DOI_FORM.fullmatch(doi) is not None
        if said and not well_formed and not _DOI_LIKE.match(doi):
            continue
        if not said and (not well_formed or _DECIMAL.fullmatch(suffix)):
            continue
        problem = "" if well_formed else "a DOI begins with 10., four to nine digits that don't start with 0, and a /"
        span = Span(found.start(), found.start("doi") + len(written))
        yield Mention(ReferenceKind.DOI, doi.lower(), span, problem)


def _arxiv_ids(text: str, today: date) -> Iterator[Mention]:
    for found in _ARXIV.finditer(text):
        span = Span(*found.span())
        version = "there is no version 0" if found["version"] and int(found["version"]) == 0 else ""
        if found["month"]:
            if not found["said"]:
                continue
            key = f"{found['month']}.{found['number']}"
            problem = _new_id_problem(found["month"], found["number"], today)
        else:
            archive = found["archive"].lower()
            if not found["said"] and (archive not in _ARCHIVES or len(found["old"]) != 7):
                continue
            key = f"{archive}/{found['old']}"
            problem = _old_id_problem(archive, found["old"])
        yield Mention(ReferenceKind.ARXIV, key, span, problem or version)


def _new_id_problem(month: str, number: str, today: date) -> str:
    """Why no paper can have the id `month.number`; "" when one can."""
    year, of_year = 2000 + int(month[:2]), int(month[2:])
    if not 1 <= of_year <= 12:
        return f"an arXiv id begins with year and month, and there is no month {month[2:]}"
    if (year, of_year) < (2007, 4):
        return "arXiv ids of this form begin in April 2007"
    if (year, of_year) > (today.year, today.month):
        return f"its month, {year}-{of_year:02}, is in the future"
    digits = 4 if year < 2015 else 5
    if len(number) != digits:
        return f"arXiv ids of {year} have {digits} digits after the point"
    return "arXiv numbers begin with 1" if int(number) == 0 else ""


def _old_id_problem(archive: str, number: str) -> str:
    """Why no paper can have the id `archive/number`, the form until March 2007; "" when one can."""
    if archive not in _ARCHIVES:
        return f"arXiv never had an archive {archive}"
    if len(number) != 7:
        return "arXiv ids of this form have 7 digits: year, month and a number of three digits"
    year = int(number[:2]) + (1900 if number[0] == "9" else 2000)
    month = int(number[2:4])
    if not 1 <= month <= 12:
        return f"an arXiv id begins with year and month, and there is no month {number[2:4]}"
    if not (1991, 7) <= (year, month) <= (2007, 3):
        return "arXiv ids of this form are of July 1991 to March 2007"
    return "arXiv numbers begin with 1" if int(number[4:]) == 0 else ""


def _isbns(text: str) -> Iterator[Mention]:
    for found in _ISBN.finditer(text):
        written = _isbn_part(found["digits"])
        digits = _bare(written)
        span = Span(found.start(), found.start("digits") + len(written))
        yield Mention(ReferenceKind.ISBN, _isbn_13(digits), span, _isbn_problem(digits))


def _isbn_part(written: str) -> str:
    """The ISBN without a number that stands behind it, as a year does."""
    for end in (one.start() for one in re.finditer(r" |\Z", written)):
        if sum(sign.isalnum() for sign in written[:end]) in (10, 13):
            return written[:end] if _isbn_problem(_bare(written)) else written
    return written


def _bare(written: str) -> str:
    return re.sub(r"[ –-]", "", written).upper()


def _isbn_problem(digits: str) -> str:
    if len(digits) == 10 and (digits[:-1].isdigit()):
        values = [10 if sign == "X" else int(sign) for sign in digits]
        sound = sum(weight * value for weight, value in zip(range(10, 0, -1), values, strict=True)) % 11 == 0
    elif len(digits) == 13 and digits.isdigit():
        if digits[:3] not in ("978", "979"):
            return "an ISBN of 13 digits begins with 978 or 979"
        sound = int(digits[-1]) == _check_digit(digits[:12])
    else:
        return f"an ISBN has 10 or 13 digits, not {len(digits)}"
    return "" if sound else "its check digit is wrong"


def _check_digit(twelve: str) -> int:
    return -sum(int(sign) * (3 if place % 2 else 1) for place, sign in enumerate(twelve)) % 10


def _isbn_13(digits: str) -> str:
    """The same ISBN with 13 digits, where it is sound."""
    if len(digits) != 10 or _isbn_problem(digits):
        return digits
    return f"978{digits[:-1]}{_check_digit(f'978{digits[:-1]}')}"


def _review_numbers(text: str) -> Iterator[Mention]:
    for found in _MR.finditer(text):
        number = found["number"].lstrip("0")
        problem = "" if len(number) <= _MR_DIGITS else f"numbers of Mathematical Reviews have {_MR_DIGITS} digits"
        yield Mention(ReferenceKind.MR, f"MR{number:0>{_MR_DIGITS}}", Span(*found.span()), problem)
    for found in _ZBL.finditer(text):
        base, number = found["base"].lower(), found["number"]
        well_formed = _ZBL_FORMS[base].fullmatch(number) is not None
        if not well_formed and "." not in number:
            continue
        shape = "1234.56789" if base == "zbl" else "12.3456.78"
        problem = "" if well_formed else f"numbers of {base.upper() if base == 'jfm' else 'Zbl'} look like {shape}"
        yield Mention(ReferenceKind.ZBL, f"{base} {number}", Span(*found.span()), problem)


def _urls(text: str) -> Iterator[Mention]:
    for found in _URL.finditer(text):
        written = found[0].rstrip(_TAIL)
        address = _ESCAPED.sub(r"\1", written).replace("&amp;", "&")
        span = Span(found.start(), found.start() + len(written))
        key, problem = _address(address if "://" in address else f"https://{address}")
        yield Mention(ReferenceKind.URL, key, span, problem)


def _address(url: str) -> tuple[str, str]:
    """What two ways to write one web address have in common, and why it can't be one."""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").removeprefix("www.")
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return url, "it is no web address"
    post = _POST.match(parts.path) if re.fullmatch(_SITE, host) else None
    if post:
        kind = "a" if post["reply"] or post["what"] == "a" else "questions"
        return f"{host}/{kind}/{post['reply'] or post['id']}", ""
    query = f"?{parts.query}" if parts.query else ""
    key = f"{host}{port}{parts.path.rstrip('/')}{query}"
    return key, "" if _DOMAIN.fullmatch(host) else "its host is no full domain name"
