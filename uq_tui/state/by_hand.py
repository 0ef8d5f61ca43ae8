"""A candidate as its form has it: who wrote it, and whether it is the expert's own solution."""

from dataclasses import dataclass

from store.rows import NewCandidate, Origin
from uq_tui.words import AuthorKind, TextFormat

SOURCE = "entered by hand"


@dataclass(frozen=True, slots=True)
class Author:
    """Who wrote an answer; `name` is of the model, the system or the person that `kind` says."""

    kind: AuthorKind
    name: str = ""
    organisation: str = ""
    base_model: str = ""

    @property
    def may_be_expert(self) -> bool:
        """Whether an answer can be the reference, which is a person's own solution."""
        return self.kind is AuthorKind.PERSON


def candidate_by_hand(
    question_id: str, answer: str, author: Author, *, prompt: str = "", reference: bool = False
) -> NewCandidate:
    """An answer in Markdown to be kept. What was chosen for `reference` counts for a person's answer only."""
    kind, name = author.kind, author.name
    origin = Origin(
        kind,
        model=name if kind is AuthorKind.MODEL else "",
        system=name if kind is AuthorKind.SYSTEM else "",
        person=name if kind is AuthorKind.PERSON else "",
        organisation=author.organisation,
        base_model=author.base_model,
        prompt=prompt,
        source=SOURCE,
    )
    return NewCandidate(question_id, answer, TextFormat.MARKDOWN, origin, reference=reference and author.may_be_expert)
