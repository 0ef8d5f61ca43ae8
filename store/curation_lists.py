"""Lists of the questions that stand or fell at a stage of a pass, page by page."""

import heapq
import json
from operator import attrgetter
from sqlite3 import Connection
from typing import Any

from store.curation_rows import Place, Placed, PlacedPage
from store.driver import driver, loaded
from store.workspace import Workspace
from uq_tui.words import CurationStage, QuestionStatus

_LISTED = (
    "SELECT path.seq, path.stage, path.fell, path.detail, path.unknown,"
    " question.id, title, question.site, domain, status, score, views, answers, tags, asked_at"
)
_AT_STAGE = (
    f"{_LISTED} FROM curation_path AS path INDEXED BY curation_path_stage"
    " CROSS JOIN question ON question.seq = path.seq"
    " WHERE path.curation_id = :curation AND path.stage = :stage AND path.fell = :fell AND path.seq > :after"
    " AND (:site = '' OR path.site = :site) ORDER BY path.seq LIMIT :n"
)
_OF_SITE = (
    f"{_LISTED} FROM question INDEXED BY question_site"
    " CROSS JOIN curation_path AS path ON path.curation_id = :curation AND path.seq = question.seq"
    " WHERE question.site = :site AND question.seq > :after AND path.stage = :stage AND path.fell = :fell"
    " ORDER BY question.seq LIMIT :n"
)
_REASONS = "SELECT DISTINCT fell FROM curation_count WHERE curation_id = ? AND stage = ? AND n > 0"
_SIZES = (
    "SELECT total(n) FILTER (WHERE stage = :stage AND fell = :fell), total(n) FILTER (WHERE site = :site)"
    " FROM curation_count WHERE curation_id = :curation"
)


def page(
    ws: Workspace,
    curation_id: str,
    stage: CurationStage,
    fell: str | None = None,
    *,
    site: str = "",
    after: int | None = None,
    limit: int = 100,
) -> PlacedPage:
    """Up to `limit` questions that stand or fell at a stage, in order of arrival, from behind `after`.

    Args:
        ws: where to look.
        curation_id: the pass.
        stage: where they are.
        fell: why they fell; "" for those that stand, `None` for all.
        site: only those of this site, in its canonical spelling; "" for all.
        after: the `next_after` of the page before, `None` for the first page.
        limit: at most so many.
    """
    wanted = {"curation": curation_id, "stage": stage.value, "site": site, "after": after or 0, "n": limit + 1}
    with ws.read() as db:
        raw = driver(db)
        # One walk along an index for each reason: asked for all at once, SQLite would collect and sort millions.
        reasons = [row[0] for row in raw.execute(_REASONS, (curation_id, stage.value))] if fell is None else [fell]
        walks = [_walk(raw, {**wanted, "fell": one}) for one in reasons]
        rows = tuple(heapq.merge(*walks, key=attrgetter("place.seq")))
    shown = rows[:limit]
    return PlacedPage(shown, shown[-1].place.seq if len(rows) > limit else None)


def _walk(db: Connection, wanted: dict[str, Any]) -> list[Placed]:
    """Along what is smaller: all at the stage for this reason, or all of the site. A site may be one among millions."""
    of_site = False
    if wanted["site"]:
        at_stage, at_site = db.execute(_SIZES, wanted).fetchone()
        of_site = at_site < at_stage
    return [_placed(row) for row in db.execute(_OF_SITE if of_site else _AT_STAGE, wanted)]


def _placed(row: tuple[Any, ...]) -> Placed:
    seq, stage, fell, detail, unknown, key, title, site, domain, status, score, views, answers, tags, asked_at = row
    return Placed(
        place=Place(seq, CurationStage(stage), fell, loaded(detail), bool(unknown)),
        question_id=key,
        title=loaded(title),
        site=site,
        domain=domain,
        status=QuestionStatus(status),
        score=score,
        views=views,
        answers=answers,
        tags=tuple(json.loads(tags)),
        asked_at=asked_at,
    )
