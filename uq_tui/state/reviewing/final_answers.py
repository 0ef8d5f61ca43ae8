"""Which answers to a question come to the same final answer, by exact reading alone."""

from collections.abc import Sequence

from uq_tui.analysis.answers import compare


def groups(stated: Sequence[str]) -> tuple[int, ...]:
    """A number for each answer, the same where the final answers are equal for certain.

    Args:
        stated: final answers, as `two_steps.stated_answer` finds them. An empty one equals none, not even another.

    Returns:
        Numbers from 0 in the order in which a group's first answer comes.
    """
    numbers: list[int] = []
    known: dict[str, int] = {}  # every spelling so far, by its text
    firsts: list[tuple[str, int]] = []
    count = 0
    for one in stated:
        number = known.get(one) if one else None
        if number is None and one:
            number = next((group for first, group in firsts if compare(first, one)), None)
        if number is None:
            number, count = count, count + 1
            if one:
                firsts.append((one, number))
        if one:
            known[one] = number
        numbers.append(number)
    return tuple(numbers)
