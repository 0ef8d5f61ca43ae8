"""What stands before a question's body when it is read."""

import re
from collections.abc import Iterable

from store import attribution
from store.attribution import Attribution
from store.rows import Candidate, Question
from store.workspace import Workspace
from uq_tui.text import counted

_LINK = re.compile(r"https?://[^\s<>]+")


def question_head(question: Question, resolution: str = "") -> str:
    """Title, where it stands, whose it is, a rule. Markdown of ours, with foreign words in it.

    `resolution` says whether it is solved, where that may be known.
    """
    row = question.row
    facts = [row.site, row.status.value, resolution]
    if row.score is not None:
        facts.append(f"score {row.score}")
    if question.views is not None:
        facts.append(f"{question.views:,} views")
    if question.answers is not None:
        facts.append(counted(question.answers, "posted answer"))
    if row.asked_at:
        facts.append(f"asked {row.asked_at[:10]}")
    whose = attributed(attribution.of_question(question))
    tags = ", ".join(row.tags)
    head = [f"# {row.title}", ", ".join(fact for fact in facts if fact), whose, tags and f"Tags: {tags}"]
    return "\n\n".join(part for part in (*head, "---") if part)


def attributed(whose: Attribution) -> str:
    """Whose a text is, on one line of Markdown."""
    return ", ".join(" ".join(filter(None, (words, _linked(link)))) for words, link in whose.facts)


def posted_answers(ws: Workspace, there: Iterable[Candidate]) -> dict[str, str]:
    """Whose those candidates are that were posted on a site, by id, as Markdown. It names their authors."""
    found = ((one.id, attribution.of_candidate(ws, one.id)) for one in there)
    return {key: f"Posted {attributed(whose)}" for key, whose in found if whose is not None}


def _linked(link: str) -> str:
    """An address that can be followed, in Markdown; anything else as it is."""
    return f"<{link}>" if _LINK.fullmatch(link) else link
