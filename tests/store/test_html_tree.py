"""HTML as a tree."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.html_tree import MAX_DEPTH, Element, Node, Words, read_html


def outline(node: Node) -> str:
    """A tree in one line: `p(text b(bold))`."""
    if isinstance(node, Element):
        return f"{node.name}({' '.join(outline(child) for child in node.children)})"
    return node.content.text if isinstance(node, Words) else ""


@pytest.mark.parametrize(
    ("raw", "tree"),
    [
        ("<P>a<b>c</B></p>d", "div(p(a b(c)) d)"),
        ("a<br>b<hr/>c<img src=x>", "div(a br() b hr() c img())"),
        ("<p>a<p>b", "div(p(a p(b)))"),
        ("<b>a</i></p>b", "div(b(a b))"),
        ("<b><i>a</b>b</i>", "div(b(i(a)) b)"),
        ("a<b/>c", "div(a b() c)"),
        ("a <script>x</script> <3", "div(a <script>x</script> <3)"),
        ("a<!-- <b> -->c<!-- d", "div(ac<!-- d)"),
        ("<p title='a > b'>c</p>", "div(p(c))"),
        ("<p onclick>a", "div(<p onclick>a)"),
        ("&lt;b&gt; &amp;amp; a\r\nb", "div(<b> &amp; a\nb)"),
    ],
)
def test_a_tree(raw: str, tree: str) -> None:
    assert outline(read_html(raw)) == tree


def test_attributes_are_decoded_and_the_first_of_a_name_counts() -> None:
    (image,) = read_html("<img alt='a &amp; b &copy' SRC=x src='y' class=\" p  q \">").elements("img")

    assert image.attributes == {"alt": "a & b &copy", "src": "x", "class": " p  q "}
    assert image.classes == ["p", "q"]


def test_what_lies_too_deep_is_text() -> None:
    tree = read_html("<div>" * 500 + "a<b>c</b>" + "</div>" * 500 + "d")

    assert len(tree.elements("div")) == MAX_DEPTH - 1
    assert tree.elements("b") == []
    assert tree.text == "a cd"


@given(st.lists(st.sampled_from(["<p>", "</p>", "<b>", "</b>", "<br>", "<td>", "x", "&lt;", " "]), max_size=40))
def test_siblings_know_one_another(parts: list[str]) -> None:
    tree = read_html("".join(parts))
    for node in tree.all():
        assert node.parent is not None
        at = node.parent.children.index(node)
        assert node.before is (node.parent.children[at - 1] if at else None)
        assert node.after is (node.parent.children[at + 1] if at + 1 < len(node.parent.children) else None)
    assert tree.text == "".join("<" if part == "&lt;" else part for part in parts if not part.startswith("<"))


@given(st.text(alphabet="<>&;#xpb/ab!-\r\n", max_size=60))
def test_texts_know_where_they_stand(raw: str) -> None:
    for node in read_html(raw).all():
        if isinstance(node, Words):
            for run in node.content.map().runs:
                shown, own = node.content.text[run.start : run.end], raw[run.raw_start : run.raw_end]
                assert shown == own or own == "\r\n" or own.startswith("&")
