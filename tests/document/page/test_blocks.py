"""A report as a page: texts of others keep to themselves, and nothing in any part of it can do anything."""

import re

import pytest

from tests.document.page.test_page import ATTACKS, ATTRIBUTES, ELEMENTS, Seen
from uq_tui.document.blocks import Foreign, Heading, Lines, Table
from uq_tui.document.page.blocks import write_blocks

TEXT = "See [it][1] and[^a].\n\n$$\\newcommand{\\me}{x} \\me$$\n\n# End\n\n[1]: https://%s.example\n\n[^a]: Note.\n"


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_part_can_do_anything(attack: str) -> None:
    blocks = (Heading(2, attack), Lines((attack,)), Table((attack,), ((attack,),)), Foreign(attack))
    seen = Seen(write_blocks(attack, blocks))
    assert {name for name, _ in seen.elements} <= set(ELEMENTS.split())
    assert {key for _, given in seen.elements for key in given} <= set(ATTRIBUTES.split())


def test_each_text_has_links_and_places_of_its_own() -> None:
    page = write_blocks("Two", (Foreign(TEXT % "one"), Foreign(TEXT % "two")))
    links = [given["href"] for name, given in Seen(page).elements if name == "a" and given.get("rel")]
    assert links == ["https://one.example", "https://two.example"]
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids)) > 4
    assert {link[1:] for link in re.findall(r'href="(#[^"]+)"', page)} <= set(ids)


def test_a_text_ends_where_it_ends() -> None:
    page = write_blocks("Open", (Foreign("```\nnever closed"), Heading(2, "After it")))
    assert page.index("</blockquote>") < page.index("<h2")


def test_the_reports_own_headings_are_its_contents() -> None:
    page = write_blocks("Long", [*(Heading(2, f"Part {n}") for n in range(3)), Foreign("# Theirs")])
    contents = page[page.index("<nav>") : page.index("</nav>")]
    assert [f"Part {n}" in contents for n in range(3)] == [True] * 3
    assert "Theirs" not in contents
