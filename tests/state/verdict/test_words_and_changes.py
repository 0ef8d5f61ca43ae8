"""Verdicts in words, and what changed between two forms of one."""

from store.reading_rows import LedgerCount
from store.rows import MarkedError, Quote, VerdictForm
from uq_tui.state.verdict.changes import changes
from uq_tui.state.verdict.words import confidence_text, error_text, label_text, ledger_text, quote_text
from uq_tui.words import Label, NotJudged, QuestionFlag, Relation


def quote(words: str) -> Quote:
    return Quote(words, 0, len(words), "", "")


def test_words() -> None:
    assert label_text(VerdictForm()) == "nothing"
    assert label_text(VerdictForm(not_judged=NotJudged.OUT_OF_DEPTH)) == "out of depth"
    assert [confidence_text(n) for n in (None, 1, 5, 9)] == ["nothing", "1, a guess", "5, certain", "9"]


def test_the_ledger_in_a_line() -> None:
    assert ledger_text(LedgerCount()) == ""
    assert ledger_text(LedgerCount(31, checked=12, wrong=1)) == "ledger: 12 of 31 units checked, 1 wrong"
    assert ledger_text(LedgerCount(1)) == "ledger: 0 of 1 unit checked"


def test_an_error_in_a_line_is_cleaned_and_cut() -> None:
    error = MarkedError("incorrect_reasoning", (quote("a\n\x1b[2Jb"), quote("c")), problem="no\nway")
    assert error_text(error) == "incorrect reasoning  “a ␛[2Jb” and 1 more: no way"
    assert quote_text(quote("x" * 90), chars=5) == "“xxxxx…”"
    assert error_text(MarkedError("other")) == "other"


def test_the_same_form_has_no_changes_whatever_time_it_took() -> None:
    form = VerdictForm(label=Label.CORRECT, errors=(MarkedError("other", (quote("a"),)),))
    moved = VerdictForm(
        label=Label.CORRECT, errors=(MarkedError("other", (Quote("a", 5, 6, "x", "y"),)),), seconds_active=9.0
    )
    assert changes(form, moved) == ()


def test_every_field_that_differs_is_told_with_both_sides() -> None:
    kept, gone = MarkedError("other", (quote("kept"),)), MarkedError("misread_question")
    new = MarkedError("incorrect_reasoning", (quote("one"), quote("two")), "c", "p", "f")
    before = VerdictForm(label=Label.CORRECT, score_0_7=7, errors=(gone, kept), rationale="Fine.")
    after = VerdictForm(
        label=Label.INCORRECT,
        confidence=4,
        errors=(kept, new),
        question_flags=(QuestionFlag.ILL_POSED, QuestionFlag.NEEDS_IMAGE),
        relation=Relation.DOMAIN_EXPERT,
    )
    assert [tuple(change) for change in changes(before, after)] == [
        ("verdict", "correct", "incorrect"),
        ("confidence", "nothing", "4, sure"),
        ("score", "7", "nothing"),
        ("error", "misread question", "incorrect reasoning  “one” and 1 more; “two”; claim: c; problem: p; fix: f"),
        ("question", "nothing", "ill posed, needs image"),
        ("you are", "other", "domain expert"),
        ("rationale", "Fine.", "nothing"),
    ]


def test_of_two_equal_errors_one_taken_out_is_seen() -> None:
    error = MarkedError("other")
    assert [tuple(one) for one in changes(VerdictForm(errors=(error, error)), VerdictForm(errors=(error,)))] == [
        ("error", "other", "nothing")
    ]
