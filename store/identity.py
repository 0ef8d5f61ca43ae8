"""Identifiers that two people who hold the same data compute alike, plus random ids and the clock.

A post is `host:number` with the host in one canonical spelling; a text without an id is named by a hash; a candidate
and a neighbour are the hash of what they consist of.
"""

import hashlib
import os
import re
import time
import uuid
from datetime import UTC, datetime
from urllib.parse import urlsplit

UNNAMED_SOURCE = "source"
"""Prefix of question ids for statements whose source gives them no id."""

_TOP_LEVEL = {
    "askubuntu": "askubuntu.com",
    "mathoverflow": "mathoverflow.net",
    "serverfault": "serverfault.com",
    "stackapps": "stackapps.com",
    "stackexchange": "stackexchange.com",
    "stackoverflow": "stackoverflow.com",
    "superuser": "superuser.com",
}
"""Sites of the Stack Exchange network that are not under stackexchange.com, by their short name."""

_ALIASES = {"mathoverflow.com": "mathoverflow.net", "ubuntu.stackexchange.com": "askubuntu.com"}

_LABEL = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?"
_HOST = re.compile(rf"{_LABEL}(?:\.{_LABEL})+")
_SHORT_NAME = re.compile(rf"{_LABEL}(?:\.{_LABEL}){{0,2}}")
_WWW = re.compile(r"^(?:www(?:\.|$))+")
_OLD_META = re.compile(rf"^meta\.({_LABEL})\.stackexchange\.com$")
_POST_PATH = re.compile(r"/(?:questions|q)/([0-9]{1,18})(?:/|$)")


def text_sha256(text: str) -> str:
    """sha256 of a text in UTF-8, lone surrogates included, as 64 hex digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def canonical_host(name: str) -> str:
    """The one spelling of a site's host, or "" when `name` is no host.

    Takes a host (`WWW.Math.StackExchange.com.`), a URL, or the short name the Stack Exchange API uses (`math`,
    `math.meta`, `stackoverflow`). A meta site is written `math.meta.stackexchange.com`, its address since 2014.
    """
    host = name.strip().lower()
    if "/" in host or ":" in host:
        host = _hostname(host)
    host = _WWW.sub("", host.rstrip("."))
    if _SHORT_NAME.fullmatch(host):
        rest, _, last = host.rpartition(".")
        if last in _TOP_LEVEL:
            host = ".".join(filter(None, (rest, _TOP_LEVEL[last])))
        elif not rest or last == "meta":
            host = f"{host}.stackexchange.com"
    host = _WWW.sub("", _OLD_META.sub(r"\1.meta.stackexchange.com", host))
    return _ALIASES.get(host, host) if _HOST.fullmatch(host) else ""


def _hostname(url: str) -> str:
    try:
        return urlsplit(url if "//" in url else f"//{url}").hostname or ""
    except ValueError:
        return ""


def post_of_link(link: str) -> tuple[str, int] | None:
    """Canonical host and post id of a link to a question (`/questions/ID...` or `/q/ID...`), else None."""
    link = link.strip()
    try:
        parts = urlsplit(link if "//" in link else f"//{link}")
    except ValueError:
        return None
    found = _POST_PATH.match(parts.path)
    host = canonical_host(_hostname(link)) if found and parts.scheme in ("", "http", "https") else ""
    return (host, int(found[1])) if found and host else None


def question_id_for_post(host: str, post_id: int | str) -> str:
    """`math.stackexchange.com:2087`; `host` in any spelling `canonical_host` takes, `post_id` as number or digits.

    Raises:
        ValueError: the host is no host, or the post id no positive number of at most 18 digits.
    """
    canonical = canonical_host(host)
    digits = str(post_id).strip()
    if not canonical:
        raise ValueError(f"{host!r} is no site")
    if not re.fullmatch(r"[0-9]{1,18}", digits):
        raise ValueError(f"{post_id!r} is no post id")
    return f"{canonical}:{int(digits)}"


def question_id_for_text(source: str, statement: str) -> str:
    """`source` (a prefix, usually UNNAMED_SOURCE), a colon, and the first 16 hex digits of the statement's sha256."""
    return f"{source}:{text_sha256(statement)[:16]}"


def candidate_id(question_id: str, answer: str) -> str:
    """sha256 of the question's id, NUL and the answer text, as 64 hex digits."""
    return text_sha256(f"{question_id}\0{answer}")


def neighbour_id(statement: str, answer: str) -> str:
    """sha256 of the statement, NUL and the answer, as 64 hex digits."""
    return text_sha256(f"{statement}\0{answer}")


def uuid7() -> str:
    """A random UUID that sorts by time to the millisecond (RFC 9562, section 5.7)."""
    value = (time.time_ns() // 1_000_000) << 80 | int.from_bytes(os.urandom(10))
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return str(uuid.UUID(int=value & (1 << 128) - 1))


def now() -> str:
    """The time in UTC to the microsecond, in a fixed width: strings sort as times do."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
