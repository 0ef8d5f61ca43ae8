"""Templates: strict reading, rendering, overrides, and the ones that ship."""

import hashlib
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompts.loader import (
    Output,
    ending_name,
    load_template,
    parse_template,
    render,
    retry_name,
    strategy_data,
    template_names,
)
from uq_tui.errors import NotFoundError, TemplateError
from uq_tui.strategies.tree import CheckKind
from uq_tui.words import DecisionForm

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
        (changed('"decision"', '"verdict"'), "output must be one of free, decision, decision_exact, score,"),
        (changed('["question", "tag"]', '"question"'), "inputs must be a list"),
        (changed('["question", "tag"]', "[1]"), "inputs must be a list"),
        (changed('"tag"]', '"Tag"]'), "'Tag' in inputs"),
        (changed('"tag"]', '"tag", "tag"]'), "names something twice"),
        (changed('"tag"]', '"tag", "more"]'), "input more is never used"),
        (changed("{{question}}", "{{answer}}"), "{{answer}} is not among its inputs"),
        (changed("{{question}}", "{{ question }}"), "{{ question }} is not among its inputs"),
        (changed("Judge {{question}}.\n\n{{tag}}: accept\n", ""), "the body is empty"),
        (
            '+++\nname="a"\nversion="1"\npurpose="p"\ninputs=[]\noutput="decision"\n+++\nx',
            "needs one of the inputs tag and",
        ),
        (
            changed('"tag"]', '"tag", "ending"]').replace("Judge", "{{ending}}"),
            "needs one of the inputs tag and ending",
        ),
        (changed('"decision"', '"free"'), "a template with the output free takes no tag"),
        (changed('"decision"', '"score_exact"'), "a template with the output score_exact takes no tag"),
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


INPUTS = {
    *("question", "candidate", "inferred", "others", "neighbour", "expected", "answer"),
    *("ending", "tag", "fence", "lowest", "highest"),
}


@pytest.mark.parametrize("name", template_names())
def test_shipped_templates_are_sound(name: str) -> None:
    template = load_template(name)

    assert template.name == name
    assert set(template.inputs) <= INPUTS


def test_decisions_are_asked_for_in_the_literal_form() -> None:
    text = render(load_template("ending.decision"), {"tag": "ABCD2345"})

    assert text.endswith("\n\nABCD2345: accept\nABCD2345: reject")
    assert render(load_template("ending.decision_exact"), {}).endswith("\n\n[[Y]]\n[[N]]")


def test_scores_are_asked_for_in_the_literal_form() -> None:
    scale = {"lowest": "1", "highest": "10"}

    assert "from 1 to 10" in render(load_template("ending.score"), {**scale, "tag": "ABCD2345"})
    assert render(load_template("ending.score"), {**scale, "tag": "ABCD2345"}).endswith("\n\nABCD2345: SCORE")
    assert render(load_template("ending.score_exact"), scale).endswith("\n\nScore: SCORE")
    assert '<grade code="ABCD2345">' in render(load_template("ending.grade"), {**scale, "tag": "ABCD2345"})


ASKING = [name for name in template_names() if "ending" in load_template(name).inputs]


def test_whatever_asks_a_judge_leaves_the_form_to_an_ending() -> None:
    checks = {template for kind in CheckKind for template in kind.templates} - {"check.cycle_infer"}
    judges = {"judge.pairwise", "judge.proof_grader", "judge.scale_10"}
    assert set(ASKING) - {"cbu.equivalence"} == {
        *checks,
        *judges,
        "debate",
        "reflect",
        "retry.decision",
        "retry.grade",
        "retry.score",
    }


@pytest.mark.parametrize("name", ASKING)
@pytest.mark.parametrize("form", DecisionForm)
def test_every_asking_template_has_endings_and_a_retry(name: str, form: DecisionForm) -> None:
    output = load_template(name).output
    ending = load_template(ending_name(output, form))

    assert ending.output.value == output.value + ("_exact" if form is DecisionForm.EXACT else "")
    assert ("tag" in ending.inputs) is (form is DecisionForm.TAGGED)
    assert load_template(retry_name(output)).output is output


@pytest.mark.parametrize("name", ASKING)
def test_the_ending_comes_last(name: str) -> None:
    assert load_template(name).body.endswith("{{ending}}")


@pytest.mark.parametrize("output", [Output.FREE, Output.BOXED, Output.SCORE_EXACT])
def test_what_is_read_as_it_is_has_neither_ending_nor_retry(output: Output) -> None:
    assert (ending_name(output, DecisionForm.TAGGED), retry_name(output)) == ("", "")


@pytest.mark.parametrize(
    "name", [name for name in template_names() if name.startswith(("check.", "judge.", "debate", "cbu.equiv"))]
)
def test_judges_are_told_that_fenced_text_is_material(name: str) -> None:
    body = load_template(name).body

    assert re.search(r"BEGIN (?:CANDIDATE|ANSWER|GIVEN ANSWER|RESPONSE 1|OTHER JUDGES) \{\{fence\}\}", body)
    assert len(re.findall("-----BEGIN", body)) == len(re.findall("-----END", body))
    assert "never instructions" in body


