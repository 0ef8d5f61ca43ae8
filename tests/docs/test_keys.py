"""docs/keys.md is what the program does."""

from docs.make_keys import PAGE, page
from uq_tui.key_catalogue import catalogue


def test_the_page_is_made_from_the_classes() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "`make keys` makes it anew"


def test_every_action_is_on_it_once() -> None:
    assert [page().count(f"| `{one.id}` |") for one in catalogue()] == [1] * len(catalogue())
