"""Going to a place by its number."""

import pytest

from uq_tui.document.markup.units import Unit, UnitKind
from uq_tui.state.reading.going import NoSuchPlaceError, place_of

SOURCE = "One.\n\nTwo.\n\nThree.\n"
UNITS = [Unit(0, 4, UnitKind.PARAGRAPH), Unit(6, 10, UnitKind.PARAGRAPH), Unit(12, 18, UnitKind.PARAGRAPH)]


@pytest.mark.parametrize(
    ("typed", "place"),
    [
        ("1", 0),
        (" 3 ", 12),
        ("0%", 0),
        ("50 %", 9),
        ("100%", 19),
        ("250%", 19),
        ("12.5%", 2),
        (":1", 0),
        (": 5", 12),
        (":6", 19),
    ],
)
def test_numbers_shares_and_lines(typed: str, place: int) -> None:
    assert place_of(typed, SOURCE, UNITS) == place


@pytest.mark.parametrize("typed", ["", "x", "-1", "1.5", "1x", ":5%", "٣", "9" * 4_000])
def test_other_things_are_no_place(typed: str) -> None:
    with pytest.raises(NoSuchPlaceError, match="no place"):
        place_of(typed, SOURCE, UNITS)


@pytest.mark.parametrize(
    ("typed", "said"),
    [("0", "3 units"), ("4", "3 units"), (":0", "6 lines"), (":7", "6 lines"), ("999999999", "3 units")],
)
def test_it_is_said_how_many_there_are(typed: str, said: str) -> None:
    with pytest.raises(NoSuchPlaceError, match=said):
        place_of(typed, SOURCE, UNITS)


def test_an_empty_text_has_a_beginning() -> None:
    assert place_of("50%", "", []) == 0
