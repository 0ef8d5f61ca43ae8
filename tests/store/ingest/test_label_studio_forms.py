"""Annotations of Label Studio, read as verdict forms."""

from typing import Any

import pytest

from store.ingest.label_studio_forms import Read, read
from store.ingest.report import RowError
from store.rows import Quote
from uq_tui.words import Label, NotJudged

ANSWER = "a 😀 bad step, and a bad step."


def choice(word: Any, control: str = "verdict") -> dict[str, Any]:
    return {"type": "choices", "from_name": control, "value": {"choices": word if isinstance(word, list) else [word]}}


def span(**value: Any) -> dict[str, Any]:
    return {"id": "s", "type": "labels", "from_name": "flaw", "value": {"labels": ["x"], **value}}


def said(*results: Any, answer: str = ANSWER) -> Read:
    return read(results, 3.0, answer)


def quote(**value: Any) -> Quote | None:
    form = said(choice("incorrect"), span(**value)).form
    assert form is not None
    return form.errors[0].quotes[0] if form.errors else None


@pytest.mark.parametrize(
    ("word", "label"),
    [
        ("correct", Label.CORRECT),
        (" Incorrect ", Label.INCORRECT),
        ("Borderline", Label.CORRECT_BORDERLINE),
        ("correct-borderline", Label.CORRECT_BORDERLINE),
        ("unsure", Label.UNSURE),
        ("YES", Label.CORRECT),
        ("0", Label.INCORRECT),
        ("true", Label.CORRECT),
    ],
)
def test_labels_are_read_from_choices(word: str, label: Label) -> None:
    found = said(choice(word))
    assert found.form is not None
    assert (found.form.label, found.form.seconds_total) == (label, 3.0)
    assert bool(found.read_as) == (word.strip().lower().replace("-", "_") not in {one.value for one in Label})


def test_reasons_for_not_judging_are_read_too() -> None:
    form = said(choice("Out of depth")).form
    assert form is not None
    assert (form.label, form.not_judged) == (None, NotJudged.OUT_OF_DEPTH)


def test_yes_and_no_are_verdicts_only_where_they_answer_that_question() -> None:
    alone = said(choice("yes", "anything"))
    among = said(choice("yes", "cites sources"), choice("clear", "style"))
    beside = said(choice("yes", "cites sources"), choice("no", "is correct"))
    assert alone.form is not None
    assert alone.read_as == ("choice 'yes' of 'anything' was read as correct",)
    assert among.form is None
    assert among.rest == {"cites sources": ["yes"], "style": ["clear"]}
    assert beside.form is not None
    assert (beside.form.label, beside.rest) == (Label.INCORRECT, {"cites sources": ["yes"]})


def test_two_verdicts_in_one_are_none() -> None:
    with pytest.raises(RowError, match="both 'correct' and 'no'"):
        said(choice("correct"), choice("no", "is_correct"))


def test_an_emoji_before_a_span_shifts_nothing() -> None:
    words = "bad step, and"
    in_units = quote(start=5, end=18, text=words)
    in_points = quote(start=4, end=17, text=words)
    assert in_units == in_points == Quote(words, 4, 17, "", "")
    assert ANSWER[4:17] == words


def test_words_that_both_counts_may_mean_have_no_place() -> None:
    form = said(choice("no"), span(start=4, end=5, text="a"), answer="😀😀aaa a").form
    assert form is not None
    assert form.errors[0].quotes == (Quote("a", None, None, "", ""),)


def test_a_span_in_html_goes_by_its_words() -> None:
    found = quote(start="/p[1]/text()[1]", end="/p[1]/text()[1]", text="a bad step")
    assert found == Quote("a bad step", None, None, "", "")


def test_a_span_without_words_counts_where_its_place_is_certain() -> None:
    assert quote(start=0, end=1) == Quote("a", 0, 1, "", "")
    assert said(choice("no"), span(start=5, end=9)).wordless == 1
    assert said(choice("no"), span(start=-1, end=9)).wordless == 1
    assert said(choice("no"), span(start=2**70, end=2**71)).wordless == 1
    assert said(choice("no"), span(text=" ")).wordless == 1


def test_ratings_are_kept_beside_unless_they_are_ours() -> None:
    ratings = [
        {"type": "rating", "from_name": name, "value": {"rating": value}}
        for name, value in (("confidence", 4), ("score_0_7", 7.0), ("style", 2))
    ]
    found = said(choice("correct"), *ratings)
    assert found.form is not None
    assert (found.form.confidence, found.form.score_0_7) == (4, 7)
    assert found.rest == {"style": [2]}


@pytest.mark.parametrize(
    "value", [9, -1, 2.5, 10**400, -(10**400), 1e308, True, "4", None, []], ids=lambda one: repr(one)[:9]
)
def test_a_rating_that_is_no_number_of_its_scale_is_kept_beside(value: object) -> None:
    beyond = said(choice("correct"), {"type": "rating", "from_name": "confidence", "value": {"rating": value}})
    assert beyond.form is not None
    assert beyond.form.confidence is None


def test_what_was_written_is_the_rationale_and_of_a_span_its_problem() -> None:
    texts = [
        {"type": "textarea", "from_name": "rationale", "id": "r", "value": {"text": ["One."]}},
        {"type": "textarea", "from_name": "advice", "id": "q", "value": {"text": "Two."}},
        {"type": "textarea", "from_name": "why", "id": "s", "value": {"text": ["Three."]}},
    ]
    form = said(choice("incorrect"), *texts, span(start=0, end=1, labels=["Gap"])).form
    assert form is not None
    assert form.rationale == "One.\n\nadvice: Two."
    assert (form.errors[0].category, form.errors[0].problem) == ("other", "Gap\nThree.")


@pytest.mark.parametrize("results", [(1,), ("x",), (None,)])
def test_parts_that_are_no_objects(results: tuple[Any, ...]) -> None:
    with pytest.raises(RowError, match="not an object"):
        said(*results)


def test_parts_of_any_other_form_cost_nothing() -> None:
    odd: tuple[Any, ...] = (
        {},
        {"type": 7, "value": []},
        {"type": "rectanglelabels", "from_name": "box", "value": {"x": 1}},
    )
    found = said(choice("correct"), choice(7), *odd)
    assert found.form is not None
    assert found.rest["box"] == [{"x": 1}]
