"""At which stage of a strategy a candidate failed."""

from collections.abc import Iterable, Sequence


def first_rejecting(nodes: Iterable[tuple[int, str]], stages: Sequence[str]) -> str:
    """The name of the stage that rejected first, beneath nodes that rejected all the way down; "" without any.

    A vote can pass though one of its parts rejected, so only parts of nodes that rejected themselves are looked at. Of
    several the one of the earliest round is taken, then the one that stands first in the strategy. Samples, turns and
    models have numbers in place of names; a stage stands for them.

    Args:
        nodes: (round, path) of every node beneath the root that rejected.
        stages: names of the strategy's own stages in order.
    """
    order = {name: place for place, name in enumerate(stages)}
    rounds = {path: round_ for round_, path in nodes}
    name, at = "", ""
    while True:
        prefix = f"{at}/" if at else ""
        parts = [path for path in rounds if path.startswith(prefix) and "/" not in path[len(prefix) :]]
        if not parts:
            return name
        at = min(parts, key=lambda path: (rounds[path], order.get(path, 0), path))
        last = at.rpartition("/")[2]
        name = name if last.isdigit() else last
