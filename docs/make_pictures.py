"""The pictures of README.md and docs/: `make pictures` draws them anew, the same to the byte while the screens are.

Each is a screen of the app itself on a workspace made here: the bundled pack, two answers of ours that lie in
`pictures/answers`, for queues the problems in ExpertMath's form that the tests have, and for Insights what
`judged_pack` makes up.
"""

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path

from docs.drawing.reading import SIZES, TOUR, reading_pictures, tour_pictures
from docs.drawing.reviewing import REVIEWING, bundles_picture, conflict_picture, review_pictures
from docs.drawing.stage import LOOKS, OUT
from docs.drawing.surveys import INSIGHTS, SOURCES, insight_pictures, source_pictures

DRAWS: tuple[Callable[[Path], AsyncIterator[tuple[str, str]]], ...] = (
    tour_pictures,
    review_pictures,
    conflict_picture,
    bundles_picture,
    source_pictures,
    insight_pictures,
    *(partial(reading_pictures, look=look) for look in LOOKS),
)
"""What draws pictures, each in a folder of its own: their names, and SVGs."""


def picture_names() -> list[str]:
    """The files that are written; of screens where texts are read, one for each size and look."""
    read = [
        f"{screen}-{width}x{height}-{look.name}.svg"
        for look in LOOKS
        for width, height in SIZES
        for screen in ("reading", "side-by-side")
    ]
    return [*TOUR, *REVIEWING, *SOURCES, *INSIGHTS, *read]


async def main(out: Path = OUT) -> None:
    """Write all pictures."""
    for draw in DRAWS:
        with tempfile.TemporaryDirectory() as home:
            async for name, svg in draw(Path(home)):
                (out / name).write_text(svg, encoding="utf-8")
                sys.stderr.write(f"{name}\n")


if __name__ == "__main__":
    asyncio.run(main())
