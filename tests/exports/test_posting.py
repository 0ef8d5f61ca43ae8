"""Answers for posting: what is said of them, and that a site's policy stands before the file."""

from pathlib import Path

import pytest

from exports.posting import export_for_posting, prepare
from store import adjudications, calls, candidates, conflicts, decisions, posted, reviewers
from store.posted import NewPostedAnswer
from store.rows import NewCandidate, Origin, Reviewer, VerdictForm
from store.workspace import Workspace
from tests.store.disputed import dispute
from tests.store.records.giving import give
from tests.store.records.samples import REVIEWER
from tests.store.records.stock import call
from tests.store.standing import EVE
from tests.store.stock import question, take
from uq_tui.errors import ExportError, NotFoundError
from uq_tui.words import AuthorKind, Label, PostingRule, Relation, TextFormat

MACHINE = Origin(AuthorKind.MODEL, model="gpt-x", organisation="X *Labs*", call_key="k1")


def put(ws: Workspace, site: str, origin: Origin = MACHINE, answer: str = "<p>Yes.</p>") -> str:
    asked = question(
        1,
        id=f"{site}:1",
        site=site,
        title="Is [it] <so>?",
        link=f"https://{site}/questions/1",
        author="ann_b",
        asked_at="2019-01-01T00:00:00Z",
    )
    take(ws, asked)
    calls.save(ws, [call("k1", template="generate", template_version="2")])
    (key,) = candidates.add(ws, [NewCandidate(asked.id, answer, TextFormat.HTML, origin)])
    return key


def test_readers_are_told_who_wrote_it_who_checked_it_and_whose_the_question_is(workspace: Workspace) -> None:
    key = put(workspace, "physics.stackexchange.com")
    reviewers.save(workspace, REVIEWER)
    form = VerdictForm(label=Label.CORRECT_BORDERLINE, relation=Relation.DOMAIN_EXPERT)
    made = decisions.record(workspace, REVIEWER, key, form, based_on=None).verdict
    assert prepare(workspace, key).text == (
        "Yes.\n\n---\n\nAbout this answer:\n\n"
        "- It was written by a machine, not by whoever posts it: the model gpt-x, by X \\*Labs\\*.\n"
        f"- Its prompt is the template generate 2 (sha256 {'ab' * 32}).\n"
        f"- Checked by ada (domain expert) on {made.created_at[:10]}: correct borderline.\n"
        "- It answers “Is \\[it\\] \\<so\\>?”, by ann\\_b, on Physics,"
        " https://physics.stackexchange.com/questions/1, CC BY-SA 4.0 (https://creativecommons.org/licenses/by-sa/4.0/).\n"
    )


def test_who_has_settled_what_others_disagreed_on_is_told_apart(workspace: Workspace) -> None:
    (key,) = dispute(workspace)
    between = conflicts.of_candidate(workspace, candidates.get(workspace, key).question_id, key).names
    adjudications.settle(workspace, EVE, key, VerdictForm(label=Label.INCORRECT), between)
    said = prepare(workspace, key).text
    assert said.count("- Checked by ") == 2
    assert said.count("- Settled between what others said by eve (other)") == 1


@pytest.mark.parametrize(
    ("title", "plain"),
    [
        ("Is https://a.org/b_c?d=1&e#f so?", "Is https://a.org/b_c?d=1&e#f so?"),
        ("See https://a.org)[click](https://evil.org", r"See https://a.org\)\[click\]\(https://evil.org"),
        ("https://a.org/<img/src=x> https://`x`", r"https://a.org/\<img/src=x\> https://\`x\`"),
    ],
)
def test_an_address_is_no_way_for_marks_into_what_is_posted(workspace: Workspace, title: str, plain: str) -> None:
    key = put(workspace, "physics.stackexchange.com")
    take(workspace, question(1, id="physics.stackexchange.com:1", title=title))
    assert f"It answers “{plain}”, by" in prepare(workspace, key).text


