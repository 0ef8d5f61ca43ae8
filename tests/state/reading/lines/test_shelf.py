"""Segments that are kept laid out, or waited for."""

from uq_tui.document.drawing.lines import Line
from uq_tui.document.markup.context import EMPTY
from uq_tui.document.markup.scan import Scan, Segment
from uq_tui.state.reading.lines.shelf import AT_ONCE, LONG_KEPT, Key, Shelf

LONG = "long " * (AT_ONCE // 5 + 1)


def key_of(segment: Segment, width: int = 60) -> Key:
    return Key(segment.start, segment.end, width, False, 0)


def test_a_short_segment_is_laid_out_once() -> None:
    shelf = Shelf()
    (segment,) = Scan().feed("a *b*").segments
    lines = shelf.lines(key_of(segment), "a *b*", segment, EMPTY)
    assert lines is not None
    assert shelf.lines(key_of(segment), "", segment, EMPTY) is lines
    assert shelf.next_task() is None


def test_a_long_one_is_a_task_once_and_holds_its_place_meanwhile() -> None:
    shelf = Shelf()
    (segment,) = Scan().feed(LONG).segments
    key = key_of(segment)
    assert shelf.lines(key, LONG, segment, EMPTY) is None
    task = shelf.next_task()
    assert task is not None
    assert shelf.lines(key, LONG, segment, EMPTY) is None
    assert shelf.next_task() is None
    stand_in = shelf.stand_in(key, 30)
    assert len(stand_in) == 30
    assert shelf.stand_in(key, 30) is stand_in
    assert len(shelf.stand_in(key, 31)) == 31
    lines = task.work()
    shelf.keep(key, lines)
    assert shelf.lines(key, LONG, segment, EMPTY) == lines
    assert shelf.stand_in(key_of(segment, 70), 30) == lines


def test_only_the_last_long_ones_are_shown_as_they_were() -> None:
    shelf = Shelf()
    segments = Scan().feed("\n\n".join([LONG] * (LONG_KEPT + 1))).segments
    for segment in segments:
        shelf.keep(key_of(segment), (Line((), 0, 0),))
    shown = [shelf.stand_in(key_of(segment, 70), 1) == (Line((), 0, 0),) for segment in segments]
    assert shown == [False, *[True] * LONG_KEPT]
