"""Audits of a candidate as they are read."""

import pytest

from store.html import html_to_markdown
from store.rows import Text
from store.workspace import Workspace
from tests.document.drawn import lay_out
from tests.engine.runs.scripted import add_candidates, add_question
from tests.found_runs import audited_by
from uq_tui.state.findings.audited import read_audits, telling
from uq_tui.words import ErrorCategory, Reading, TextFormat

ANSWER = "First, by Gauss.\nClearly it is so.\nBy a theorem it is 7."
TEXT = Text("0", TextFormat.MARKDOWN, ANSWER, ANSWER)
FOUND = [
    (ErrorCategory.EXTERNAL_REFERENCES, "By a theorem"),
    (ErrorCategory.UNJUSTIFIED_COMPRESSION, "Clearly"),
    (ErrorCategory.EXTERNAL_REFERENCES, "by Gauss"),
]


@pytest.fixture
def candidate(workspace: Workspace) -> str:
    add_question(workspace)
    (added,) = add_candidates(workspace, ANSWER)
    return added


def test_claims_come_by_category_with_the_lines_of_their_quotes(workspace: Workspace, candidate: str) -> None:
    audited_by(workspace, candidate, ANSWER, FOUND, dropped=1)
    (found,) = read_audits(workspace, candidate, TEXT)
    groups = [(category, [(one.claim.quote, one.line) for one in own]) for category, own in found.groups()]
    assert groups == [
        (ErrorCategory.UNJUSTIFIED_COMPRESSION, [("Clearly", 2)]),
        (ErrorCategory.EXTERNAL_REFERENCES, [("By a theorem", 3), ("by Gauss", 1)]),
    ]
    assert found.outcome_text() == "3 claims, 1 quote dropped"


def test_the_newest_audit_is_first(workspace: Workspace, candidate: str) -> None:
    for model in ("m/old", "m/new"):
        audited_by(workspace, candidate, ANSWER, model=model)
    assert [one.model for one in read_audits(workspace, candidate, TEXT)] == ["m/new", "m/old"]


@pytest.mark.parametrize(
    ("state", "reason", "said"),
    [
        (Reading.READ, "", "no claims"),
        (Reading.UNPARSED, "no object\nwith the code", "unparsed: no object with the code"),
        (Reading.FAILED, "", "failed"),
    ],
)
def test_an_audit_without_claims_says_why(
    workspace: Workspace, candidate: str, state: Reading, reason: str, said: str
) -> None:
    audited_by(workspace, candidate, ANSWER, state=state, reason=reason)
    (found,) = read_audits(workspace, candidate, TEXT)
    assert found.outcome_text() == said
    assert found.told == (state is not Reading.FAILED)
    assert ("Enter reads" in found.markdown()) == found.told


def test_only_an_audit_with_words_tells_anything(workspace: Workspace, candidate: str) -> None:
    audited_by(workspace, candidate, ANSWER, state=Reading.FAILED, reason="status 500")
    assert not telling(read_audits(workspace, candidate, TEXT))
    audited_by(workspace, candidate, ANSWER)
    assert telling(read_audits(workspace, candidate, TEXT))


def test_a_claim_says_what_is_wrong_and_what_would_mend_it(workspace: Workspace, candidate: str) -> None:
    audited_by(workspace, candidate, ANSWER, [(ErrorCategory.INCORRECT_REASONING, "First, by Gauss.\nClearly")])
    (found,) = read_audits(workspace, candidate, TEXT)
    shown = [line.text for line in lay_out(found.flaws[0].markdown(), 60).lines if line.text]
    assert shown == [
        "incorrect reasoning, line 1",
        "▌ First, by Gauss. Clearly",
        "It claims: Claim 1.",
        "Problem: Problem 1.",
        "What would fix it: Fix 1.",
    ]


def test_a_quote_of_html_is_told_as_it_is_read(workspace: Workspace, candidate: str) -> None:
    raw = "<p>If $a &lt; b$, <b>all</b> is well.</p>"
    audited_by(workspace, candidate, raw, [(ErrorCategory.INCORRECT_REASONING, "a &lt; b$, <b>all</b> is")])
    (found,) = read_audits(workspace, candidate, Text("0", TextFormat.HTML, raw, html_to_markdown(raw)))
    assert found.flaws[0].quote == "a < b$, **all** is"
