"""What machines claim to be wrong in a candidate: by audits, and in the element that ends a grader's reply."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from store import calls, scores
from store.judge_rows import Scoring
from store.rows import Candidate, Quote, Text
from store.texts import source_map
from store.workspace import Workspace
from uq_tui.analysis.grades import errors_in
from uq_tui.document.anchors import Unanchored, place
from uq_tui.state.findings.audited import Audited, read_audits
from uq_tui.state.quoting import one_line, quoted
from uq_tui.words import Reading

MOST_QUOTES = 20
"""Quotations in one error of a grader that are looked for in the answer."""
_QUOTED = re.compile(r'“([^“”]{8,2000}+)”|"([^"\n]{8,2000}+)"|`([^`\n]{8,2000}+)`')


@dataclass(frozen=True, slots=True)
class ClaimItem:
    """A machine's claim about a candidate, to be confirmed or refuted."""

    id: str
    """Stays the same whenever the store is read: an audit's own id of it; a grader's run, sample and number."""
    source: str
    """`audit by MODEL`, `proof_grader by MODEL`."""
    title: str
    """What a list shows: the quote, or the words of the claim."""
    about: str
    """Markdown: all of it. Foreign words stay in their quotes and lines."""
    place: tuple[int, int] | None
    """Code points of the raw answer; `None` where no quote in it is found there."""
    call_key: str
    """The call whose reply makes the claim."""

    @property
    def key(self) -> str:
        """What it goes by in a list."""
        return claim_key(self.source, self.id)


def claim_key(source: str, claim_id: str) -> str:
    """What the claim goes by that has this id with this source."""
    return f"claim {source} {claim_id}"


def claims_on(ws: Workspace, candidate: Candidate) -> tuple[ClaimItem, ...]:
    """All claims on a candidate, those of the oldest run first; what the same model says again of it stands once."""
    audits = reversed(read_audits(ws, candidate.id, candidate.answer))
    found = [*(item for one in audits for item in _of_audit(one)), *_of_graders(ws, candidate)]
    return tuple({item.key: item for item in reversed(found)}.values())[::-1]


def _of_audit(one: Audited) -> Iterator[ClaimItem]:
    for flaw in one.flaws:
        claim = flaw.claim
        yield ClaimItem(
            id=claim.id,
            source=f"audit by {one.model}",
            title=f"{flaw.category}, line {flaw.line:,}: “{flaw.quote}”",
            about=flaw.markdown(),
            place=(claim.start, claim.end),
            call_key=one.audit.call_key,
        )


def _of_graders(ws: Workspace, candidate: Candidate) -> Iterator[ClaimItem]:
    told: set[str] = set()
    for scoring in scores.of_candidate(ws, candidate.id):
        keys = {one.call_key: one.sample for one in scoring.scores if one.state is Reading.READ}
        found = calls.find(ws, [key for key in keys if key not in told])
        told |= keys.keys()  # a reply that was remembered by a later run says nothing more
        for key, sample in keys.items():
            if key in found:
                yield from _of_reply(scoring, sample, key, found[key].reply, candidate.answer)


def _of_reply(scoring: Scoring, sample: int, key: str, reply: str, answer: Text) -> Iterator[ClaimItem]:
    for number, error in enumerate(errors_in(reply), 1):
        said = f"**By {one_line(scoring.judge)}**, sample {sample + 1}, error {number}"
        yield ClaimItem(
            id=f"{scoring.run_id}/{sample}/{number}",
            source=f"{scoring.judge} by {scoring.model}",
            title=error,
            about=f"{said}\n\n{quoted(error)}",
            place=quoted_place(error, answer),
            call_key=key,
        )


def quoted_place(words: str, answer: Text) -> tuple[int, int] | None:
    """Where the longest quotation in `words` that the answer has exactly once stands in its raw text."""
    quotes = [next(filter(None, one.groups())) for one in _QUOTED.finditer(words)][:MOST_QUOTES]
    for quote in sorted(quotes, key=len, reverse=True):
        found = place(Quote(quote, None, None, "", ""), answer.markdown)
        if not isinstance(found, Unanchored):
            return source_map(answer).to_raw(found.start, found.end)
    return None
