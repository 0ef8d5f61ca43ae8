"""Candidates as their form has them."""

from dataclasses import replace

import pytest

from store.rows import Origin
from uq_tui.state.by_hand import SOURCE, Author, candidate_by_hand
from uq_tui.words import AuthorKind


@pytest.mark.parametrize("kind", AuthorKind)
def test_the_name_is_of_what_wrote_it_and_only_a_persons_answer_is_the_reference(kind: AuthorKind) -> None:
    author = Author(kind, "Eve", organisation="O", base_model="B")
    new = candidate_by_hand("source:1", "Ten.", author, prompt="P", reference=True)
    plain = Origin(kind, organisation="O", base_model="B", prompt="P", source=SOURCE)
    named = {
        AuthorKind.MODEL: replace(plain, model="Eve"),
        AuthorKind.SYSTEM: replace(plain, system="Eve"),
        AuthorKind.PERSON: replace(plain, person="Eve"),
    }
    assert new.origin == named[kind]
    assert new.reference is (kind is AuthorKind.PERSON)
    assert not candidate_by_hand("source:1", "Ten.", author).reference
