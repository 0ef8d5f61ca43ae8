"""Finding the question that a row of another file means."""

import re

from sqlalchemy import select
from sqlmodel import col

from store.identity import canonical_host, post_of_link, question_id_for_post
from store.ingest.report import RowError
from store.search import indexed
from store.tables import QuestionTable, SourceIdTable
from store.workspace import Workspace

_POST_ID = re.compile("[0-9]{1,18}")


class NoSuchQuestionError(RowError):
    """No question is stored under what a row says."""


class QuestionFinder:
    """Finds stored questions by what rows say about them, and remembers what it found."""

    def __init__(self, ws: Workspace) -> None:
        self._ws = ws
        self._found: dict[tuple[str, str, str], str] = {}

    def find(self, identifier: str, *, link: str = "", site: str = "") -> str:
        """The id of the stored question meant.

        Args:
            identifier: our own id, a link, the site's post id, or the id the question had in its source.
            link: a link to the question, which counts most.
            site: host of the site the identifier belongs to, in any spelling.

        Raises:
            NoSuchQuestionError: no question is stored under that.
            RowError: several are.
        """
        asked = (identifier, link, site)
        if asked not in self._found:
            self._found[asked] = self._look_up(identifier, link, site)
        return self._found[asked]

    def _look_up(self, identifier: str, link: str, site: str) -> str:
        exact = _ids(identifier, link, site)
        with self._ws.read() as db:
            stored = set(db.execute(select(col(QuestionTable.id)).where(col(QuestionTable.id).in_(exact))).scalars())
            by_source = select(col(SourceIdTable.question_id)).where(col(SourceIdTable.source_id) == identifier)
            found = db.execute(by_source.limit(2)).scalars().all()
        for one in exact:
            if one in stored:
                return one
        if post_of_link(link) is None and len(found) == 1:
            return found[0]
        named = link or identifier
        if post_of_link(link) is None and found:
            raise RowError(f"several questions have the id {named}; name the site, or the id it has here")
        raise NoSuchQuestionError(f"question {named} is not in this workspace; import the questions first")


def _ids(identifier: str, link: str, site: str) -> list[str]:
    """The ids of ours that may be meant, the surest first."""
    posts = [post_of_link(link), post_of_link(identifier) if "/" in identifier else None]
    ids = [question_id_for_post(*post) for post in posts if post is not None]
    ids.append(indexed(identifier))
    if canonical_host(site) and _POST_ID.fullmatch(identifier):
        ids.append(question_id_for_post(site, identifier))
    return ids
