"""The recorded tour as a file: honest, well-formed, and its judges quote what they judge."""

import json
import re
from collections import Counter
from typing import Any

import pytest

from prompts.loader import load_template
from uq_tui.pack.compute_answers import FOLDER, read_rows

TOUR = read_rows("replay/tour.jsonl")
HEADER, ROWS = TOUR[0], TOUR[1:]
QUESTION = json.loads((FOLDER / "pack.json").read_text(encoding="utf-8"))["tour_question"]
FOLLOW_UPS = ("reflect", "retry.decision")
JUDGES = ("check.cycle_compare", "check.fact_logic", "check.correctness", *FOLLOW_UPS)
DECISION = re.compile(r"\n\n\{tag\}: (accept|reject)\Z")


def judged_text(row: dict[str, Any]) -> str:
    """The one answer to the tour's question that a row is about."""
    answers = [one["answer"] for one in read_rows("candidates.jsonl") if one["question_key"] == QUESTION]
    answers += [one["reply"] for one in ROWS if one["template"] == "generate.answer"]
    (found,) = [answer for answer in answers if row["contains"][-1] in answer]
    return str(found)


def test_it_says_that_it_is_scripted() -> None:
    assert HEADER["replay"] == "tour"
    assert "scripted by the uq-tui developers" in HEADER["note"]
    assert "no model wrote" in HEADER["note"]
    assert HEADER["pace"] > 0


def test_every_row_has_the_keys_of_the_format() -> None:
    assert {tuple(row) for row in ROWS} == {("template", "contains", "sample", "turn", "reasoning", "reply")}


@pytest.mark.parametrize("name", sorted({row["template"] for row in ROWS}))
def test_every_template_exists(name: str) -> None:
    assert load_template(name).name == name


def test_no_row_is_hidden_by_an_equal_one_before_it() -> None:
    asked = Counter((row["template"], *row["contains"], row["sample"], row["turn"]) for row in ROWS)
    assert [key for key, rows in asked.items() if rows > 1] == []


def test_judges_decide_on_their_last_line_except_where_the_script_wants_it_unread() -> None:
    undecided = [row for row in ROWS if row["template"] in JUDGES and not DECISION.search(row["reply"])]
    assert [(row["template"], row["turn"]) for row in undecided] == [("reflect", 2), ("retry.decision", 3)]
    assert all("{tag}" not in row["reply"] for row in undecided)


def test_only_judges_give_decisions() -> None:
    assert [row for row in ROWS if row["template"] not in JUDGES and "{tag}" in row["reply"]] == []


def test_judges_quote_the_answer_they_judge() -> None:
    """What stands in quotation marks stands in the answer, or in the question it was inferred to answer."""
    for row in ROWS:
        if row["template"] in JUDGES:
            inferred = [one["reply"] for one in ROWS if one["template"] == "check.cycle_infer"]
            sources = " ".join([judged_text(row), *inferred])
            quoted = re.findall(r'"([^"]+)"', row["reply"])
            parts = [part.strip() for quote in quoted for part in quote.split("...")]
            assert [part for part in parts if part not in sources] == []


def test_first_examinations_quote_something() -> None:
    checks = [row for row in ROWS if row["template"] in ("check.fact_logic", "check.correctness")]
    assert [row for row in checks if row["reply"].count('"') < 2] == []


def test_attempts_differ_from_sample_to_sample() -> None:
    attempts = [row for row in ROWS if row["template"].startswith("cbu.")]
    assert len({row["reply"] for row in attempts}) == len(attempts)
    series = Counter((row["template"], *row["contains"]) for row in attempts)
    assert set(series.values()) == {8}
    assert {row["sample"] for row in attempts} == set(range(8))
