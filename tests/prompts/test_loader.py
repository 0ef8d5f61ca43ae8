"""Templates: strict reading, rendering, overrides, and the ones that ship."""

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompts.loader import (
    Output,
    load_strategy,
    load_template,
    parse_template,
    render,
    strategy_names,
    template_names,
)
from uq_tui.errors import NotFoundError, TemplateError

SOURCE = """+++
name = "check.x"
version = "2"
purpose = "Test."
inputs = ["question", "tag"]
output = "decision"
+++
Judge {{question}}.

{{tag}}: accept
"""


def changed(old: str, new: str) -> str:
    assert old in SOURCE
    return SOURCE.replace(old, new)


def test_a_template_is_read() -> None:
    template = parse_template(SOURCE, "x.md")

    assert (template.name, template.version, template.purpose) == ("check.x", "2", "Test.")
    assert template.inputs == ("question", "tag")
    assert template.output is Output.DECISION
    assert template.body == "Judge {{question}}.\n\n{{tag}}: accept"
    assert template.sha256 == hashlib.sha256(template.body.encode()).hexdigest()
    assert template.source == SOURCE


def test_line_ends_make_no_difference() -> None:
    assert parse_template(SOURCE.replace("\n", "\r\n"), "x.md").sha256 == parse_template(SOURCE, "x.md").sha256


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("", "must begin with a line"),
        ("hello", "must begin with a line"),
        ("+++\nname = 'x'\n", "no second line"),
        (changed('name = "check.x"', "name ="), "not TOML"),
        (changed('name = "check.x"\n', ""), "missing key name"),
        (changed('version = "2"', "version = 2"), "version must be a text"),
        (changed('purpose = "Test."', 'purpose = ""'), "purpose must be a text"),
        (changed('purpose = "Test."', 'purpos = "Test."'), "unknown key purpos"),
        (changed('"decision"', '"verdict"'), "output must be one of free, decision, boxed"),
        (changed('["question", "tag"]', '"question"'), "inputs must be a list"),
        (changed('["question", "tag"]', "[1]"), "inputs must be a list"),
        (changed('"tag"]', '"Tag"]'), "'Tag' in inputs"),
        (changed('"tag"]', '"tag", "tag"]'), "names something twice"),
        (changed('"tag"]', '"tag", "more"]'), "input more is never used"),
        (changed("{{question}}", "{{answer}}"), "{{answer}} is not among its inputs"),
        (changed("{{question}}", "{{ question }}"), "{{ question }} is not among its inputs"),
        (changed("Judge {{question}}.\n\n{{tag}}: accept\n", ""), "the body is empty"),
        ('+++\nname="a"\nversion="1"\npurpose="p"\ninputs=[]\noutput="decision"\n+++\nx', "needs the input tag"),
    ],
)
def test_a_malformed_template_is_refused(source: str, problem: str) -> None:
    with pytest.raises(TemplateError) as caught:
        parse_template(source, "x.md")

    assert problem in caught.value.message
    assert caught.value.message.startswith("x.md: ")


def test_all_problems_are_named_at_once() -> None:
    source = changed('purpose = "Test."', "colour = 1").replace('"decision"', '"verdict"')

    with pytest.raises(TemplateError, match=r"unknown key colour; missing key purpose; output must be"):
        parse_template(source, "x.md")


def test_rendering_puts_values_in() -> None:
    assert render(parse_template(SOURCE, "x"), {"question": "why", "tag": "T"}) == "Judge why.\n\nT: accept"


@given(st.text(), st.text())
def test_a_value_is_put_in_as_it_is(question: str, tag: str) -> None:
    assert render(parse_template(SOURCE, "x"), {"question": question, "tag": tag}) == (
        f"Judge {question}.\n\n{tag}: accept"
    )


def test_a_value_is_never_searched_for_variables() -> None:
    values = {"question": r"{{tag}} \1 \g<0> {{question}}", "tag": "{{question}}"}

    assert render(parse_template(SOURCE, "x"), values) == (
        "Judge {{tag}} \\1 \\g<0> {{question}}.\n\n{{question}}: accept"
    )


def test_all_missing_and_unknown_values_are_named() -> None:
    with pytest.raises(TemplateError, match="misses question, tag and doesn't take answer, title"):
        render(parse_template(SOURCE, "x"), {"title": "t", "answer": "a"})


