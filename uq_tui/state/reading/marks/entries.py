"""What is anchored in a text that is read: remarks, quotes of the reviewer's own verdict, claims of audits."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from store import audits, blindness, candidates, drafts, remarks, verdicts
from store.judge_rows import Claim
from store.reading_rows import Remark
from store.rows import MarkedError, VerdictForm
from store.verdict_form import form_of
from store.workspace import Workspace
from uq_tui.document.anchors import Anchor, Quoting, Unanchored, place
from uq_tui.state.findings.audited import category_text
from uq_tui.state.reading.readable import Placed, Readable
from uq_tui.text import clean_line
from uq_tui.words import Reading, VerdictRole, VerdictStatus

UNSHOWN = "its words are not among those that are shown"


class Kind(StrEnum):
    """What an entry is, in the word that stands before it."""

    REMARK = "remark"
    ERROR = "error"
    """A quote of an error in the reviewer's verdict on the candidate, or in the draft of it."""
    CLAIM = "claim"
    """A flaw that an audit quotes."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that was said about a span of the text."""

    kind: Kind
    key: str
    """Of the same kind no two have the same; a remark's is its id."""
    quote: str
    said: str
    """The reviewer's or the audit's words, as they are stored."""
    place: tuple[int, int] | None
    """Code points of the source that is read."""
    why: str = ""
    """Why there is no place."""

    @property
    def line(self) -> str:
        """`remark on “Two words”: which?`, cleaned; of one without a place `..., unanchored: why`."""
        told = f"{self.kind} on “{clean_line(self.quote)}”"
        if self.said.strip():
            told = f"{told}: {clean_line(self.said)}"
        return told if self.place else f"{told}, unanchored: {self.why}"


def remark_entries(
    ws: Workspace, reviewer_id: str, readable: Readable, earlier: Iterable[str] = ()
) -> tuple[Entry, ...]:
    """A reviewer's remarks on the stored texts that are shown.

    Args:
        ws: where they are.
        reviewer_id: whose.
        readable: what is shown.
        earlier: hashes of earlier versions of the first of its texts. Remarks on these are looked for in it anew.
    """
    found = []
    for text in _texts(readable):
        found += [remark_entry(one, text, readable) for one in remarks.of_texts(ws, reviewer_id, [text.sha256])]
    for text in readable.texts[:1]:
        older = set(earlier) - {one.sha256 for one in readable.texts}
        found += [remark_entry(one, text, readable) for one in remarks.of_texts(ws, reviewer_id, older)]
    return tuple(found)


def remark_entry(remark: Remark, text: Placed, readable: Readable) -> Entry:
    """A remark where its words stand in `text`, be it of the text it was made on or of an earlier version."""
    same = remark.text_sha256 == text.sha256
    return _entry(Kind.REMARK, remark.id, remark.note, remark, text, readable, same_text=same)


def error_entries(ws: Workspace, reviewer_id: str, candidate_id: str, readable: Readable) -> tuple[Entry, ...]:
    """The quotes of the errors that the reviewer has marked in the answer: in the draft, else in the verdict."""
    text = answer_in(ws, candidate_id, readable)
    form = _form(ws, reviewer_id, candidate_id) if text else None
    return quotes_of(form, text, readable) if text is not None and form is not None else ()


def quotes_of(form: VerdictForm, text: Placed, readable: Readable) -> tuple[Entry, ...]:
    """The quotes of a form's errors in the answer that stands at `text`, with the places that they have there.

    The key of one is its error's number in the form and its own within that: `2.1`.
    """
    return tuple(
        _entry(Kind.ERROR, f"{number}.{which}", _error_words(error), quote, text, readable)
        for number, error in enumerate(form.errors, start=1)
        for which, quote in enumerate(error.quotes, start=1)
    )


def _form(ws: Workspace, reviewer_id: str, candidate_id: str) -> VerdictForm | None:
    """What the reviewer says now; while they are to judge the answer once more, only what they say that time."""
    standing = verdicts.latest(ws, reviewer_id, candidate_id)
    stands = standing is not None and standing.status is VerdictStatus.SUBMITTED
    again = stands and blindness.hides_own_verdict(ws, reviewer_id, candidate_id)
    role = VerdictRole.REPEAT if again else VerdictRole.ORDINARY
    draft = drafts.get(ws, reviewer_id, candidate_id, role=role)
    if draft is not None:
        return draft.form
    return form_of(standing.record) if standing is not None and stands and not again else None


def _error_words(error: MarkedError) -> str:
    return ": ".join(part for part in (error.category.replace("_", " "), error.problem) if part)


def claim_entries(ws: Workspace, candidate_id: str, readable: Readable) -> tuple[Entry, ...]:
    """What all audits of the candidate claim, each claim once. Who is shown these doesn't judge blind any more."""
    text = answer_in(ws, candidate_id, readable)
    if text is None:
        return ()
    return tuple(
        _entry(
            Kind.CLAIM,
            claim.id,
            f"{category_text(claim.category)}: {claim.problem}",
            Anchor(claim.quote, claim.start, claim.end, "", ""),
            text,
            readable,
        )
        for claim in _claims(ws, candidate_id)
    )


def _claims(ws: Workspace, candidate_id: str) -> Iterator[Claim]:
    told: set[str] = set()
    for audit in reversed(audits.of_candidate(ws, candidate_id)):
        if audit.state is Reading.READ:
            for claim in audits.claims_of(ws, audit.run_id, candidate_id):
                if claim.id not in told:
                    told.add(claim.id)
                    yield claim


def answer_in(ws: Workspace, candidate_id: str, readable: Readable) -> Placed | None:
    """Where the candidate's answer stands in what is shown; None where it doesn't."""
    sha256 = candidates.get(ws, candidate_id).answer.sha256
    return next((text for text in readable.texts if text.sha256 == sha256), None)


def _texts(readable: Readable) -> Iterator[Placed]:
    """The stored texts that are shown, each once."""
    told: set[str] = set()
    for text in readable.texts:
        if text.sha256 not in told:
            told.add(text.sha256)
            yield text


def _entry(
    kind: Kind, key: str, said: str, quoting: Quoting, text: Placed, readable: Readable, *, same_text: bool = True
) -> Entry:
    found = place(quoting, text.raw, same_text=same_text)
    if isinstance(found, Unanchored):
        return Entry(kind, key, quoting.quote, said, None, found.reason)
    shown = readable.to_source(text.sha256, found.start, found.end)
    words = quoting.quote or text.raw[found.start : found.end]
    return Entry(kind, key, words, said, shown, "" if shown else UNSHOWN)
