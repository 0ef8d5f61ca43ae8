"""Bundles, taken in: a share of a queue is laid out as it was elsewhere, and what came back is merged."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from store import bundle_shape as shape
from store import bundles, candidates, intake
from store.bundle_shape import Holds, Required
from store.grading import GRADING_SCHEME
from store.ingest.bundle_file import Bundle, opened, sha256_of
from store.ingest.expertmath import ORIGINAL_ANSWER
from store.ingest.report import OnProgress, Tally
from store.ingest.returned_bundle import take_returned
from store.ingest.turns import write_in_turns
from store.intake import NewQuestion, Taken
from store.queue_opening import Opened, Sent, open_share, require_foreign
from store.rows import ImportReport, NewCandidate, Origin, Reviewer
from store.workspace import Workspace
from uq_tui.text import counted
from uq_tui.words import AuthorKind, BundleDirection, QueueMode, TextFormat

FORMAT = "bundle"


def tells(members: Sequence[str]) -> bool:
    """Whether a zip archive with these files is meant as a bundle; that it is one is found out when it is opened."""
    return shape.MANIFEST in members and any(name in members for some in shape.MEMBERS.values() for name in some)


def import_bundle(ws: Workspace, path: Path, on_progress: OnProgress | None = None) -> ImportReport:
    """Take in a bundle, whole or not at all.

    One with work adds its queue, its reviewer, who sits here from then on, and what they are to judge. One that comes
    back adds verdicts and statements, as their files do.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it is refused, of a later version, or contradicts what is here; nothing was stored.
    """

    def go_on() -> None:
        if on_progress is not None:
            on_progress(0)

    with opened(path, go_on) as bundle:
        if bundle.holds is Holds.RETURNED:
            return take_returned(ws, bundle, on_progress)
        return _open_work(ws, bundle, on_progress)


def _open_work(ws: Workspace, bundle: Bundle, on_progress: OnProgress | None) -> ImportReport:
    sent = _sent(bundle)
    require_foreign(ws, sent)
    tally = Tally(bundle.path, FORMAT)

    def tell() -> None:
        if on_progress is not None:
            on_progress(tally.seen)

    def questions_done(rows: Sequence[NewQuestion], taken: Sequence[Taken]) -> None:
        _count(tally, "questions", taken)
        tell()

    def candidates_done(rows: Sequence[Sequence[NewCandidate]], taken: Sequence[Taken]) -> None:
        _count(tally, "candidates", taken)
        tell()

    source = bundle.path.name
    write_in_turns(ws, _questions(bundle, source), intake.put, questions_done, lambda one: len(one.body))
    write_in_turns(ws, _candidates(ws, bundle, source), _put, candidates_done, lambda some: len(some[0].answer))
    done = open_share(ws, sent)
    _count(tally, "items", [Taken.NEW] * done.new_items + [Taken.SAME] * (len(sent.items) - done.new_items))
    for note in _notes(sent, done):
        tally.note(note)
    of_share = (sent.queue_id, sent.reviewer.id, bundle.path.name, sha256_of(bundle.path), len(sent.items))
    bundles.note(ws, BundleDirection.OPENED, *of_share)
    return tally.report()


def _sent(bundle: Bundle) -> Sent:
    queue, reviewer = bundle.manifest["queue"], bundle.manifest["reviewer"]
    mode = QueueMode(queue["mode"])
    return Sent(
        queue_id=queue["id"],
        name=queue["name"].strip(),
        mode=mode,
        guideline=queue["guideline"],
        spec={
            "mode": mode.value,
            "grouped": queue["grouped"],
            "two_steps": queue["two_steps"],
            "rules": {name.value: name in queue["required"] for name in Required},
        },
        reviewer=Reviewer(
            id=reviewer["id"],
            handle=reviewer["handle"],
            orcid=reviewer["orcid"],
            expertise=tuple(reviewer["expertise"]),
            affiliation=reviewer["affiliation"],
            linked=tuple(reviewer["linked_ids"]),
        ),
        items=[row for _, row in bundle.rows_of(shape.ITEMS)],
    )


def _notes(sent: Sent, done: Opened) -> Iterator[str]:
    handle, name = sent.reviewer.handle, done.queue_name
    here = len(sent.items) - done.new_items
    some = f", {here:,} of them here before" if here else ""
    yield f"You are {handle} here now, and the queue is “{name}”: {counted(len(sent.items), 'item')} to judge{some}."
    if name != sent.name:
        yield f"There is another queue “{sent.name}” here, so this one got its id added."
    if done.namesakes:
        yield (
            f"Somebody else here is called {handle}. If both are you, `uq-tui reviewer link` says so; else choose"
            " another public name."
        )


def _questions(bundle: Bundle, source: str) -> Iterator[NewQuestion]:
    for _, row in bundle.rows_of(shape.QUESTIONS):
        solution = {ORIGINAL_ANSWER: row["reference_answer"], GRADING_SCHEME: row["grading"]}
        yield NewQuestion(
            id=row["question_id"],
            title=row["title"],
            body=row["body"],
            format=TextFormat(row["format"]),
            source=source,
            site=row["site"],
            tags=tuple(row["tags"]),
            asked_at=row["asked_at"],
            edited_at=row["edited_at"],
            link=row["source_url"],
            author=row["source_author"],
            author_id=row["source_author_id"],
            licence=row["licence"],
            category=row["category"],
            domain=row["domain"],
            dataset_version=row["dataset_version"],
            extra={key: text for key, text in solution.items() if text},
        )


def _candidates(ws: Workspace, bundle: Bundle, source: str) -> Iterator[list[NewCandidate]]:
    """Each candidate once for each of its origins; a blind bundle tells none."""
    for _, row in bundle.rows_of(shape.CANDIDATES):
        new = NewCandidate(
            question_id=row["question_id"],
            answer=row["answer"],
            format=TextFormat(row["format"]),
            origin=None,
            reasoning=row["reasoning"],
            cut_off=row["cut_off"],
            reference=row["reference"],
        )
        if candidates.reference_refusal(ws, new):  # it is a model's answer here
            new = replace(new, reference=False)
        yield [replace(new, origin=_origin(one, source)) for one in row["origins"]] or [new]


def _origin(row: Mapping[str, Any], source: str) -> Origin:
    return Origin(
        AuthorKind(row["kind"]),
        model=row["model"],
        system=row["system"],
        organisation=row["organisation"],
        base_model=row["base_model"],
        person=row["person"],
        source=source,
    )


def _put(conn: Connection, several: Sequence[Sequence[NewCandidate]]) -> list[Taken]:
    """Store candidates; what became of each, its first origin counting."""
    taken = candidates.put(conn, [new for each in several for new in each])
    starts = [sum(len(each) for each in several[:place]) for place in range(len(several))]
    return [taken[start] for start in starts]


def _count(tally: Tally, kind: str, taken: Iterable[Taken]) -> None:
    for one in taken:
        tally.read += 1
        tally.take(one, kind)
