"""What stands below an answer that is reviewed, line by line."""

from uq_tui.widgets.reviewing.verdict_strip import StripKey, Told, lines_of

KEYS = (StripKey("x", "incorrect", "give"), StripKey("c", "correct", "give"), StripKey("⏎", "form", "form"))
TOLD = Told(KEYS, recorded="recorded: incorrect, u undoes", note="A revealed", progress="3 of 12")


def plain(told: Told, width: int, *, short: bool = False) -> list[str]:
    return [line.plain for line in lines_of(told, width, short=short)]


def test_keys_are_packed_into_lines_and_never_broken() -> None:
    assert plain(TOLD, 24)[:2] == ["x incorrect  c correct", "⏎ form"]
    assert plain(TOLD, 60) == [
        "x incorrect  c correct  ⏎ form",
        "recorded: incorrect, u undoes   A revealed",
        "3 of 12",
    ]


def test_a_short_terminal_has_room_for_the_text() -> None:
    assert plain(TOLD, 40, short=True) == ["x  c  ⏎", "recorded: incorrect, u undoes   A revea…"]
    assert plain(Told(KEYS, progress="3 of 12"), 40, short=True) == ["x  c  ⏎", "3 of 12"]
    assert plain(Told(KEYS), 40, short=True) == ["x  c  ⏎"]
