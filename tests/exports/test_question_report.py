"""A report of a question: it has all that was found, in words that Markdown and a browser leave alone."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from exports.question_report import SUFFIXES, export_report, prepare
from exports.report_markdown import markdown
from store import adjudications, candidates, conflicts, judgements, reviewers
from store.intake import NewQuestion
from store.rows import NewCandidate, Origin
from store.withheld import NOTHING, Withheld
from store.workspace import Workspace
from tests.exports.writers import fill
from tests.found_elsewhere import judge_row, put_row, put_validated, utility_row
from tests.store.records.giving import give, take_back
from tests.store.records.samples import QUESTION_ID, REVIEWER, candidate, form
from tests.store.records.stock import utility
from tests.store.stock import take
from uq_tui.document.blocks import Foreign, Heading, Lines, Table
from uq_tui.errors import ExportError, NotFoundError
from uq_tui.words import AuthorKind, Exposure, Label, RunKind, TextFormat


@pytest.fixture
def told(workspace: Workspace) -> Workspace:
    """A question with an answer that was judged, and one by nobody known."""
    fill(workspace)
    (run,) = {one.run_id for one in judgements.outcomes_of_candidate(workspace, candidate().id)}
    judgements.save_utilities(workspace, [utility(run, candidate().id, low=None, high=None, lift=None)])
    origin = Origin(AuthorKind.PERSON, person="a | b")
    candidates.add(
        workspace, [NewCandidate(QUESTION_ID, "Let $x^2$.\n\n```\nnever closed", TextFormat.MARKDOWN, origin)]
    )
    return workspace


def text_of(ws: Workspace, without: Withheld = NOTHING) -> str:
    return markdown(prepare(ws, QUESTION_ID, without).blocks)


def test_it_says_whose_what_is_and_what_was_found(told: Workspace) -> None:
    text = text_of(told)
    for said in (
        r"- Asked by asker, on Mathematics, https://math.stackexchange.com/q/2087, CC BY-SA 4.0",
        r"| c1 | gpt-x | incorrect | a-name: ✓ accept | 0.75 |",
        r"| c2 | a \| b | – | – | – |",
        "### Verdict by ada: incorrect",
        "- Score: 2 of 7",
        "- Given blind",
        "> The first step is wrong.",
        r"| incorrect reasoning | uniform | all maps | take x^2 | assume compactness |",
        "| the whole | ✓ accept |  |",
        "| gpt-x | 0.75 | 3/4 | 4 | 0.33 | – |",
        "- No person has judged it.",
    ):
        assert said in text


def test_what_runs_elsewhere_found_is_in_it_and_called_that(told: Workspace) -> None:
    second = candidates.of_question(told, QUESTION_ID)[1].id
    put_validated(told, second, "a word of theirs")
    put_row(told, second, "judged", RunKind.JUDGE, judges=[judge_row("judged")])
    put_row(told, second, "measured", RunKind.CBU, utilities=[utility_row("measured")])
    text = text_of(told)
    for said in (
        r"| c2 | a \| b | – | two: a word of theirs \(elsewhere\) | 0.75 (0.41 to 0.93) \(elsewhere\) |",
        "### Strategy two, by a run elsewhere that ended on 2026-02-03",
        "### Judges, by a run elsewhere that ended on 2026-02-03",
        "### Utility, by a run elsewhere that ended on 2026-02-03",
    ):
        assert said.replace("0.75 (0.41 to 0.93)", r"0.75 \(0.41 to 0.93\)") in text
    whose = prepare(told, QUESTION_ID, NOTHING).told
    assert all(second in whose[what] for what in (Exposure.OUTCOMES, Exposure.SCORES, Exposure.UTILITY))


def test_an_adjudication_is_not_one_more_opinion(told: Workspace) -> None:
    other, third = (replace(REVIEWER, id=f"0199aaaa-0000-7000-8000-00000000000{n}", handle=f"r{n}") for n in (8, 9))
    give(told, other, candidate().id, form(label=Label.CORRECT))
    reviewers.make(told, third)
    between = conflicts.of_candidate(told, QUESTION_ID, candidate().id).names
    adjudications.settle(told, third, candidate().id, form(label=Label.CORRECT), between)
    text = text_of(told)
    assert "| incorrect; correct; correct \\(adjudication\\) |" in text
    assert "### Adjudication by r9: correct" in text
    assert "- Settles a conflict between 2 verdicts" in text


def test_formulas_of_a_title_are_made_readable(workspace: Workspace) -> None:
    title = r"Is \( \triangle ABC \) right, and what of \( a_{1…"
    take(workspace, NewQuestion("source:t", title, "Is it?", TextFormat.MARKDOWN, "f"))
    report = prepare(workspace, "source:t", NOTHING)
    assert report.title == "Is △ABC right, and what of …"
    assert markdown(report.blocks).startswith(f"# {report.title}\n")


def test_a_text_ends_where_it_ends(told: Workspace) -> None:
    after = text_of(told).partition("> never closed")[2]
    assert after.startswith("\n\n## About this report")


def test_verdicts_that_are_kept_back_or_taken_back_are_not_in_it(told: Workspace) -> None:
    own = Withheld(reviewer_id=REVIEWER.id, candidates=frozenset({candidate().id}))
    assert "The first step is wrong." not in text_of(told, own)
    give(told, REVIEWER, candidate().id, form(label=Label.CORRECT, rationale="Right after all."))
    assert "Right after all." in text_of(told)
    take_back(told, REVIEWER, candidate().id)
    assert "Verdict by" not in text_of(told)


def test_it_knows_what_it_tells(told: Workspace) -> None:
    report = prepare(told, QUESTION_ID, NOTHING)
    only = (candidate().id,)
    assert {what: keys for what, keys in report.told.items() if what is not Exposure.MODEL} == {
        Exposure.REASONING: (),
        Exposure.OUTCOMES: only,
        Exposure.UTILITY: only,
        Exposure.SCORES: (),
        Exposure.CLAIMS: (),
        Exposure.KNOWN_LABEL: (),
        Exposure.OTHER_VERDICTS: only,
    }
    assert len(report.told[Exposure.MODEL]) == 2


def test_a_page_and_markdown_by_the_name_of_the_file(told: Workspace, tmp_path: Path) -> None:
    report = prepare(told, QUESTION_ID, NOTHING)
    for suffix in SUFFIXES:
        export_report(report, tmp_path / f"report{suffix}")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Content-Security-Policy" in page
    assert "<math" in page
    assert re.search(r"<h3[^>]*>Verdict by ada: incorrect</h3>", page)
    assert (tmp_path / "report.md").read_text(encoding="utf-8") == text_of(told)
    with pytest.raises(ExportError, match="doesn't say how"):
        export_report(report, tmp_path / "report.pdf")


def test_a_question_that_is_not_there_has_no_report(workspace: Workspace) -> None:
    with pytest.raises(NotFoundError):
        prepare(workspace, QUESTION_ID, NOTHING)


@pytest.mark.parametrize("words", ["# a", "| b |", "[c](https://x.example)", "<b>", "`d`", "a\nb", "\x1b[2J"])
def test_words_of_others_make_no_marks(words: str) -> None:
    lines = markdown((Heading(1, words), Lines((words,)), Table((words,), ((words,),)))).split("\n")
    assert len(lines) == len(("# x", "", "- x", "", "| x |", "| --- |", "| x |", ""))
    assert not re.search(r"(?<!\\)[\[<`]", "".join(lines))
    assert not re.search(r"[^\\]#", lines[0][1:])


def test_a_quote_keeps_every_line_of_a_text() -> None:
    assert markdown((Foreign("a\n\n# b\n```"),)) == "> a\n>\n> # b\n> ```\n"
