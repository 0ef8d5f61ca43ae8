"""Sites of the Stack Exchange network: names, domains, and their policies on answers that a machine wrote.

The facts stand in `sites.toml`, each with its source. A meta site follows the site that it is about.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from store.identity import canonical_host
from store.ingest.stack_exchange import is_network_host
from uq_tui.words import PostingRule

DOMAINS = ("Science", "Technology", "Culture & Recreation", "Life & Arts", "Business")
"""Those that the UQ paper sorts sites into."""
_BY_NAME = {name.casefold(): name for name in DOMAINS}

_UNLISTED = "This site's policy on answers written by machines is not known here: look before posting."
_NETWORK_DEFAULT = (
    "Since February 2024 the network's own rule has been that they need a reference, and sites may forbid them."
)
_NETWORK_SOURCE = "https://meta.stackexchange.com/questions/396626"


@dataclass(frozen=True, slots=True)
class Policy:
    """What a site says to answers that a machine wrote."""

    rule: PostingRule
    text: str
    """One or two sentences for a person."""
    source: str
    """Where that is said; "" where nothing is known."""
    look_at: str
    """The site's own page on it, "" where none is known. It has the last word: policies change."""


@dataclass(frozen=True, slots=True)
class Group:
    """Sites of one domain."""

    domain: str
    source: str
    """`paper` where the UQ paper puts them there, `like` where a heading of the network's that is like it does."""
    names: Mapping[str, str]
    """By host."""


@dataclass(frozen=True, slots=True)
class _Facts:
    name: str
    domain: str


def name_of(host: str) -> str:
    """The site's own name, `Mathematics`; `Mathematics Meta` of its meta site; the host where it is not known."""
    canonical = canonical_host(host)
    found = _sites().get(_parent(canonical))
    if found is None:
        return host
    return f"{found.name} Meta" if _parent(canonical) != canonical else found.name


def domain_of(host: str) -> str:
    """The one of `DOMAINS` that a site belongs to, in any spelling of its host; "" where that is not known."""
    found = _sites().get(_parent(canonical_host(host)))
    return found.domain if found else ""


def domain_named(category: str) -> str:
    """The one of `DOMAINS` that a category names, whatever its case; "" where it names none."""
    return _BY_NAME.get(category.strip().casefold(), "")


def hosts() -> tuple[str, ...]:
    """All sites that are known, meta sites apart, in order."""
    return tuple(sorted(_sites()))


@cache
def groups() -> tuple[Group, ...]:
    """The sites by domain, those of the paper apart from the others."""
    return tuple(Group(one["domain"], one["domain_source"], one["names"]) for one in _data()["sites"])


def policy_of(host: str) -> Policy:
    """What a site says to answers that a machine wrote; a rule of `UNKNOWN` where nothing is known of it."""
    site = _parent(canonical_host(host))
    look_at = f"https://{site}/help/gen-ai-policy" if is_network_host(site) else ""
    found = _policies().get(site)
    if found is not None:
        rule, text, source = found
        return Policy(rule, text, source, look_at)
    if look_at:
        return Policy(PostingRule.UNKNOWN, f"{_UNLISTED} {_NETWORK_DEFAULT}", _NETWORK_SOURCE, look_at)
    return Policy(PostingRule.UNKNOWN, _UNLISTED, "", "")


def _parent(host: str) -> str:
    """The site that a meta site is about; any other host as it is."""
    if host in ("meta.stackexchange.com", "stackexchange.com"):
        return host
    return host.removeprefix("meta.").replace(".meta.", ".")


@cache
def _sites() -> dict[str, _Facts]:
    return {host: _Facts(name, group.domain) for group in groups() for host, name in group.names.items()}


@cache
def _policies() -> dict[str, tuple[PostingRule, str, str]]:
    return {
        host: (PostingRule(one["rule"]), one["text"], one["source"])
        for one in _data()["policies"]
        for host in one["hosts"]
    }


@cache
def _data() -> dict[str, list[dict[str, Any]]]:
    return tomllib.loads(files("store").joinpath("sites.toml").read_text(encoding="utf-8"))
