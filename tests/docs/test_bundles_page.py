"""docs/bundles.md names every key of a bundle."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from store.bundle_shape import CANDIDATE, ITEM, MANIFESTS, MEMBERS, QUESTION

PAGE = Path(__file__).resolve().parents[2] / "docs" / "bundles.md"


def keys(shape: Any) -> Iterator[str]:
    if isinstance(shape, list):
        yield from keys(shape[0])
    elif isinstance(shape, Mapping):
        for key, inner in shape.items():
            yield key
            yield from keys(inner)


def test_every_key_and_member_is_named() -> None:
    told = set(re.findall(r"`([\w.]+)`", PAGE.read_text(encoding="utf-8")))
    shapes = (QUESTION, CANDIDATE, ITEM, *MANIFESTS.values())
    assert {key for shape in shapes for key in keys(shape)} <= told
    assert {name for names in MEMBERS.values() for name in names} <= told
