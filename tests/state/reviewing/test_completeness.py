"""What a queue asks of a verdict, and what is said of what is missing."""

from dataclasses import replace

from store.rows import MarkedError, Quote, VerdictForm
from uq_tui.state.reviewing.completeness import NO_RULES, Rules, gaps, missing
from uq_tui.words import Label, NotJudged

ALL = Rules(score=True, rationale=True, confidence=True, quote_if_incorrect=True)
QUOTE = Quote("so", 0, 2, "", "")


def fields(form: VerdictForm, rules: Rules) -> list[str]:
    return [gap.field for gap in gaps(form, rules)]


def test_without_rules_a_label_is_enough() -> None:
    assert fields(VerdictForm(), NO_RULES) == ["label"]
    assert missing(VerdictForm(label=Label.CORRECT), NO_RULES) == ()


def test_everything_that_is_asked_for_is_named_in_the_order_of_the_form() -> None:
    form = VerdictForm(label=Label.INCORRECT)
    assert fields(form, ALL) == ["confidence", "score", "errors", "rationale"]
    assert missing(form, Rules(score=True)) == ("This queue asks for a score from 0 to 7.",)
    full = replace(form, confidence=1, score_0_7=0, rationale="No.", errors=(MarkedError("other", (QUOTE,)),))
    assert missing(full, ALL) == ()


def test_an_error_without_a_quote_or_blanks_as_a_rationale_are_not_enough() -> None:
    form = VerdictForm(label=Label.INCORRECT, rationale=" \n", errors=(MarkedError("other"),))
    assert fields(form, Rules(rationale=True, quote_if_incorrect=True)) == ["errors", "rationale"]


def test_a_correct_answer_needs_no_quote() -> None:
    assert missing(VerdictForm(label=Label.CORRECT), Rules(quote_if_incorrect=True)) == ()


def test_who_gives_a_reason_for_not_judging_owes_nothing_else() -> None:
    assert missing(VerdictForm(not_judged=NotJudged.OUT_OF_DEPTH), ALL) == ()
