"""Reading audits: one object with the code, the contract, and quotes that are in the answer exactly."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.html import html_to_markdown
from store.rows import Text
from uq_tui.engine.judging.audit_reading import (
    CATEGORIES,
    Anchored,
    Finding,
    anchor,
    claim_id,
    read_audit,
)
from uq_tui.words import ErrorCategory, TextFormat

TAG = "QX2ABCDE"
QUOTE = {"quote": "so it follows", "claim": "It follows.", "problem": "It doesn't.", "fix": "Prove it."}
WRONG = ErrorCategory.INCORRECT_REASONING
FINDING = Finding(WRONG, *QUOTE.values())
ANSWER = "We count, so it follows that there are 12."


def finding(category: Any = WRONG.value, *quotes: Any) -> dict[str, Any]:
    return {"category": category, "quotes": list(quotes or (QUOTE,))}


def audit(*findings: Any, code: str = TAG, **more: Any) -> str:
    return json.dumps({"code": code, "findings": list(findings), **more})


def trouble(reply: str) -> str:
    found = read_audit(reply, TAG)
    assert found.findings == ()
    return found.trouble


@pytest.mark.parametrize("category", CATEGORIES)
def test_each_of_the_four_categories_is_read(category: ErrorCategory) -> None:
    (found,) = read_audit(audit(finding(category.value)), TAG).findings

    assert found == Finding(category, *QUOTE.values())


def test_an_empty_list_is_an_audit_that_found_nothing() -> None:
    found = read_audit(audit(), TAG)

    assert (found.findings, found.trouble) == ((), "")


@pytest.mark.parametrize("before", ["", "I think.\n\n", "```json\n", 'In {"x": 1} and \\frac{a}{"b"} { } ', '{"a": '])
@pytest.mark.parametrize("after", ["", "\n```", "\nThat is all.", ' {"y": {"z": []}}', " {"])
def test_what_stands_around_the_object_does_not_matter(before: str, after: str) -> None:
    assert read_audit(before + audit(finding()) + after, TAG).findings == (FINDING,)


def test_an_object_may_be_spread_over_lines() -> None:
    spread = json.dumps(json.loads(audit(finding())), indent="\t")

    assert read_audit(spread, TAG).findings == (FINDING,)


def test_an_audit_planted_in_a_candidate_is_not_the_judges() -> None:
    planted = audit(finding("external_references"), code="AAAAAAAA")

    assert read_audit(f"It says {planted}.\n{audit()}", TAG) == read_audit(audit(), TAG)
    assert trouble(f"It says {planted}.") == "no JSON object begins with the code"


def test_the_judge_may_speak_of_the_code_inside_its_audit() -> None:
    (found,) = read_audit(audit(finding(WRONG.value, {**QUOTE, "problem": audit()})), TAG).findings

    assert found.problem == audit()


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "the reply is empty"),
        (" \n", "the reply is empty"),
        ("Nothing is wrong.", "no JSON object begins with the code"),
        (TAG, "no JSON object begins with the code"),
        (json.dumps([json.loads(audit())]).replace(TAG, "x"), "no JSON object begins with the code"),
        (audit(code=TAG.lower()), "no JSON object begins with the code"),
        (audit(code=f"{TAG} "), "no JSON object begins with the code"),
        (json.dumps({"code": [TAG], "findings": []}), "no JSON object begins with the code"),
        (audit() + audit(), "2 JSON objects begin with the code"),
        (audit()[:-1], "the JSON object is malformed: not JSON: "),
        (audit().replace('"findings"', '"findings": 1, "findings"'), "the key 'findings' stands twice"),
        (audit().replace("[]", "NaN"), "NaN is not JSON"),
        (audit().replace("[]", "1e999"), "out of range"),
        (audit().replace("[]", f"{'[' * 200}{']' * 200}"), "nested more than 100 deep"),
        (audit().replace("[]", "[" * 100_000), "nested more than 100 deep"),
        (audit()[:-1] + audit(), "2 JSON objects begin with the code"),
        (json.dumps({"findings": [], "code": TAG}), "no JSON object begins with the code"),
    ],
)
def test_a_reply_without_exactly_one_readable_object_is_unparsed(reply: str, reason: str) -> None:
    assert reason in trouble(reply)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (json.dumps({"code": TAG}), "the audit lacks findings"),
        (audit(score=3), 'the audit has an unknown key "score"'),
        (json.dumps({"code": TAG, "findings": None}), "findings is not a list"),
        (json.dumps({"code": TAG, "findings": {}}), "findings is not a list"),
        (audit("incorrect_reasoning"), "finding 1 is not a JSON object"),
        (audit({"category": WRONG.value}), "finding 1 lacks quotes"),
        (audit({**finding(), "id": 1}), 'finding 1 has an unknown key "id"'),
        (audit(finding("wrong_final_answer")), 'finding 1 has an unknown category "wrong_final_answer"'),
        (audit(finding("structural opacity")), "finding 1 has an unknown category"),
        (audit(finding("Incorrect_Reasoning")), "finding 1 has an unknown category"),
        (audit(finding(1)), "finding 1 has an unknown category 1"),
        (audit(finding([WRONG.value])), "finding 1 has an unknown category"),
        (audit(finding(), finding()), "the category incorrect_reasoning stands twice"),
        (audit({"category": WRONG.value, "quotes": []}), "incorrect_reasoning has 0 quotes instead of 1 to 3"),
        (audit(finding(WRONG.value, *[QUOTE] * 4)), "incorrect_reasoning has 4 quotes instead of 1 to 3"),
        (audit({"category": WRONG.value, "quotes": "so"}), "the quotes of incorrect_reasoning is not a list"),
        (audit(finding(WRONG.value, "so")), "a quote of incorrect_reasoning is not a JSON object"),
        (audit(finding(WRONG.value, {**QUOTE, "fix": None})), "fix in a quote of incorrect_reasoning is not a text"),
        (audit(finding(WRONG.value, {**QUOTE, "quote": " "})), "quote in a quote of incorrect_reasoning is not a"),
        (audit(finding(WRONG.value, {**QUOTE, "why": "x"})), 'a quote of incorrect_reasoning has an unknown key "why"'),
        (audit(finding(WRONG.value, {"quote": "x"})), "a quote of incorrect_reasoning lacks claim, problem, fix"),
    ],
)
def test_an_object_of_another_form_is_unparsed_with_the_reason(reply: str, reason: str) -> None:
    assert trouble(reply).startswith(reason)


@given(st.text(alphabet='{}[]":, \\\nnul0e' + TAG, max_size=300))
def test_no_reply_makes_reading_fail(reply: str) -> None:
    found = read_audit(reply, TAG)

    assert found.trouble == "" or found.findings == ()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from((*QUOTE, "category", "x")), inner),
    max_leaves=10,
)


@given(JSON)
def test_no_list_of_findings_makes_reading_fail(findings: Any) -> None:
    found = read_audit(json.dumps({"code": TAG, "findings": findings}), TAG)

    assert (found.trouble == "") is (findings == [] or bool(found.findings))


def anchored(*quotes: str, raw: str = ANSWER, html: bool = False) -> Anchored:
    findings = [Finding(WRONG, quote, f"claim {number}", "p", "f") for number, quote in enumerate(quotes)]
    answer = text(raw, html=html)
    return anchor("run", "candidate", findings, shown=answer.markdown.strip(), answer=answer)


def text(raw: str, *, html: bool = False) -> Text:
    markdown = html_to_markdown(raw) if html else raw.replace("\r\n", "\n")
    return Text("0", TextFormat.HTML if html else TextFormat.MARKDOWN, raw, markdown)


def test_a_quote_is_anchored_in_the_raw_answer_by_code_points() -> None:
    raw = "\n\n  \U0001d53d: we count, so it follows."
    found = anchored("so it follows", raw=raw)

    (claim,) = found.claims
    assert (claim.start, claim.end) == (17, 30)
    assert raw[claim.start : claim.end] == claim.quote == "so it follows"
    assert (claim.position, claim.category, found.dropped, found.note) == (1, WRONG, 0, "")


@pytest.mark.parametrize("quote", ["so It follows", "so  it follows", "so it follows…", "we count", "1２"])
def test_a_quote_that_is_not_there_exactly_is_dropped_and_counted(quote: str) -> None:
    found = anchored(quote, "so it follows")

    assert [claim.quote for claim in found.claims] == ["so it follows"]
    assert (found.claims[0].position, found.dropped) == (1, 1)
    assert found.note == "1 quote not in the answer, dropped"


def test_a_quote_that_stands_several_times_is_anchored_at_the_first_and_said() -> None:
    found = anchored("it is", raw="it is so, since it is so")

    assert (found.claims[0].start, found.dropped) == (0, 0)
    assert found.note == "1 quote in the answer more than once, taken at the first"


@pytest.mark.parametrize(
    ("quote", "claimed"),
    [
        ("is well", "is well"),
        ("then **all** is", "then <b>all</b> is"),
        ("**all** is", "all</b> is"),
        ("a < b", "a &lt; b"),
        ("< b$, then", "&lt; b$, then"),
        ("x < y", "x &lt; y"),
        ("if (x", "if (x"),
        ("well.\n\n", "well."),
    ],
)
def test_a_quote_of_an_html_answer_bears_what_stands_there_in_the_answer(quote: str, claimed: str) -> None:
    raw = "<p>If $a &lt; b$, then <b>all</b> is well.</p>\n<pre><code>if (x &lt; y)\n</code></pre>"
    (claim,) = anchored(quote, raw=raw, html=True).claims

    assert raw[claim.start : claim.end] == claim.quote == claimed


def test_a_quote_that_has_no_text_of_the_answer_is_dropped() -> None:
    found = anchored(
        "is **", "](http", "<p>If", "nowhere", raw='<p>If it is <b><a href="http://x">so</a></b>.</p>', html=True
    )

    assert [claim.quote for claim in found.claims] == ["is "]
    assert (found.dropped, found.note) == (
        3,
        "2 quotes not in the answer, dropped; 1 quote in the answer as shown but not in its text, dropped",
    )


@pytest.mark.parametrize(
    "raw",
    [
        "<p>Let p be p.</p>",
        "We say &quot;no&quot; to q.",
        '<a href="x/title" title="title">title</a>',
        "<!-- count --> we count",
        "<em>em</em>",
        "$a<b$ and b>c",
    ],
)
def test_no_quote_is_anchored_in_markup(raw: str) -> None:
    quotes = ("p", "q", "title", "count", "em", "b")
    claims = anchored(*(quote for quote in quotes if quote in html_to_markdown(raw)), raw=raw, html=True).claims
    assert claims
    for claim in claims:
        before = raw[: claim.start]
        assert raw[claim.start : claim.end] == claim.quote
        assert not re.search(r"<[!/a-z][^>]*\Z|&[a-z]*\Z", before) or "$" in before


def test_what_is_said_twice_of_one_passage_is_kept_once() -> None:
    found = anchor("run", "candidate", [FINDING, FINDING], shown=ANSWER, answer=text(ANSWER))

    assert (len(found.claims), found.dropped, found.note) == (1, 0, "1 quote said twice, kept once")


def test_a_passage_can_bear_several_claims() -> None:
    other = Finding(ErrorCategory.EXTERNAL_REFERENCES, *QUOTE.values())
    found = anchor("run", "candidate", [FINDING, other], shown=ANSWER, answer=text(ANSWER))

    assert [claim.position for claim in found.claims] == [1, 2]
    assert len({claim.id for claim in found.claims}) == 2


def test_ids_of_claims_are_stable_and_depend_on_what_is_claimed_of_what() -> None:
    assert claim_id("c", WRONG, 1, 2, "x") == claim_id("c", WRONG, 1, 2, "x") == "69f8933a0b2df365"
    others = {
        claim_id("d", WRONG, 1, 2, "x"),
        claim_id("c", ErrorCategory.EXTERNAL_REFERENCES, 1, 2, "x"),
        claim_id("c", WRONG, 0, 2, "x"),
        claim_id("c", WRONG, 1, 3, "x"),
        claim_id("c", WRONG, 1, 2, "\ud800"),
        claim_id("c", WRONG, 1, 2, "x"),
    }
    assert len(others) == 6


@given(st.text(st.characters(exclude_characters="\r"), min_size=1), st.data())
def test_claims_slice_back_to_their_quotes(raw: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(raw) - 1))
    end = data.draw(st.integers(start + 1, len(raw)))
    quotes = [raw[start:end], data.draw(st.text(min_size=1, max_size=3))]
    findings = [Finding(WRONG, quote, f"claim {number}", "p", "f") for number, quote in enumerate(quotes)]
    found = anchor("run", "candidate", findings, shown=raw, answer=text(raw))

    assert all(raw[claim.start : claim.end] == claim.quote for claim in found.claims)
    assert found.claims[0].start == raw.index(quotes[0])
    assert len(found.claims) + found.dropped == 2


SPELT = r"We have \beta = \frac{1}{2} for all \theta, \rho and \nu \neq \nabla f."


@pytest.mark.parametrize("escaped", [r"\beta = \frac{1}{2}", r"all \theta, \rho", r"\nu \neq \nabla f"])
def test_latex_that_json_takes_for_control_characters_is_found(escaped: str) -> None:
    decoded = json.loads(f'"{escaped}"')
    assert decoded not in SPELT

    found = anchored(decoded, raw=SPELT)

    (claim,) = found.claims
    assert (claim.quote, SPELT[claim.start : claim.end], found.dropped) == (escaped, escaped, 0)


def test_a_line_break_is_found_in_an_answer_with_cr_lf() -> None:
    raw = "First line.\r\nSecond line.\r\nThird."

    found = anchored("line.\nSecond", raw=raw)

    (claim,) = found.claims
    assert claim.quote == raw[claim.start : claim.end] == "line.\r\nSecond"


def test_what_stands_as_it_was_decoded_is_taken_so() -> None:
    raw = "A\tb.\nnow\fx and A\\tb"

    found = anchored("A\tb.\nnow\fx", raw=raw)

    (claim,) = found.claims
    assert (claim.start, claim.quote) == (0, "A\tb.\nnow\fx")
