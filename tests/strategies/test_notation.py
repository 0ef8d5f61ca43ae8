"""The one-line form: reading, printing, and what its errors say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies.trees import pipelines
from uq_tui.analysis.votes import VoteRule
from uq_tui.errors import StrategyError
from uq_tui.strategies import limits
from uq_tui.strategies.notation import parse, to_notation
from uq_tui.strategies.tree import (
    Check,
    CheckKind,
    Debate,
    Ensemble,
    Node,
    Pipeline,
    Plugin,
    Reflect,
    Sample,
    Stage,
    Vote,
)

M, U = VoteRule.MAJORITY, VoteRule.UNANIMOUS
C, FLC, CC = (Check(kind) for kind in (CheckKind.CORRECTNESS, CheckKind.FACT_LOGIC, CheckKind.CYCLE_CONSISTENCY))
BOTH = Pipeline((Stage("fact_logic", FLC), Stage("correctness", C)))

WORDS = st.sampled_from(
    (
        *("correctness", "C", "flc", "plugin(a)", "plugin(", "x3", "r2", "@[1, 2]", "@[", "debate[1, a/b]", "]", "1"),
        *("majority", "U", "=>", "(", ")", "{", "}", ",", ":", "name:", "@", "o/x", " ", "\n", "x", "é", "x99999999"),
    )
)


def read_or_refused(text: str) -> Pipeline | StrategyError:
    try:
        return parse(text)
    except StrategyError as error:
        return error


@given(pipelines())
def test_what_is_printed_is_read_back(root: Pipeline) -> None:
    assert parse(to_notation(root)) == root


@given(st.text() | st.lists(WORDS, max_size=25).map(" ".join) | st.lists(WORDS, max_size=25).map("".join))
def test_any_text_is_a_strategy_or_an_error_with_its_position(text: str) -> None:
    read = read_or_refused(text)

    if isinstance(read, Pipeline):
        assert parse(to_notation(read)) == read
        assert not limits.root_problem(read)
    else:
        assert read.position is not None
        assert 0 <= read.position <= len(text)
        assert read.message.endswith(".")


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("correctness", C),
        ("C", C),
        ("(correctness)", C),
        ("correctness@1 x3 M", Sample(Check(CheckKind.CORRECTNESS, 1), 3, M)),
        ("vanilla @ openai/o3", Check(CheckKind.VANILLA, "openai/o3")),
        ("correctness x3 majority", Sample(C, 3, M)),
        ("c R 3 u X5 m", Sample(Reflect(C, 3, U), 5, M)),
        ("(c) r3 u", Reflect(C, 3, U)),
        ("correctness @[1, 2, 3] majority", Ensemble(C, (1, 2, 3), M)),
        ("c@[1,a/b:free] u", Ensemble(C, (1, "a/b:free"), U)),
        ("correctness debate[1, 2, 3] majority", Debate(CheckKind.CORRECTNESS, (1, 2, 3), M)),
        ("(flc => c) @[1, 2] unanimous", Ensemble(BOTH, (1, 2), U)),
        ("{flc, c} majority x2 u", Sample(Vote(BOTH.stages, M), 2, U)),
        ("plugin( spot-check )", Plugin("spot-check")),
    ],
)
def test_one_stage_of_every_kind(text: str, node: Node) -> None:
    assert [stage.node for stage in parse(text).stages] == [node]


def test_stages_have_the_names_they_are_given_else_those_of_what_they_ask() -> None:
    root = parse("plugin(spot) => first: c => cc r2 u => c x3 m => (flc => c) @[1, 2] u => {c, flc} m")

    assert [stage.name for stage in root.stages] == [
        "spot",
        "first",
        "cycle_consistency",
        "correctness",
        "pipeline",
        "vote",
    ]


def test_printing_leaves_out_default_names_and_abbreviations() -> None:
    text = "a:c=>(FLC=>CC R2 U)@[1,o/x]U=>vote:{c,b:c}m"

    assert to_notation(parse(text)) == (
        "a: correctness => (fact_logic => cycle_consistency r2 unanimous) @[1, o/x] unanimous"
        " => {correctness, b: correctness} majority"
    )


def test_a_part_is_printed_without_being_a_strategy() -> None:
    assert to_notation(Sample(BOTH, 2, U)) == "(fact_logic => correctness) x2 unanimous"


@pytest.mark.parametrize(
    ("text", "position", "message", "hint"),
    [
        ("", 0, "Expected a check, plugin(...), ( or {, but the text ends.", ""),
        ("   ", 3, "but the text ends", ""),
        ("corectness", 0, "but here is corectness", "Did you mean correctness?"),
        ("cycle => c", 0, "Expected a check", "Did you mean cycle_consistency?"),
        ("Cx3 M", 0, "Expected a check", "Did you mean `C x3`?"),
        ("c => ", 5, "Expected a check", ""),
        ("c x3 majorty", 5, "Expected majority or unanimous after x3, but here is majorty", "Did you mean majority?"),
        ("c x3", 4, "Expected majority or unanimous after x3, but the text ends", ""),
        ("c @[1, 2]", 9, "Expected majority or unanimous after ]", ""),
        ("{c, flc}", 8, "Expected majority or unanimous after {...}", ""),
        ("c dabate[1, 2] m", 2, "Expected x3, r3, @[1, 2] or debate[1, 2], => or the end", "Did you mean debate?"),
        ("c flc", 2, "=> or the end, but here is flc", ""),
        ("c)", 1, "=> or the end, but here is )", ""),
        ("(c => flc", 9, "=> or ), but the text ends", ""),
        ("{c => flc} m", 3, "a comma or }, but here is =>", ""),
        ("c x3 m r3 u", 7, "r must follow its check directly", "As in"),
        ("c@1 debate[1, 2] m", 4, "debate must follow a check without a model", "As in"),
        ("c @gpt-4o", 3, "Expected the number of a slot from 1 to 64, or a model id with a slash", ""),
        ("c @0", 3, "Expected the number of a slot", ""),
        ("c @[1, 1] m", 7, "1 is named twice", ""),
        ("c @[1] m", 2, "it needs 2 to 64 models, not 1", ""),
        ("c @[1 2] m", 6, "Expected a comma or ]", ""),
        ("c debate[a/b] m", 2, "it needs 2 to 64 models, not 1", ""),
        ("flc => c x0 m", 9, "a vote has 1 to 64 votes, not 0", ""),
        ("c r65 m", 2, "a vote has 1 to 64 votes, not 65", ""),
        ("c x99999999999999999999 m", 2, "a vote has 1 to 64 votes", ""),
        ("c => c", 5, "A second part is called correctness", "as in `again: correctness`"),
        ("{a: c, a: flc} m", 7, "A second part is called a", "as in `again: fact_logic`"),
        ("{c} m", 0, "a vote has 2 to 64 parts, not 1", ""),
        ("Big: c", 0, "Big is no name", ""),
        ("(a: c) x2 m", 1, "cannot be called a", "Leave the name out."),
        ("plugin(Bad)", 7, "Expected the plug-in's name", ""),
        ("plugin(a", 8, "Expected ), but the text ends", ""),
        ("plugin(a) x3 m", 10, "it asks no model", ""),
        ("c@1 @[1, 2] m", 4, "no check in it leaves its model open", ""),
        ("c debate[1, 2] m @[1, 2] m", 17, "no check in it leaves its model open", ""),
        ("c@1 => b: c@3", 12, "Slot 2 is left out", ""),
        ("c x64 m x64 m x2 m", 14, "it takes up to 8,192 calls for one candidate; 4,096 are allowed", ""),
        ("c x64 m => (cc x64 m) x32 m", 0, "it takes up to 4,160 calls", ""),
        ("(" * 13 + "c" + ")" * 13, 12, "nested more than 12 levels", ""),
        ("c" + " x1 m" * 13, 62, "nested more than 12 levels", ""),
        ("c \x1b[31m", 2, "but here is ␛", ""),
    ],
)
def test_an_error_says_where_and_what_was_expected(text: str, position: int, message: str, hint: str) -> None:
    with pytest.raises(StrategyError) as caught:
        parse(text)

    assert caught.value.position == position
    assert message in caught.value.message
    assert hint in caught.value.hint
    assert bool(hint) == bool(caught.value.hint)


def test_a_text_is_bounded() -> None:
    with pytest.raises(StrategyError, match="longer than 4,000") as caught:
        parse("c" + " " * 4000)

    assert caught.value.position == 4000


def test_what_it_prints_to_is_bounded_too() -> None:
    parts = ",".join(f"{number}:cc" for number in range(60))
    with pytest.raises(StrategyError, match="Without abbreviations"):
        parse("=>".join(f"{number}:{{{parts}}}m" for number in range(7)))


def test_deep_brackets_are_an_error_not_a_crash() -> None:
    with pytest.raises(StrategyError, match="nested"):
        parse("({" * 1990)