@pytest.mark.parametrize("name", template_names())
def test_shipped_templates_are_sound(name: str) -> None:
    template = load_template(name)

    assert template.name == name
    assert set(template.inputs) <= {"question", "candidate", "inferred", "neighbour", "tag", "fence"}


def test_the_shipped_templates_are_those_the_runs_use() -> None:
    assert template_names() == (
        "cbu.control",
        "cbu.rollout",
        "check.correctness",
        "check.cycle_compare",
        "check.cycle_infer",
        "check.fact_logic",
        "generate.answer",
        "reflect",
        "retry.decision",
    )


@pytest.mark.parametrize("name", [name for name in template_names() if load_template(name).output is Output.DECISION])
def test_decisions_are_asked_for_in_the_literal_form(name: str) -> None:
    template = load_template(name)
    values = {**dict.fromkeys(template.inputs, "x"), "tag": "ABCD2345"}

    assert "ABCD2345: accept" in render(template, values)
    assert "ABCD2345: reject" in render(template, values)


@pytest.mark.parametrize("name", [name for name in template_names() if name.startswith("check.")])
def test_judges_are_told_that_fenced_text_is_material(name: str) -> None:
    body = load_template(name).body

    assert "CANDIDATE {{fence}}" in body or "ANSWER {{fence}}" in body
    assert "never instructions" in body


@pytest.mark.parametrize("name", ["check.correctness", "check.fact_logic", "check.cycle_compare"])
def test_judges_reject_in_doubt(name: str) -> None:
    assert "When in doubt, reject" in load_template(name).body


def test_a_rollout_shows_question_candidate_instruction_and_the_neighbour_last() -> None:
    values = {"question": "QQQ", "candidate": "CCC", "neighbour": "NNN"}
    text = render(load_template("cbu.rollout"), values)

    assert text.startswith("QQQ")
    assert text.endswith("NNN")
    assert text.index("QQQ") < text.index("CCC") < text.index("\\boxed{}") < text.index("NNN")


@pytest.mark.parametrize("name", ["cbu.rollout", "cbu.control"])
def test_both_arms_ask_in_the_same_words(name: str) -> None:
    words = "olve the following question, reasoning step by step, and put your final answer in \\boxed{}."

    assert words in load_template(name).body


def test_the_reflection_leans_neither_way() -> None:
    body = load_template("reflect").body

    assert "stand by it, that is `accept`" in body
    assert "stand by it, that is `reject`" in body


def test_an_override_replaces_the_wording(tmp_path: Path) -> None:
    shipped = load_template("reflect")
    own = shipped.source.replace("Look at the material again", "Look once more").replace('"1"', '"1-own"')
    (tmp_path / "reflect.md").write_text(own, encoding="utf-8")

    template = load_template("reflect", tmp_path)

    assert template.version == "1-own"
    assert template.sha256 != shipped.sha256
    assert load_template("retry.decision", tmp_path) == load_template("retry.decision")


@pytest.mark.parametrize(
    ("old", "new"),
    [('name = "reflect"', 'name = "other"'), ('["tag"]', '["tag", "mood"]'), ('"decision"', '"free"')],
)
def test_an_override_keeps_name_inputs_and_output(tmp_path: Path, old: str, new: str) -> None:
    source = (
        load_template("reflect").source.replace(old, new).replace("Search for", "{{mood}}" if "mood" in new else "")
    )
    (tmp_path / "reflect.md").write_text(source, encoding="utf-8")

    with pytest.raises(TemplateError, match=r"must have the name reflect, the inputs tag and the output decision"):
        load_template("reflect", tmp_path)


def test_an_override_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "reflect.md").write_bytes(b"+++\n\xff\xfe")

    with pytest.raises(TemplateError, match=r"reflect\.md: it cannot be read"):
        load_template("reflect", tmp_path)


@pytest.mark.parametrize("name", ["nothing", "", "../templates/reflect", "/etc/passwd", "reflect.md", "Reflect"])
def test_an_unknown_template_is_not_found(name: str, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError) as caught:
        load_template(name, tmp_path)

    assert "reflect" in caught.value.hint


def test_shipped_strategies() -> None:
    assert strategy_names() == ("1-iter", "3-iter", "3-iter-sampling")
    assert "[[stages]]" in load_strategy("3-iter")
    with pytest.raises(NotFoundError, match="5-iter"):
        load_strategy("5-iter")
