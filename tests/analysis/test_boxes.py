"""Finding boxed answers in replies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.analysis.boxes import final_boxes


@given(st.text(alphabet="ab 1\\,.$^_", max_size=30).filter(lambda text: text.strip() and not text.endswith("\\")))
def test_what_is_boxed_is_found(content: str) -> None:
    assert final_boxes(f"The answer is \\boxed{{{content}}}.") == (content.strip(),)


@pytest.mark.parametrize(
    ("reply", "contents"),
    [
        (r"so \boxed{5}", ("5",)),
        (r"\boxed{ 5 }", ("5",)),
        (r"$$\boxed {12}$$", ("12",)),
        (r"\boxed{\frac{1}{2}}", (r"\frac{1}{2}",)),
        (r"\boxed{\{1, 2\}}", (r"\{1, 2\}",)),
        (r"\boxed{\text{a \} b}}", (r"\text{a \} b}",)),
        ("\\boxed{1}, hence\nthe rest.\n\\boxed{2}", ("2",)),
        (r"\boxed{5} = \boxed{5}.", ("5",)),
        (r"\boxed{5} and \boxed{}", ("5",)),
        (r"\boxed{\boxed{7}}", ("7",)),
        (r"\boxed{3} or \boxed{4}", ("3", "4")),
        (r"$x=\boxed{1}$, $y=\boxed{2}$. Both are checked.", ("1", "2")),
        ("(a) \\boxed{1}\n(b) \\boxed{2}\n", ("1", "2")),
        ("(a) \\boxed{1}\n\n(b) \\boxed{2}", ("1", "2")),
        ("\\[\n\\boxed{1}\n\\]\n$$\n\\boxed{2}\n$$", ("1", "2")),
        ("\\boxed{1}\nNo.\n\\boxed{2}", ("2",)),
        ("\\boxed{9}\nSo:\n\\boxed{1}\n\\boxed{2}\nThat is all.", ("1", "2")),
        ("put it into \\boxed{}.\n\\boxed{4}", ("4",)),
        ("\\boxed{\n4\n}\n", ("4",)),
        ("\\boxed{1}\r\n\r\n\\boxed{2}\r\n", ("1", "2")),
        (r"\boxed{\boxed{1}", ("1",)),
        (r"\\boxed{1}", ("1",)),
        (r"{\boxed{1}} \} \boxed{2}", ("1", "2")),
        ("", ()),
        ("5", ()),
        (r"\boxed", ()),
        (r"\boxed 5", ()),
        (r"\boxed{}", ()),
        (r"\boxed{\boxed{}}", ()),
        (r"\boxed{5", ()),
        (r"\fbox{5}", ()),
        (r"\boxed{5} or rather \boxed{6", ()),
        (r"\boxed{ }", ()),
    ],
)
def test_boxes_that_end_a_reply(reply: str, contents: tuple[str, ...]) -> None:
    assert final_boxes(reply) == contents


@given(st.lists(st.sampled_from((r"\boxed{1}", r"\boxed{2}", r"\boxed{", "}", "{", "x", "\n", "$", "\\")), max_size=12))
def test_what_is_found_stands_in_a_box_and_holds_none(parts: list[str]) -> None:
    reply = "".join(parts)
    for content in final_boxes(reply):
        assert content
        assert f"\\boxed{{{''.join(content.split())}" in "".join(reply.split())
        assert "\\boxed" not in content


@given(st.text(alphabet="ab1 \n.$\\[]", max_size=60).filter(lambda text: not text.endswith("\\")))
def test_text_behind_the_boxes_does_not_matter(text: str) -> None:
    assert final_boxes(f"so \\boxed{{5}} {text}") == ("5",)


@pytest.mark.parametrize(
    "text",
    [
        "\\boxed{" * 150_000,
        "\\boxed{}" * 130_000,
        "\\boxed{" + "{" * 1_000_000,
        "\\boxed" + " " * 1_000_000,
        "\\" * 1_000_000,
        "\n" * 1_000_000,
    ],
    ids=lambda text: f"{text[:12]}...".encode("unicode_escape").decode(),
)
def test_a_megabyte_without_an_answer_has_none(text: str) -> None:
    assert final_boxes(text) == ()


@pytest.mark.parametrize("between", ["\n" * 500_000, " " * 1_000_000 + "x\n", "\\boxed{1}" * 100_000 + "\n"])
def test_a_megabyte_before_the_answer_hides_nothing(between: str) -> None:
    assert final_boxes(f"{between}\\boxed{{5}}")[-1] == "5"