def test_a_person_with_two_linked_ids_has_checked_it_once(workspace: Workspace) -> None:
    key = put(workspace, "physics.stackexchange.com")
    first = Reviewer("r-home", "ada", "", ())
    for who, label in (
        (first, Label.CORRECT),
        (Reviewer("r-work", "ada at work", "", (), linked=(first.id,)), Label.INCORRECT),
    ):
        give(workspace, who, key, VerdictForm(label=label))
    said = prepare(workspace, key).text
    assert said.count("- Checked by ") == 1
    assert ": incorrect." in said


def test_verdicts_that_were_taken_back_are_not_told(workspace: Workspace) -> None:
    key = put(workspace, "physics.stackexchange.com")
    reviewers.save(workspace, REVIEWER)
    decisions.record(workspace, REVIEWER, key, VerdictForm(label=Label.CORRECT), based_on=None)
    decisions.retract(workspace, REVIEWER, key)
    assert "- No person has checked it.\n" in prepare(workspace, key).text


def test_a_site_that_forbids_it_is_heeded_unless_one_says_otherwise(workspace: Workspace, tmp_path: Path) -> None:
    ready = prepare(workspace, put(workspace, "math.stackexchange.com"))
    assert ready.is_forbidden
    file = tmp_path / "answer.md"
    with pytest.raises(ExportError, match=r"Mathematics does not take it: .* not allowed") as refused:
        export_for_posting(ready, file)
    assert "https://math.stackexchange.com/help/gen-ai-policy" in refused.value.hint
    assert not file.exists()
    export_for_posting(ready, file, anyway=True)
    assert file.read_text(encoding="utf-8") == ready.text


@pytest.mark.parametrize(
    ("site", "rule"),
    [
        ("chess.stackexchange.com", PostingRule.UNKNOWN),
        ("mathoverflow.net", PostingRule.MAY_BE_DELETED),
        ("physics.stackexchange.com", PostingRule.WITH_REFERENCE),
    ],
)
def test_other_sites_take_it_and_say_what_they_ask_for(
    workspace: Workspace, tmp_path: Path, site: str, rule: PostingRule
) -> None:
    ready = prepare(workspace, put(workspace, site))
    assert (ready.policy.rule, ready.is_forbidden) == (rule, False)
    export_for_posting(ready, tmp_path / "answer.md")
    assert (tmp_path / "answer.md").exists()


def test_a_persons_answer_is_no_machines(workspace: Workspace) -> None:
    ready = prepare(workspace, put(workspace, "math.stackexchange.com", Origin(AuthorKind.PERSON, person="eve")))
    assert (ready.by_machine, ready.is_forbidden) == (False, False)
    assert "- It was written by eve.\n" in ready.text


def test_an_answer_that_was_posted_before_says_where(workspace: Workspace) -> None:
    put(workspace, "math.stackexchange.com")
    before = NewPostedAnswer(
        "math.stackexchange.com:1",
        "No.",
        TextFormat.MARKDOWN,
        "3",
        link="https://math.stackexchange.com/a/3",
        author="bob",
        posted_at="2020-01-01T00:00:00Z",
    )
    workspace.write(lambda db: posted.put_answers(db, [before]))
    key = next(one.id for one in candidates.of_question(workspace, before.question_id) if one.answer.raw == "No.")
    assert "- It was posted before by bob, on Mathematics, https://math.stackexchange.com/a/3, CC BY-SA 4.0" in (
        prepare(workspace, key).text
    )


def test_what_could_steer_a_reader_is_made_plain(workspace: Workspace, tmp_path: Path) -> None:
    origin = Origin(AuthorKind.SYSTEM, system="a\n\n# b \x1b[2J\u202e", prompt="Answer.")
    ready = prepare(workspace, put(workspace, "chess.stackexchange.com", origin, "\ud83d \x1b]0;x\x07"))
    export_for_posting(ready, tmp_path / "answer.md")
    written = (tmp_path / "answer.md").read_text(encoding="utf-8")
    assert "\x1b" not in written
    assert "\u202e" not in written
    assert "\n# b" not in written
    assert "- Its prompt has the sha256 " in written


def test_an_answer_without_its_text_is_nothing_to_post(workspace: Workspace) -> None:
    with pytest.raises(NotFoundError):
        prepare(workspace, "0" * 64)
