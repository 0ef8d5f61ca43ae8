"""Finding boxed answers in replies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.analysis.boxes import boxed


@pytest.mark.parametrize(
    ("reply", "content"),
    [
        (r"so \boxed{5}", "5"),
        (r"\boxed{ 5 }", "5"),
        (r"$$\boxed {12}$$", "12"),
        (r"\boxed{\frac{1}{2}}", r"\frac{1}{2}"),
        (r"\boxed{\{1, 2\}}", r"\{1, 2\}"),
        (r"\boxed{1} then \boxed{2}", "2"),
        (r"\boxed{\boxed{7}}", "7"),
        (r"\boxed{3}, as asked in \boxed{}", "3"),
        (r"\boxed{3} and \boxed{ }.", "3"),
        ("line\n\\boxed{\n4\n}\n", "4"),
        (r"\boxed{\text{a \} b}}", r"\text{a \} b}"),
    ],
)
def test_the_last_box_counts(reply: str, content: str) -> None:
    assert boxed(reply) == content


@pytest.mark.parametrize(
    "reply", ["", "5", r"\boxed", r"\boxed 5", r"\boxed{}", r"\boxed{5", r"\boxed{5} or rather \boxed{6", r"\fbox{5}"]
)
def test_no_box(reply: str) -> None:
    assert boxed(reply) is None


@given(st.text(alphabet="ab 1\\,.$^_", max_size=30).filter(lambda text: text.strip() and not text.endswith("\\")))
def test_what_is_boxed_is_found(content: str) -> None:
    assert boxed(f"The answer is \\boxed{{{content}}}.") == content.strip()
