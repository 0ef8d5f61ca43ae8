"""A report of one question for people: the question, its answers, and of each what machines and persons found.

As Markdown, or as one page that runs and loads nothing, with formulas as MathML. Whose the texts are stands beside
each. What is undefined is `–`; what is undecided or failed is called that, and is no rejection.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exports.atomic import publish, staged
from exports.report_markdown import markdown
from exports.standing_rows import standing_on
from store import attribution, candidates, elsewhere, evidence, questions, resolutions
from store.elsewhere import FoundElsewhere
from store.rows import Candidate, Question, Verdict
from store.verdict_rows import is_repeat, settles
from store.withheld import Withheld
from store.workspace import Workspace
from uq_tui.document.blocks import Block, Foreign, Heading, Lines, Table
from uq_tui.document.maths.readable import readable_line
from uq_tui.document.page.blocks import write_blocks
from uq_tui.errors import ExportError
from uq_tui.text import clean_line, counted
from uq_tui.words import GLYPHS, Exposure, Outcome

SUFFIXES = (".html", ".htm", ".md", ".markdown")
_PAGES = (".html", ".htm")
_DAY = 10
_UNDEFINED = "–"


@dataclass(frozen=True, slots=True)
class QuestionReport:
    """What is to be written."""

    question_id: str
    title: str
    blocks: tuple[Block, ...]
    told: Mapping[Exposure, tuple[str, ...]]
    """What it tells whoever reads it of which candidates, beyond their texts."""


def prepare(ws: Workspace, question_id: str, without: Withheld) -> QuestionReport:
    """Put the report together. It names authors and verdicts, so not of a problem that is judged blind.

    Args:
        ws: where the question is.
        question_id: the question.
        without: verdicts that whoever reads it may not see: their own, on answers they are to judge once more.

    Raises:
        NotFoundError: there is no such question.
    """
    question = questions.get(ws, question_id)
    title = readable_line(question.row.title)
    answers = candidates.of_question(ws, question_id)
    blocks: list[Block] = [
        Heading(1, title),
        Lines(tuple(_facts(ws, question))),
        Heading(2, "Question"),
        Foreign(question.body.markdown) if question.body.sha256 else Lines(("Its text is not in this workspace.",)),
        Heading(2, counted(len(answers), "answer")),
    ]
    parts = [_Answer.read(ws, candidate, without) for candidate in answers]
    blocks += [_overview(parts)] if parts else []
    for part in parts:
        blocks += part.blocks()
    blocks += [Heading(2, "About this report"), Lines(_about())]
    told = {what: tuple(part.candidate.id for part in parts if part.tells(what)) for what in Exposure}
    return QuestionReport(question_id, title, tuple(blocks), told)


def export_report(report: QuestionReport, path: Path) -> None:
    """Write a report as a page or as Markdown, by how the name ends; whole, in place of an earlier file, or not at all.

    Raises:
        ExportError: its name ends in neither, or it can't be written.
    """
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise ExportError(
            f"{path} can't be written: its name doesn't say how.", hint="End it in .html for a page, or in .md."
        )
    text = write_blocks(report.title, report.blocks) if suffix in _PAGES else markdown(report.blocks)
    with staged(path) as file:
        file.write(text.encode("utf-8", "backslashreplace"))
        publish(file)


def _facts(ws: Workspace, question: Question) -> Iterator[str]:
    """Whose the question is, and how it stands."""
    whose = attribution.of_question(question).text
    if whose:
        yield f"Asked {whose}"
    yield f"Id: {question.row.id}"
    if question.row.tags:
        yield f"Tags: {', '.join(question.row.tags)}"
    if question.dataset_version:
        yield f"Version of the dataset: {question.dataset_version}"
    yield f"State: {_words(resolutions.of_question(ws, question.row.id).state.value)}"


def _about() -> tuple[str, ...]:
    return (
        f"Written by uq-tui {evidence.app_version()}.",
        "What strategies, judges and utilities say is a machine's word. Only a verdict is a person's.",
        f"{_UNDEFINED} stands for what is not known or not defined; an unparsed or failed outcome is no rejection.",
    )


@dataclass(frozen=True, slots=True)
class _Answer:
    """An answer with all that was found of it."""

    candidate: Candidate
    posted: str
    """Whose it is, where it was posted on a site."""
    found: Mapping[str, Any]
    """As `store.evidence` has it."""
    elsewhere: tuple[FoundElsewhere, ...]
    verdicts: tuple[Verdict, ...]

    @classmethod
    def read(cls, ws: Workspace, candidate: Candidate, without: Withheld) -> "_Answer":
        whose = attribution.of_candidate(ws, candidate.id)
        with ws.read() as db:
            found = evidence.snapshot(db, candidate.id)
        verdicts = tuple(one for one in standing_on(ws, candidate) if not without.holds(one.record))
        others = elsewhere.of_candidate(ws, candidate.id)
        return cls(candidate, whose.text if whose is not None else "", found, others, verdicts)

    @property
    def author(self) -> str:
        """Who or what wrote it, in the words of each place that it came from."""
        names = ", ".join(dict.fromkeys(origin.name for origin in self.candidate.origins)) or "not known"
        return f"{names} (reference)" if self.candidate.reference else names

    def tells(self, what: Exposure) -> bool:
        """Whether its section has something of a kind that was found of it."""
        return {
            Exposure.MODEL: bool(self.candidate.origins),
            Exposure.OUTCOMES: self._holds("outcomes"),
            Exposure.SCORES: self._holds("judges"),
            Exposure.UTILITY: self._holds("utilities"),
            Exposure.OTHER_VERDICTS: bool(self.verdicts),
        }.get(what, False)

    def _holds(self, kind: str) -> bool:
        return any(found[kind] for found in (self.found, *(one.found for one in self.elsewhere)))

    def in_short(self, kind: str, said: Callable[[Mapping[str, Any]], str]) -> str:
        """What was found of a kind, here and elsewhere, on a line. Of strategies the whole alone counts."""
        found = [(one, "") for one in self.found[kind]]
        found += [(row, " (elsewhere)") for one in self.elsewhere for row in one.found[kind]]
        return _listed(f"{said(row)}{where}" for row, where in found if not row.get("stage"))

    def blocks(self) -> Iterator[Block]:
        """Its section."""
        yield Heading(2, f"{self.candidate.called}: {self.author}")
        yield Lines(tuple(self._facts()))
        if self.candidate.answer.sha256:
            yield Foreign(self.candidate.answer.markdown)
        for verdict in self.verdicts:
            yield from _verdict(verdict.record)
        yield from _found(self.found)
        for one in self.elsewhere:
            yield from _found(one.found, f", by a run elsewhere that ended on {one.at[:_DAY]}")

    def _facts(self) -> Iterator[str]:
        yield f"Id: {self.candidate.id}"
        if self.posted:
            yield f"Posted {self.posted}"
        if not self.candidate.answer.sha256:
            yield "Its text is not in this workspace."
        if self.candidate.cut_off:
            yield "It ended at the length limit of the model."
        if not self.verdicts:
            yield "No person has judged it."


def _overview(parts: Sequence[_Answer]) -> Table:
    """All answers in a row each."""
    rows = [
        (
            part.candidate.called,
            part.author,
            _listed(_in_short(one.record) for one in part.verdicts),
            part.in_short("outcomes", lambda one: f"{one['strategy']}: {_outcome(one['outcome'])}"),
            part.in_short("utilities", lambda one: _between(one["mean"], one["low"], one["high"])),
        )
        for part in parts
    ]
    return Table(("answer", "by", "verdicts", "strategies", "utility (95 % interval)"), tuple(rows))


def _verdict(row: Mapping[str, Any]) -> Iterator[Block]:
    """What a person said of an answer, with what they had marked in it."""
    reviewer = row["reviewer"]
    yield Heading(3, f"{_kind(row).capitalize()} by {reviewer['handle']}: {_said(row)}")
    known = (
        f"On {row['created_at'][:_DAY]}, as {_words(reviewer['relation'])}",
        f"Score: {row['score_0_7']} of 7" if row["score_0_7"] is not None else "",
        f"Confidence: {row['confidence']} of 5" if row["confidence"] is not None else "",
        "Given blind" if row["blind"] else f"Not blind: had seen {_seen(row['exposures'])}",
        f"Settles a conflict between {counted(len(settles(row)), 'verdict')}" if settles(row) else "",
        _ledger(row["ledger"]),
        f"The question: {', '.join(map(_words, row['question_flags']))}" if row["question_flags"] else "",
    )
    yield Lines(tuple(line for line in known if line))
    if row["rationale"]:
        yield Foreign(row["rationale"])
    if row["errors"]:
        yield Table(("error", "passage", "claim", "problem", "fix"), tuple(_error(one) for one in row["errors"]))


def _seen(exposures: Iterable[Mapping[str, Any]]) -> str:
    return ", ".join(dict.fromkeys(_words(one["what"]) for one in exposures)) or "what is not recorded"


def _ledger(marked: Mapping[str, int]) -> str:
    """How much of the answer was marked while it was read."""
    counts = [f"{marked[key]} {key}" for key in ("checked", "doubtful", "wrong", "skipped") if marked[key]]
    return f"Of {counted(marked['units'], 'unit')}: {', '.join(counts)}" if counts else ""


def _error(error: Mapping[str, Any]) -> tuple[str, ...]:
    passage = " … ".join(clean_line(quote["quote"]) for quote in error["quotes"])
    return (_words(error["category"]), passage, error["claim"], error["problem"], error["fix"])


def _found(found: Mapping[str, Any], where: str = "") -> Iterator[Block]:
    """What machines found; `where` stands behind each heading."""
    yield from _outcomes(found["outcomes"], where)
    if found["judges"]:
        yield Heading(3, f"Judges{where}")
        yield Table(_JUDGES, tuple(_judge(one) for one in found["judges"]))
    if found["utilities"]:
        yield Heading(3, f"Utility{where}")
        yield Table(_UTILITIES, tuple(_utility(one) for one in found["utilities"]))


def _outcomes(found: Sequence[Mapping[str, Any]], where: str) -> Iterator[Block]:
    """A table for each run: the strategy and its stages, without their turns and samples."""
    by_run: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for one in found:
        if "/" not in one["stage"]:
            by_run[one["run_id"]].append(one)
    for rows in by_run.values():
        yield Heading(3, f"Strategy {rows[0]['strategy']}{where}")
        yield Table(
            ("stage", "outcome", "why", "judge"),
            tuple(
                (one["stage"] or "the whole", _outcome(one["outcome"]), one["reason"], one["judge"] or _UNDEFINED)
                for one in sorted(rows, key=lambda one: not one["stage"])
            ),
        )


_JUDGES = ("judge", "model", "mean", "sd", "scored", "planned", "unparsed", "failed")


def _judge(one: Mapping[str, Any]) -> tuple[str, ...]:
    scale = f"{one['judge']} ({one['lowest']} to {one['highest']})"
    counts = (str(one[key]) for key in ("scored", "planned", "unparsed", "failed"))
    return (scale, one["model"], _figure(one["mean"]), _figure(one["sd"]), *counts)


_UTILITIES = ("solver", "utility (95 % interval)", "neighbours", "rollouts on each", "control", "lift (95 % interval)")


def _utility(one: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        one["solver"],
        _between(one["mean"], one["low"], one["high"]),
        ", ".join(f"{value['solved']}/{value['decided']}" for value in one["neighbours"]),
        f"{one['t']}{', stopped early' if one.get('stopped_early') else ''}",
        _figure(one["control"]["mean"]),
        _between(one["lift"], one["lift_low"], one["lift_high"]),
    )


def _kind(row: Mapping[str, Any]) -> str:
    """What it is, so that nobody counts a decision between verdicts, or a second look, as one more opinion."""
    if settles(row):
        return "adjudication"
    return "repeat" if is_repeat(row) else "verdict"


def _in_short(row: Mapping[str, Any]) -> str:
    kind = _kind(row)
    return _said(row) if kind == "verdict" else f"{_said(row)} ({kind})"


def _said(row: Mapping[str, Any]) -> str:
    return _words(row["label"] or row["not_judged"])


def _outcome(word: str) -> str:
    """With its glyph; a word of another program, in a row from elsewhere, stands as it is."""
    return f"{GLYPHS[Outcome(word)]} {word}" if word in GLYPHS else word


def _words(word: str) -> str:
    return word.replace("_", " ")


def _listed(parts: Iterable[str]) -> str:
    return "; ".join(parts) or _UNDEFINED


def _figure(value: float | None) -> str:
    return _UNDEFINED if value is None else f"{value:.2f}"


def _between(value: float | None, low: float | None, high: float | None) -> str:
    if value is None or low is None or high is None:
        return _figure(value)
    return f"{value:.2f} ({low:.2f} to {high:.2f})"
