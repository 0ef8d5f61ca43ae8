"""What runs pin, and what prompts show of a question."""

import pytest

from store import candidates, questions
from store.workspace import Workspace
from tests.engine.runs.scripted import add_candidates, add_question
from uq_tui.engine.requests import ModelChoice
from uq_tui.engine.runs.pins import candidate_text, load_candidate, pin_candidate, pin_common, question_text
from uq_tui.errors import ModelError, UqError


@pytest.mark.parametrize(
    ("title", "body", "site", "text"),
    [
        ("T", "B", "s.com", "# T\n\nB\n\n(Asked on s.com)"),
        ("T", "B", "", "# T\n\nB"),
        ("", "B", "", "B"),
        ("Is it so?", "Is it so? Why?", "", "Is it so? Why?"),
        ("T", "  \n", "", "# T"),
    ],
)
def test_a_question_is_shown_with_title_body_and_site_once_each(
    workspace: Workspace, title: str, body: str, site: str, text: str
) -> None:
    key = add_question(workspace, title=title, body=body, site=site)

    assert question_text(questions.get(workspace, key)) == text


def test_a_candidate_is_found_again_by_its_pin(workspace: Workspace) -> None:
    add_question(workspace)
    (key,) = add_candidates(workspace, " It is so.\n")
    pinned = pin_candidate(candidates.get(workspace, key))

    assert pinned["id"] == key
    assert load_candidate(workspace, pinned) == candidate_text(candidates.get(workspace, key)) == "It is so."
    with pytest.raises(UqError, match="reads differently"):
        load_candidate(workspace, {**pinned, "sha256": "0" * 64})


@pytest.mark.parametrize("address", ["http://user:secret@h.example/v1", "https://h.example/v1?key=secret"])
def test_an_address_with_a_secret_in_it_is_never_pinned(address: str) -> None:
    with pytest.raises(ModelError) as caught:
        pin_common(ModelChoice("openai/x", address), [], epoch=0)
    assert "secret" not in str(caught.value)