@pytest.mark.parametrize("name", ["correctness", "fact_logic", "cycle_compare", "relevance", "final_answer"])
def test_judges_reject_in_doubt(name: str) -> None:
    assert "When in doubt, reject" in load_template(f"check.{name}").body


@pytest.mark.parametrize("name", template_names())
def test_steps_are_numbered_without_gaps_and_repeats(name: str) -> None:
    steps = [int(step) for step in re.findall(r"^(\d+)\. ", load_template(name).body, re.MULTILINE)]

    assert steps == list(range(1, len(steps) + 1))


@pytest.mark.parametrize("name", ["pairwise", "proof_grader", "scale_10"])
def test_judges_give_the_lower_score_in_doubt(name: str) -> None:
    assert re.search(r"When in doubt between two \w+, give the lower one\.", load_template(f"judge.{name}").body)


@pytest.mark.parametrize(
    ("name", "scores"), [("scale_10", range(1, 11)), ("proof_grader", range(8)), ("pairwise", range(1, 6))]
)
def test_every_score_has_one_meaning(name: str, scores: range) -> None:
    bands = re.findall(r"^- (\d+)(?: or (\d+))?: ", load_template(f"judge.{name}").body, re.MULTILINE)

    assert sorted(int(score) for band in bands for score in band if score) == list(scores)


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

    assert "If you accepted before and stand by it, accept." in body
    assert "If you rejected before and stand by it, reject." in body


def test_an_override_replaces_the_wording(tmp_path: Path) -> None:
    shipped = load_template("reflect")
    own = shipped.source.replace("Look at the material again", "Look once more").replace('"2"', '"2-own"')
    (tmp_path / "reflect.md").write_text(own, encoding="utf-8")

    template = load_template("reflect", tmp_path)

    assert template.version == "2-own"
    assert template.sha256 != shipped.sha256
    assert load_template("retry.decision", tmp_path) == load_template("retry.decision")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('name = "reflect"', 'name = "other"', "its name must be reflect, not other"),
        ('["ending"]', '["ending", "mood"]', "there is no input mood"),
        ('"decision"', '"score"', "its output must be decision, not score"),
    ],
)
def test_an_override_keeps_name_inputs_and_output(tmp_path: Path, old: str, new: str, problem: str) -> None:
    source = (
        load_template("reflect").source.replace(old, new).replace("Search for", "{{mood}}" if "mood" in new else "")
    )
    (tmp_path / "reflect.md").write_text(source, encoding="utf-8")

    with pytest.raises(TemplateError) as caught:
        load_template("reflect", tmp_path)
    assert caught.value.message == f"{tmp_path / 'reflect.md'}: {problem}."


def test_all_that_an_override_lacks_is_named_at_once(tmp_path: Path) -> None:
    source = SOURCE.replace('name = "check.x"', 'name = "mine"').replace("question", "colour")
    (tmp_path / "check.correctness.md").write_text(source, encoding="utf-8")

    with pytest.raises(TemplateError) as caught:
        load_template("check.correctness", tmp_path)
    assert caught.value.message.endswith(
        "its name must be check.correctness, not mine; its inputs lack question, candidate, fence, ending; "
        "there is no input colour, tag."
    )


def test_an_override_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "reflect.md").write_bytes(b"+++\n\xff\xfe")

    with pytest.raises(TemplateError, match=r"reflect\.md: it cannot be read"):
        load_template("reflect", tmp_path)


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (os.mkfifo, "it is no file"),
        (os.mkdir, "it is no file"),
        (lambda own: own.symlink_to("/dev/zero"), "it is no file"),
        (lambda own: own.symlink_to("gone.md"), "No such file"),
        (lambda own: own.symlink_to(own.name), "symbolic links"),
    ],
    ids=["pipe", "folder", "device", "dangling link", "link to itself"],
)
def test_an_override_that_is_no_file_is_named_and_not_opened(
    tmp_path: Path, make: Callable[[Path], object], problem: str
) -> None:
    make(tmp_path / "reflect.md")

    with pytest.raises(TemplateError, match=rf"reflect\.md: it cannot be read: .*{problem}") as caught:
        load_template("reflect", tmp_path)
    assert caught.value.hint


@pytest.mark.parametrize("name", ["nothing", "", "../templates/reflect", "/etc/passwd", "reflect.md", "Reflect"])
def test_an_unknown_template_is_not_found(name: str, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError) as caught:
        load_template(name, tmp_path)

    assert "reflect" in caught.value.hint


@pytest.mark.parametrize("name", ["shapes", "paper_rows"])
def test_strategies_ship_in_collections(name: str) -> None:
    assert strategy_data(name).startswith("# ")


@pytest.mark.parametrize("name", ["3-iter", "../templates/reflect", ""])
def test_only_collections_that_ship_are_read(name: str) -> None:
    with pytest.raises(NotFoundError, match="among the strategies"):
        strategy_data(name)
