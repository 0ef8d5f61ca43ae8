"""Choices that look random, are the same whenever they are made again, and can't be told without the key."""

import hashlib
import hmac
from collections.abc import Iterable


def digest(key: bytes, *parts: str) -> bytes:
    """HMAC-SHA256 of the parts, which hold no NUL: 32 bytes."""
    return hmac.digest(key, "\0".join(parts).encode("utf-8", "surrogatepass"), hashlib.sha256)


def shuffled(key: bytes, purpose: str, ids: Iterable[str]) -> list[str]:
    """The ids in an order that the key and the purpose decide, whatever order they come in."""
    return sorted(ids, key=lambda one: (digest(key, purpose, one), one))


def index(key: bytes, purpose: str, of: str, below: int) -> int:
    """A whole number from 0 up to, and without, `below`, which is 1 or more."""
    return int.from_bytes(digest(key, purpose, of)[:8]) % below


def nearest(amount: float) -> int:
    """The nearest whole number to one that is not below 0, halves rounded up."""
    return int(amount + 0.5)
