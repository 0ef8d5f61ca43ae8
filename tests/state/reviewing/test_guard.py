"""Which keys that record count."""

from uq_tui.state.reviewing.guard import GUARD_S, HELD_S, STEP_S, Guard


class Clock:
    """Seconds that a test sets."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def guarded() -> tuple[Clock, Guard]:
    clock = Clock()
    guard = Guard(clock)
    guard.appeared()
    return clock, guard


def test_nothing_records_before_an_item_was_there_for_a_moment() -> None:
    clock, guard = guarded()
    assert not guard.lets("incorrect")
    clock.now += GUARD_S - 0.01
    assert not guard.lets("incorrect")
    clock.now += 0.01
    assert guard.lets("incorrect")


def test_a_key_that_takes_back_counts_at_once() -> None:
    _, guard = guarded()
    assert guard.lets("undo", at_once=True)
    guard.recorded("undo")
    assert not guard.lets("undo", at_once=True)


def test_a_key_held_down_records_once_however_late_its_repeats_begin() -> None:
    clock, guard = guarded()
    clock.now += GUARD_S
    assert guard.lets("incorrect")
    guard.recorded("incorrect")
    guard.appeared()
    clock.now += HELD_S - 0.05  # the keyboard waits before it repeats
    counted = 0
    for _ in range(100):
        counted += guard.lets("incorrect")
        clock.now += 0.03
    assert counted == 0
    assert guard.lets("correct")
    clock.now += HELD_S
    assert guard.lets("incorrect")


def test_the_second_step_of_one_answer_comes_sooner() -> None:
    clock, guard = guarded()
    guard.appeared(STEP_S)
    clock.now += STEP_S
    assert guard.lets("correct")
