"""What the licence of a post asks to be said of it: site, link, author, licence, and that it was changed.

CC BY-SA, section 3(a) of version 4.0 and 4(a) to 4(c) of 2.5 and 3.0: name the author, the source and the licence with
their links, and mark changes. The network's terms ask for a link to the post and to its author's page.
"""

from dataclasses import dataclass

from store import candidates, posted, questions, sites
from store.ingest.stack_exchange import is_network_host, licence_at
from store.post_links import author_link, edited_on, licence_link
from store.posted import PostedAnswer
from store.rows import Question
from store.workspace import Workspace

_DAY = 10


@dataclass(frozen=True, slots=True)
class Attribution:
    """Whose a text is. Whatever the source didn't say is ""."""

    site: str
    """Its host, or the name that a source of another kind has."""
    site_name: str
    link: str
    author: str
    author_link: str
    licence: str
    licence_link: str
    posted_at: str
    changes: tuple[str, ...] = ()
    """What was done to it since it was first posted, each in words."""

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """Each in words for a person, with its link; either may be ""."""
        facts = (
            (f"by {self.author}" if self.author else "", self.author_link),
            (f"on {self.site_name}" if self.site_name else "", ""),
            ("", self.link),
            (self.licence, self.licence_link),
            *((change, "") for change in self.changes),
        )
        return tuple(fact for fact in facts if any(fact))

    @property
    def text(self) -> str:
        """All of it on one line; "" where nothing is known."""
        return ", ".join(f"{words} ({link})" if words and link else words or link for words, link in self.facts)


def of_question(question: Question) -> Attribution:
    """Whose a question is, in the words that its site has."""
    site = question.row.site
    cut = "shortened by its source" if question.extra.get("truncated") is True else ""
    return _attribution(
        site,
        question.link,
        question.author,
        question.author_id,
        question.licence,
        question.row.asked_at,
        (_edited(question.edited_at, question.row.asked_at), cut),
    )


def of_candidate(ws: Workspace, candidate_id: str) -> Attribution | None:
    """Whose a posted answer is; `None` of a candidate that wasn't posted on a site. Raises NotFoundError.

    It names the author, so it is not for whoever judges the answer blind.
    """
    found = posted.of_candidate(ws, candidate_id)
    if found is None:
        return None
    candidate = candidates.get(ws, candidate_id)
    question = questions.get(ws, candidate.question_id)
    with ws.read() as db:
        name = posted.author_name(db, question.row.site, found.author, found.author_id)
    return of_answer(found, question.row.site, name, cut_off=candidate.cut_off)


def of_answer(answer: PostedAnswer, site: str, name: str, *, cut_off: bool = False) -> Attribution:
    """Whose an answer on `site` is, who goes by `name`."""
    changes = (_edited(answer.edited_at, answer.posted_at), "cut at its length limit" if cut_off else "")
    return _attribution(site, answer.link, name, answer.author_id, answer.licence, answer.posted_at, changes)


def _edited(edited_at: str | None, posted_at: str | None) -> str:
    day = edited_on(edited_at, posted_at)[:_DAY]
    return f"edited there on {day}" if day else ""


def _attribution(
    site: str,
    link: str,
    author: str,
    author_id: str,
    licence: str,
    posted_at: str | None,
    changes: tuple[str, ...],
) -> Attribution:
    named = licence or (licence_at(posted_at) if is_network_host(site) else "")
    return Attribution(
        site=site,
        site_name=sites.name_of(site),
        link=link,
        author=author,
        author_link=author_link(site, author_id),
        licence=named,
        licence_link=licence_link(named),
        posted_at=posted_at or "",
        changes=tuple(change for change in changes if change),
    )
