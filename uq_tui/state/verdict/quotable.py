"""Whose answer is read, and so in which verdict its words can be quoted."""

from store.rows import Candidate
from store.whereabouts import answers_with
from uq_tui.state.desk import Desk
from uq_tui.state.reading.readable import Readable
from uq_tui.state.reviewing import blind
from uq_tui.state.verdict.errors import QuoteError


def answer_of(desk: Desk, readable: Readable) -> Candidate:
    """The candidate whose answer is read. Of several that have the same, the one with which the text's key ends.

    Raises:
        QuoteError: it is no answer that can be judged, or it can't be told whose.
    """
    found = [one.candidate_id for text in readable.texts for one in answers_with(desk.workspace, text.sha256)]
    named = [candidate_id for candidate_id in found if readable.key.endswith(candidate_id)] or found
    if len(set(named)) != 1:
        raise QuoteError(
            "Only a candidate's answer can be quoted in a verdict: not the question, nor the model's reasoning.",
            hint="M remarks on what is selected, C copies it.",
        )
    candidate = blind.candidate(desk.workspace, desk.reviewer.id, named[0])
    if candidate.reference:
        raise QuoteError(f"{candidate.called} is the reference: nobody judges it.")
    return candidate
