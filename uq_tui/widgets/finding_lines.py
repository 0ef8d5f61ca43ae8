"""How findings look in a list. Foreign text is cleaned and on one line; colour only repeats what words say."""

from collections.abc import Mapping, Sequence

from textual.content import Content

from store.elsewhere import FoundElsewhere
from store.judge_rows import Score, Scoring
from uq_tui.citations.checking import Checked, Existence
from uq_tui.citations.reference import Reference
from uq_tui.document.maths.readable import readable_line
from uq_tui.state.findings import elsewhere
from uq_tui.state.findings.audited import Audited, Flaw, category_text
from uq_tui.state.findings.citing import Citation
from uq_tui.state.findings.judging import judge_line, sample_text
from uq_tui.text import clean_line
from uq_tui.widgets import marks
from uq_tui.widgets.finding_list import Entry
from uq_tui.words import Reading

_LONGEST = 160
"""Signs of a foreign text in a list; all of it stands below."""
_KIND_WIDTH = 13
_EXISTENCE = {
    Existence.FOUND: ("✓ found", "$text-success"),
    Existence.NOT_FOUND: ("✗ not found", "$text-error"),
    Existence.UNKNOWN: ("? unknown", "$text-warning"),
}


def citations(
    found: Sequence[Citation], checks: Mapping[Reference, Mapping[str, Checked]] | None = None
) -> tuple[Entry, ...]:
    """References with their places and flags, and what checkers say of them."""
    return tuple(Entry(one.key, _citation(one, (checks or {}).get(one.reference, {}))) for one in found)


def _citation(one: Citation, checks: Mapping[str, Checked]) -> Content:
    head = Content.assemble(
        (f"{one.kind:<{_KIND_WIDTH}}", "dim"), (_cut(one.reference.text), "bold"), (f"  {one.lines_text}", "dim")
    )
    flags = []
    if one.reference.malformed:
        flags.append(Content.styled(f"  ✗ malformed: {_cut(one.reference.malformed)}", "$text-error"))
    for name, checked in checks.items():
        mark, style = _EXISTENCE[checked.existence]
        about = _cut(" ".join(filter(None, (checked.note, checked.source))))
        flags.append(Content.assemble(f"  {clean_line(name)}: ", (mark, style), f" {about}"))
    return Content("\n").join([head, *flags])


def audit(one: Audited) -> tuple[Entry, ...]:
    """The audit as a whole, then its claims by category."""
    style = "bold" if one.audit.state is Reading.READ else "bold $text-warning"
    by = f"\n  by {clean_line(one.model)}, {one.when}"
    entries = [Entry(audit_key(one), Content.assemble((_cut(one.outcome_text()), style), (by, "dim")))]
    for category, flaws in one.groups():
        heading = category_text(category).capitalize()
        entries.append(Entry("", Content.styled(f"{heading} ({len(flaws):,})", "$text-primary bold")))
        entries += (Entry(flaw_key(flaw), _flaw(flaw)) for flaw in flaws)
    return tuple(entries)


def audit_key(one: Audited) -> str:
    """What an audit as a whole goes by."""
    return one.audit.run_id


def flaw_key(one: Flaw) -> str:
    """What a claim goes by."""
    return f"{one.claim.run_id} {one.claim.position}"


def _flaw(one: Flaw) -> Content:
    return Content.assemble(
        (f"  line {one.line:,}  ", "dim"),
        f"“{_readable(one.quote)}”",
        (f"\n    {_readable(one.claim.problem)}", "dim"),
    )


def first_key(one: Audited) -> str:
    """Where to begin reading an audit: at its first claim, if it has any."""
    groups = one.groups()
    return flaw_key(groups[0][1][0]) if groups else audit_key(one)


def judges(found: Sequence[Scoring], running: Mapping[str, object]) -> tuple[Entry, ...]:
    """What each judge made of the candidate. `running` holds the ids of runs under way."""
    return tuple(Entry(one.run_id, _judge(one, running=one.run_id in running)) for one in found)


def _judge(one: Scoring, *, running: bool) -> Content:
    line = judge_line(one, running=running)
    parts = [Content.assemble((clean_line(line.who), "bold"), f"  {line.bars}")]
    parts.append(Content.assemble("  ", (line.mean, "bold"), f"  {line.scored}  {line.ceiling}"))
    if line.remarks:
        mark = f"{marks.RUNNING} " if running and not one.finished else ""
        parts.append(Content.styled(f"  {mark}{clean_line(', '.join(line.remarks))}", "$text-warning"))
    return Content("\n").join(parts)


def samples(one: Scoring) -> tuple[Entry, ...]:
    """A judge's samples, numbered from 1."""
    return tuple(Entry(sample_key(score), _sample(score)) for score in one.scores)


def sample_key(score: Score) -> str:
    """What a sample goes by."""
    return f"{score.run_id} {score.sample}"


def _sample(score: Score) -> Content:
    style = "bold" if score.state is Reading.READ else "$text-warning"
    return Content.assemble((f"{score.sample + 1:>3}  ", "dim"), (_cut(sample_text(score)), style))


def found_elsewhere(found: Sequence[FoundElsewhere]) -> tuple[Entry, ...]:
    """What each run elsewhere found of the candidate."""
    return tuple(Entry(one.run_id, _elsewhere(one)) for one in found)


def _elsewhere(one: FoundElsewhere) -> Content:
    parts = [
        Content.assemble((_cut(part.who), "bold"), f"\n  {_cut(part.came_to)}") for part in elsewhere.told(one)
    ] or [Content("Nothing")]
    return Content("\n").join([*parts, Content.styled(f"  elsewhere, {clean_line(elsewhere.ended(one))}", "dim")])


def _readable(text: str) -> str:
    """A text with mathematics, cut before it is read: there may be a lot of it."""
    return readable_line(_cut(text))


def _cut(text: str) -> str:
    line = clean_line(text)
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
