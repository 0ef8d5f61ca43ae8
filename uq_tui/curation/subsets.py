"""What a version of a dataset is made of, from a pass: the questions it kept, diamond ones among them, and some to
develop on.

The two smaller subsets are chosen by the pass's thresholds, its top shares and its clock, once its rules are applied.
"""

from dataclasses import replace
from datetime import datetime

from store import curation_passes, curations, datasets
from store.curation_rows import Cutoff, Facts, Known
from store.dataset_rows import Pin
from store.workspace import Workspace
from uq_tui.curation.rules import body_fall, facts_fall, share_fall
from uq_tui.curation.thresholds import SiteRules, parse
from uq_tui.words import CurationStage, Rule, Subset


def pins(ws: Workspace, curation_id: str, development_limit: int = 0) -> tuple[Pin, ...]:
    """The questions of a version made from a pass, each in its subset.

    Args:
        ws: the workspace.
        curation_id: the pass.
        development_limit: how many questions to develop on go with it, at most.

    Returns:
        those it kept, in the words in which it kept them, then those to develop on, in the words they have now.

    Raises:
        NotFoundError: there is no such pass.
        ConfigError: its rules can't be read.
    """
    hardest = frozenset(diamond(ws, curation_id))
    kept = {
        pin.question_id: replace(pin, subset=Subset.DIAMOND if pin.question_id in hardest else Subset.MAIN)
        for pin in datasets.pins_of_curation(ws, curation_id)
    }
    # A question that was kept may have been answered since.
    known = [key for key in development(ws, curation_id, development_limit) if key not in kept]
    return (*kept.values(), *datasets.pins_of_questions(ws, known, Subset.DEVELOPMENT))


def diamond(ws: Workspace, curation_id: str) -> tuple[str, ...]:
    """Ids of the kept questions that meet the thresholds of the diamond subset too, in order of arrival.

    Raises NotFoundError, and ConfigError where the rules of the pass can't be read.
    """
    curation = curations.get(ws, curation_id)
    table, at = parse(curation.rules).diamond, datetime.fromisoformat(curation.created_at)
    shares = curation_passes.cutoffs(ws, curation_id, Subset.DIAMOND)
    kept = curation_passes.standing(ws, curation_id, CurationStage.KEPT)
    return tuple(
        one.question_id for one in kept if _meets(one.facts, table.of(one.facts.site), shares.get(one.facts.site), at)
    )


def _meets(facts: Facts, rules: SiteRules, share: Cutoff | None, at: datetime) -> bool:
    """Whether a question, whose text has passed already, meets rules and top share."""
    if facts_fall(facts, rules, at) is not None:
        return False
    return share_fall(facts.score or 0, None if share is None else share.votes, rules) is None


def development(ws: Workspace, curation_id: str, limit: int) -> tuple[str, ...]:
    """Ids of questions with known answers to develop on: those with most votes first, at most `limit`.

    The answer of each is a reference, or one that its poster accepted; for the rest it meets the rules of its site, but
    for its top share, which is of open questions.

    Raises NotFoundError, and ConfigError where the rules of the pass can't be read.
    """
    curation = curations.get(ws, curation_id)
    table, at = parse(curation.rules).rules, datetime.fromisoformat(curation.created_at)
    found: list[str] = []
    for one in curation_passes.with_known_answers(ws, curation_id):
        if len(found) >= limit:
            break
        rules = table.of(one.facts.site)
        if facts_fall(one.facts, rules, at, but=[Rule.ANSWERED]) is None and _has_clean_text(ws, one, rules):
            found.append(one.question_id)
    return tuple(found)


def _has_clean_text(ws: Workspace, one: Known, rules: SiteRules) -> bool:
    body = None if one.body_sha256 is None else curation_passes.bodies(ws, [one.body_sha256])[one.body_sha256]
    return body_fall(body, one.body_format, rules) is None
