"""The rules of the funnel (Unsolved Questions, arXiv 2508.17580v1, section 2.1), each a function of a question's facts.

A figure that isn't known is not zero: the question falls, and is told apart from those that were measured and failed.
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType

from store.curation_rows import Facts
from uq_tui.curation.thresholds import SiteRules
from uq_tui.words import QuestionStatus, Rule, TextFormat

_WHY = re.compile(r"\bwhy\b", re.IGNORECASE)
_HTML_IMAGE = re.compile(r"<img\b", re.IGNORECASE)
_MARKDOWN_IMAGE = re.compile(r"(?<!\\)!\[[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\][(\[]|<img\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Fall:
    """Why a question fell. `unknown`: a figure that the rule looks at is not known."""

    rule: Rule
    detail: str
    unknown: bool = False


def facts_fall(facts: Facts, rules: SiteRules, at: datetime, *, but: Collection[Rule] = frozenset()) -> Fall | None:
    """The first rule, in the order of `Rule`, by which a question falls on its facts; `None` where it stands.

    Args:
        facts: what is known of it.
        rules: those of its site.
        at: when its age is counted, with a time zone.
        but: rules that are left out.
    """
    for rule, check in _CHECKS.items():
        found = None if rule in but else check(facts, rules, at)
        if found is not None:
            return Fall(rule, found.detail, found.unknown)
    return None


def body_fall(body: str | None, text_format: TextFormat, rules: SiteRules) -> Fall | None:
    """Whether a question falls by the images in its body; `None` where it stands. No body at all is unknown."""
    if not rules.no_images:
        return None
    if body is None:
        return Fall(Rule.IMAGES, "text unknown", unknown=True)
    return Fall(Rule.IMAGES, "an image in the text") if has_image(body, text_format) else None


def share_fall(score: int, cutoff: int | None, rules: SiteRules) -> Fall | None:
    """Whether a question falls by not being among its site's top share; `None` where it stands.

    Args:
        score: its votes.
        cutoff: the votes of the last one in the share; `None` where the site has none.
        rules: those of its site.
    """
    if cutoff is not None and score >= cutoff:
        return None
    share = f"the top {rules.top_share:.4g} of its site"
    return Fall(Rule.TOP_SHARE, f"votes {score:,} < {cutoff:,}, {share}" if cutoff is not None else f"not in {share}")


def has_image(body: str, text_format: TextFormat) -> bool:
    """Whether a body shows an image: an `img` element, or in Markdown `![text](...)` or `![text][name]` too."""
    if text_format is TextFormat.PLAIN:
        return False
    pattern = _HTML_IMAGE if text_format is TextFormat.HTML else _MARKDOWN_IMAGE
    return pattern.search(body) is not None


def age_days(asked_at: str | None, at: datetime) -> int | None:
    """Whole days between a time of the store and `at`; `None` where it isn't known or can't be read.

    A time without a zone is in UTC, as the network's are.
    """
    if asked_at is None:
        return None
    try:
        asked = datetime.fromisoformat(asked_at)
    except ValueError:
        return None
    return (at - (asked if asked.tzinfo is not None else asked.replace(tzinfo=UTC))).days


@dataclass(frozen=True, slots=True)
class _Found:
    detail: str
    unknown: bool = False


def _unknown(what: str) -> _Found:
    return _Found(f"{what} unknown", unknown=True)


def _answered(facts: Facts, rules: SiteRules, at: datetime) -> _Found | None:
    del rules, at
    if facts.answers is not None and facts.answers > 0:
        return _Found(f"answers {facts.answers:,}")
    if facts.status in (QuestionStatus.ANSWERED, QuestionStatus.ACCEPTED):
        return _Found(f"status {facts.status}")
    return None


def _closed(facts: Facts, rules: SiteRules, at: datetime) -> _Found | None:
    del rules, at
    return _Found("closed") if facts.status is QuestionStatus.CLOSED else None


def _age(facts: Facts, rules: SiteRules, at: datetime) -> _Found | None:
    days = age_days(facts.asked_at, at)
    if days is None:
        return _unknown("date")
    return _Found(f"age {days:,} days < {rules.age_days:,}") if days < rules.age_days else None


def _views(facts: Facts, rules: SiteRules, at: datetime) -> _Found | None:
    del at
    if facts.views is None:
        return _unknown("views")
    return _Found(f"views {facts.views:,} < {rules.views:,}") if facts.views < rules.views else None


def _votes(facts: Facts, rules: SiteRules, at: datetime) -> _Found | None:
    del at
    if facts.score is None:
        return _unknown("votes")
    return _Found(f"votes {facts.score:,} < {rules.votes:,}") if facts.score < rules.votes else None


def _views_per_vote(facts: Facts, rules: SiteRules, at: datetime) -> _Found | None:
    del at
    if facts.views is None or facts.score is None or facts.score <= 0:  # fell by views or votes
        return None
    if facts.views < rules.views_per_vote * facts.score:
        return None
    return _Found(f"views/votes {facts.views:,}/{facts.score:,} >= {rules.views_per_vote:,}")


def _why(facts: Facts, rules: SiteRules, at: datetime) -> _Found | None:
    del at
    return _Found('"why" in the title') if rules.no_why and _WHY.search(facts.title) else None


def _tags(facts: Facts, rules: SiteRules, at: datetime) -> _Found | None:
    del at
    tag = rules.tags.first_of(facts.tags)
    return None if tag is None else _Found(f"tag {tag!a}")


_Check = Callable[[Facts, SiteRules, datetime], _Found | None]
_CHECKS: Mapping[Rule, _Check] = MappingProxyType(
    {
        Rule.ANSWERED: _answered,
        Rule.CLOSED: _closed,
        Rule.AGE: _age,
        Rule.VIEWS: _views,
        Rule.VOTES: _votes,
        Rule.VIEWS_PER_VOTE: _views_per_vote,
        Rule.WHY: _why,
        Rule.TAGS: _tags,
    }
)
"""In the order in which rules are named; the text and the top share come after these."""
