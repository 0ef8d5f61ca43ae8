"""Where a text leads."""

from hypothesis import given

from tests.document.page.test_page import ATTACKS
from tests.document.sources import hostile_text
from uq_tui.document.links import Link, links_of


def test_links_and_images_in_order_with_their_places() -> None:
    source = (
        "# [Top](https://a.example/$x$)\n\nSee <https://b.example> and\n"
        "- ![a *map*](https://c.example/d.png)\n- [e][f]\n\n[f]: mailto:g@h"
    )

    assert links_of(source) == (
        Link("Top", "https://a.example/$x$", source.index("[Top")),
        Link("", "https://b.example", source.index("<https")),
        Link("a map", "https://c.example/d.png", source.index("!["), image=True),
        Link("e", "mailto:g@h", source.index("[e]")),
    )


def test_an_image_in_a_link_is_both() -> None:
    found = links_of("[![alt](https://a.example/i.png)](https://a.example)")

    assert {(link.address, link.image) for link in found} == {
        ("https://a.example/i.png", True),
        ("https://a.example", False),
    }


def test_a_link_whose_definition_comes_much_later_is_found() -> None:
    source = "[a]\n\n" + "word\n\n" * 2_000 + "[a]: https://a.example"

    assert [link.address for link in links_of(source)] == ["https://a.example"]


def test_addresses_that_do_something_are_no_links() -> None:
    assert not any(link.address.casefold().startswith("javascript:") for source in ATTACKS for link in links_of(source))


@given(hostile_text)
def test_every_place_is_in_the_text(source: str) -> None:
    starts = [link.start for link in links_of(source)]

    assert all(source[start] in "[!<" for start in starts)
