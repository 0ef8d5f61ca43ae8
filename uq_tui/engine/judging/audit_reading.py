"""Reading audits: the one JSON object that carries the code, and where its quotes stand in the answer.

Categories and quotes are held to the contract here, not by the prompt alone: that of the paper (arXiv 2602.06291v1,
E.4) prints a range of six ids for four categories, and a fifth name in its example.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from store.judge_rows import Claim
from store.rows import Text
from store.texts import source_map
from uq_tui.document.source_map import SourceMap
from uq_tui.engine.judging.coded_json import StructureError, coded_object, list_of, require_keys
from uq_tui.text import counted
from uq_tui.words import ErrorCategory

CATEGORIES = (
    ErrorCategory.INCORRECT_REASONING,
    ErrorCategory.UNJUSTIFIED_COMPRESSION,
    ErrorCategory.UNJUSTIFIED_INTERPRETATION,
    ErrorCategory.EXTERNAL_REFERENCES,
)
"""What an audit can find (Section 6 of the paper); reviewers have more."""
MOST_QUOTES = 3
"""Quotes in one category."""
_TEXTS = ("quote", "claim", "problem", "fix")
_LATEX = {"\b": r"\b", "\f": r"\f", "\t": r"\t", "\r": r"\r"}
_CONTROL = re.compile(r"[\x08\f\t]|\r(?!\n)")
_BREAK = re.compile(r"\n(?=[a-zA-Z])")


@dataclass(frozen=True, slots=True)
class Finding:
    """One quote of an audit with what is said of it, not yet looked up in the answer."""

    category: ErrorCategory
    quote: str
    claim: str
    problem: str
    fix: str


@dataclass(frozen=True, slots=True)
class ReadReply:
    """What a reply finds. `trouble` says why it can't be read; then there are no findings."""

    findings: tuple[Finding, ...] = ()
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Anchored:
    """Claims on quotes that are in the answer; `dropped` counts the others and `note` says what became of them."""

    claims: tuple[Claim, ...]
    dropped: int
    note: str


def read_audit(reply: str, tag: str) -> ReadReply:
    """The findings in a judge's reply.

    Exactly one JSON object that begins with the tag as its `code` must stand in it. Prose, fences and other objects
    around it don't matter.

    Args:
        reply: the reply proper, without the judge's reasoning.
        tag: the code that was asked for.
    """
    try:
        return ReadReply(_findings(coded_object(reply, tag)))
    except StructureError as error:
        return ReadReply(trouble=str(error))


def _findings(audit: Mapping[str, Any]) -> tuple[Finding, ...]:
    require_keys(audit, ("code", "findings"), "the audit")
    read: list[Finding] = []
    seen: set[ErrorCategory] = set()
    for number, entry in enumerate(list_of(audit["findings"], "findings"), start=1):
        where = f"finding {number}"
        require_keys(entry, ("category", "quotes"), where)
        category = _category(entry["category"], where)
        if category in seen:
            raise StructureError(f"the category {category} stands twice")
        seen.add(category)
        quotes = list_of(entry["quotes"], f"the quotes of {category}")
        if not 1 <= len(quotes) <= MOST_QUOTES:
            raise StructureError(f"{category} has {counted(len(quotes), 'quote')} instead of 1 to {MOST_QUOTES}")
        read += (_finding(category, quote) for quote in quotes)
    return tuple(read)


def _finding(category: ErrorCategory, quote: Any) -> Finding:
    where = f"a quote of {category}"
    require_keys(quote, _TEXTS, where)
    for name in _TEXTS:
        if not isinstance(quote[name], str) or not quote[name].strip():
            raise StructureError(f"{name} in {where} is not a text, or empty")
    return Finding(category, **{name: quote[name] for name in _TEXTS})


def _category(word: Any, where: str) -> ErrorCategory:
    if not isinstance(word, str) or word not in CATEGORIES:
        raise StructureError(f"{where} has an unknown category {json.dumps(word)[:60]}")
    return ErrorCategory(word)


def anchor(run_id: str, candidate_id: str, findings: Iterable[Finding], *, shown: str, answer: Text) -> Anchored:
    """Claims, each on the code points of its quote in the raw answer.

    A quote must be in the text that the judge was shown, exactly but for how JSON spells it (`_spellings`), and some of
    it in the raw answer; it is dropped otherwise. Where the two texts differ, as for HTML, the claim bears the raw one,
    with the tags and entities that the quote runs over. A quote that stands several times is anchored at the first. A
    finding that says the same as one before is left out.

    Args:
        run_id: the run that found them.
        candidate_id: the candidate that was audited.
        findings: what the judge found.
        shown: the answer as the prompt shows it.
        answer: the answer as it is kept.
    """
    claims: list[Claim] = []
    absent = shown_only = several = repeated = 0
    shown = shown.replace("\r\n", "\n")
    found = source_map(answer)
    for one in findings:
        quote = next((spelling for spelling in _spellings(one.quote) if spelling in shown), None)
        places = _places(answer.markdown, quote, found) if quote else []
        if not places:
            shown_only += quote is not None
            absent += quote is None
            continue
        start, end = places[0]
        key = claim_id(candidate_id, one.category, start, end, one.claim)
        if any(earlier.id == key for earlier in claims):
            repeated += 1
            continue
        several += len(places) > 1
        claims.append(
            Claim(
                run_id=run_id,
                candidate_id=candidate_id,
                position=len(claims) + 1,
                id=key,
                category=one.category,
                quote=answer.raw[start:end],
                start=start,
                end=end,
                claim=one.claim,
                problem=one.problem,
                fix=one.fix,
            )
        )
    notes = (
        (absent, "not in the answer, dropped"),
        (shown_only, "in the answer as shown but not in its text, dropped"),
        (several, "in the answer more than once, taken at the first"),
        (repeated, "said twice, kept once"),
    )
    note = "; ".join(f"{counted(count, 'quote')} {what}" for count, what in notes if count)
    return Anchored(tuple(claims), absent + shown_only, note)


def _spellings(quote: str) -> Iterator[str]:
    """What a judge can have meant by a quote, as it reads first.

    Many write LaTeX into JSON as it stands, where `\\beta`, `\\frac`, `\\rho`, `\\theta` and `\\nu` begin with the
    escapes of control characters.
    """
    quote = quote.replace("\r\n", "\n")
    yield quote
    latex = _CONTROL.sub(lambda found: _LATEX[found[0]], quote)
    latex_lines = _BREAK.sub(r"\\n", latex)
    yield from (latex, latex_lines)


def _places(markdown: str, quote: str, found: SourceMap) -> list[tuple[int, int]]:
    """Where the raw text has the first two places of a quote; such as have no text of the answer are none."""
    places: list[tuple[int, int]] = []
    at = markdown.find(quote)
    while at >= 0 and len(places) < 2:
        place = found.to_raw(at, at + len(quote))
        places += [place] if place else []
        at = markdown.find(quote, at + 1)
    return places


def claim_id(candidate_id: str, category: ErrorCategory, start: int, end: int, claim: str) -> str:
    """16 hexadecimal digits that stay the same whenever the same is claimed of the same passage."""
    text = json.dumps([candidate_id, category.value, start, end, claim])
    return hashlib.sha256(text.encode()).hexdigest()[:16]
