"""What is known of a question beside its text, as Markdown: engagement, where it is from, ratings, comments.

A rating that failed or can't be read counts nowhere; how many were read stands beside each figure.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from statistics import fmean

from store import attribution
from store.curation_rows import Rating
from store.posted import PostComment
from store.rows import Question
from uq_tui.curation.thresholds import ModelLimits
from uq_tui.state.curating.figures import UNDEFINED, count_words
from uq_tui.state.curating.reviewed import Reviewed
from uq_tui.state.quoting import inline_code, one_line, quoted
from uq_tui.state.reviewing.blind import HIDDEN
from uq_tui.text import counted
from uq_tui.words import Reading

YEAR_DAYS = 365.25
_FIGURES = ("answer_correctness", "expert_solvability")
_CRITERIA = ("well_defined", "approachable", "objective")


def facts(shown: Reviewed, limits: ModelLimits) -> str:
    """All of it, one heading after the other."""
    question = shown.question
    parts = [
        "## Engagement",
        _list(engagement(question, shown.curation.created_at, len(shown.comments))),
        "## Where it is from",
        _list(origin(question)),
        "## Ratings",
        f"*Ratings are {HIDDEN}.*" if shown.mask is not None else "\n\n".join(ratings(shown.path.ratings, limits)),
        "## Comments",
        "\n\n".join(comments(shown.comments)),
    ]
    return "\n\n".join(parts)


def engagement(question: Question, at: str, noted: int) -> Iterator[str]:
    """Lines on how people took the question; `at` is the time that its age is counted to, `noted` its comments here."""
    row = question.row
    yield f"votes: {_known(row.score)}"
    yield f"views: {_known(question.views)}"
    yield f"views per vote: {views_per_vote(question.views, row.score)}"
    yield f"posted answers: {_known(question.answers)}"
    yield f"comments here: {noted:,}"
    yield f"age when the pass began: {age_words(row.asked_at, at)}"


def views_per_vote(views: int | None, votes: int | None) -> str:
    """`103`; undefined without votes, or with as many down as up."""
    if views is None or votes is None:
        return "unknown"
    return f"{views / votes:,.0f}" if votes > 0 else f"{UNDEFINED} ({counted(votes, 'vote')})"


def age_words(asked_at: str | None, at: str) -> str:
    """`8.3 years, asked 2014-05-01`."""
    if not asked_at:
        return "unknown"
    try:
        days = (_time(at) - _time(asked_at)).total_seconds() / 86_400
    except ValueError:
        return f"unknown, asked {one_line(asked_at)}"
    return f"{days / YEAR_DAYS:.1f} years, asked {asked_at[:10]}"


def origin(question: Question) -> Iterator[str]:
    """Lines on site, tags, author, licence, link, and what was changed since it was posted."""
    whose = attribution.of_question(question)
    yield f"site: {_told(whose.site_name or whose.site)}"
    yield f"tags: {', '.join(inline_code(tag) for tag in question.row.tags) or 'none'}"
    yield f"author: {_told(whose.author, whose.author_link)}"
    yield f"licence: {_told(whose.licence, whose.licence_link)}"
    yield f"link: {_told(whose.link)}"
    yield from (one_line(change) for change in whose.changes)


def ratings(rated: Sequence[Rating], limits: ModelLimits) -> Iterator[str]:
    """Means with their spread, then each rating with its explanation. Nothing here is masked: see `Reviewed`."""
    if not rated:
        yield "*No model has rated it.*"
        return
    most = {"answer_correctness": limits.answer_correctness, "expert_solvability": limits.expert_solvability}
    lines = [f"{_name(name)}: {figure_words([getattr(one, name) for one in rated], most[name])}" for name in _FIGURES]
    lines += [f"{_name(name)}: {yes_words([getattr(one, name) for one in rated])}" for name in _CRITERIA]
    yield _list(lines)
    for one in rated:
        yield _rating(one)


def figure_words(values: Sequence[float | None], most: float) -> str:
    """`mean 23.3 %, from 10 to 40, n 3 of 3; at most 40`. Unread ratings are in the second number only."""
    read = [one for one in values if one is not None]
    n = f"n {len(read)} of {len(values)}"
    if not read:
        return f"mean undefined, {n}; at most {most:g}"
    return f"mean {fmean(read):.1f} %, from {min(read):g} to {max(read):g}, {n}; at most {most:g}"


def yes_words(values: Sequence[bool | None]) -> str:
    """`yes 2, no 1, n 3 of 3`."""
    read = [one for one in values if one is not None]
    return f"yes {read.count(True)}, no {read.count(False)}, n {len(read)} of {len(values)}"


def _rating(one: Rating) -> str:
    head = f"**Rating {one.sample + 1}**"
    if one.state is not Reading.READ:
        return f"{head}: {one.state}, {one_line(one.reason) or 'no reason given'}"
    said = [f"{_name(name)} {getattr(one, name):g} %" for name in _FIGURES]
    said += [f"{'' if getattr(one, name) else 'not '}{_name(name)}" for name in _CRITERIA]
    return f"{head}: {', '.join(said)}\n\n{quoted(one.explanation or 'No explanation was given.')}"


def comments(there: Sequence[PostComment]) -> Iterator[str]:
    """Each comment below who said it."""
    if not there:
        yield "*None are here.*"
    for one in there:
        score = f", {counted(one.score, 'vote')}" if one.score else ""
        when = f", {one.posted_at[:10]}" if one.posted_at else ""
        yield f"{inline_code(one.author or 'somebody')}{when}{score}\n\n{quoted(one.body)}"


def _list(lines: Iterator[str] | Sequence[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _known(n: int | None) -> str:
    return "unknown" if n is None else count_words(n)


def _told(text: str, link: str = "") -> str:
    said = one_line(text) or "unknown"
    return f"{said} ({one_line(link)})" if link else said


def _name(criterion: str) -> str:
    return criterion.replace("_", " ")


def _time(text: str) -> datetime:
    """Raises ValueError: it is none."""
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)
