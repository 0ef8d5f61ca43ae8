"""The funnel's lines, on counts worked out by hand."""

from collections.abc import Sequence

import pytest

from store.curation_rows import StageCount
from uq_tui.curation.funnel import funnel
from uq_tui.state.curating.funnel_lines import NO_DOMAIN, NO_SITE, FunnelLine, FunnelSection, sections
from uq_tui.words import Criterion, CurationStage, Rule

RULES, MODEL, REVIEW, KEPT = CurationStage
MO, QC = "mathoverflow.net", "quantumcomputing.stackexchange.com"


def at(stage: CurationStage, n: int, fell: str = "", *, unknown: bool = False, site: str = MO) -> StageCount:
    domain = {MO: "Science", QC: "Technology"}.get(site, "")
    return StageCount(stage, str(fell), unknown, site, domain, n)


COUNTS = (
    at(RULES, 50, Rule.AGE),
    at(RULES, 20, Rule.VIEWS),
    at(RULES, 4, Rule.VIEWS, unknown=True),
    at(RULES, 6, Rule.AGE, site=QC),
    at(MODEL, 3),
    at(MODEL, 2, unknown=True),
    at(MODEL, 5, Criterion.ANSWER_CORRECTNESS),
    at(REVIEW, 1),
    at(REVIEW, 2, "reject"),
    at(KEPT, 6),
    at(KEPT, 1, site=QC),
)


def lines(counts: Sequence[StageCount] = COUNTS) -> dict[str, FunnelLine]:
    return {line.key: line for section in sections(counts) for line in section.lines}


def told(key: str, counts: Sequence[StageCount] = COUNTS) -> tuple[int, int | None]:
    line = lines(counts)[key]
    return line.n, line.of


def section(title: str, counts: Sequence[StageCount] = COUNTS) -> FunnelSection:
    return next(one for one in sections(counts) if one.title == title)


def test_nothing_was_looked_at_before_rules_are_applied() -> None:
    assert sections(()) == ()


def test_what_passed_the_rules_is_a_share_of_what_they_decided_by_known_figures() -> None:
    assert told("all looked_at") == (100, None)
    assert told("all rules") == (20, 96)


def test_what_passed_the_models_is_a_share_of_what_they_decided() -> None:
    assert told("all model") == (10, 15)
    assert told("all review") == (7, 9)


def test_unknown_and_undecided_are_counted_apart() -> None:
    assert told("all rules unknown") == (4, None)
    assert told("all model unknown") == (2, None)
    assert told("all model waiting") == (3, None)
    assert told("all review waiting") == (1, None)
    assert "all rules waiting" not in lines()


def test_a_share_of_nothing_decided_is_of_nothing() -> None:
    assert told("all model", (at(MODEL, 3),)) == (0, 0)


def test_the_papers_figures_stand_beside_ours() -> None:
    found = lines()
    assert (found["all rules"].paper_n, found["all rules"].paper_of) == (33_916, 3_000_000)
    assert (found["all model"].paper_n, found["all model"].paper_of) == (7_685, 33_916)
    assert (found["all review"].paper_n, found["all review"].paper_of) == (500, 7_685)
    assert (found["domain Science model"].paper_n, found["domain Science model"].paper_of) == (6_167, 21_344)
    assert (found[f"site {MO} review"].paper_n, found[f"site {MO} review"].paper_of) == (200, None)
    assert found[f"site {MO} rules"].paper_n is None


def test_rules_come_in_the_order_in_which_they_are_looked_at_each_with_its_unknown_figures() -> None:
    told_of = [(line.label, line.n, line.of, line.depth) for line in section("Fell at the rules").lines]
    assert told_of == [("age", 56, 96, 0), ("views", 20, 96, 0), ("views, figure unknown", 4, None, 0)]


def test_reasons_of_other_versions_come_last() -> None:
    found = section("Fell at the rules", (at(RULES, 1, "moon"), at(RULES, 1, Rule.TOP_SHARE))).lines
    assert [line.label for line in found] == ["top share", "moon"]


def test_criteria_are_shares_of_what_models_decided() -> None:
    (line,) = section("Fell at the models").lines
    assert (line.label, line.n, line.of) == ("answer correctness", 5, 15)


def test_all_domains_of_the_paper_are_there_and_what_has_none_comes_last() -> None:
    heads = [line for line in section("By domain", (*COUNTS, at(KEPT, 9, site="x.example"))).lines if not line.depth]
    assert [line.label for line in heads][:2] == ["Science", "Technology"]
    assert len(heads) == 6
    assert (heads[-1].label, heads[-1].n) == (NO_DOMAIN, 9)
    assert heads[-2].n == 0


def test_sites_with_the_most_questions_come_first() -> None:
    heads = [line for line in section("By site", (*COUNTS, at(KEPT, 1, site=""))).lines if not line.depth]
    assert [(line.label, line.n) for line in heads] == [("MathOverflow", 93), ("Quantum Computing", 7), (NO_SITE, 1)]


@pytest.mark.parametrize("stage", [RULES, MODEL, REVIEW])
def test_every_question_that_is_counted_can_be_found(stage: CurationStage) -> None:
    line = lines()[f"all {stage}"]
    found = {(spot.stage, spot.fell, spot.unknown, spot.site) for spot in line.spots}
    assert sum(one.n for one in COUNTS if (one.stage, one.fell, one.unknown, one.site) in found) == line.n


def test_stages_agree_with_the_funnel_that_the_command_prints() -> None:
    printed = funnel(COUNTS)
    for one in printed.stages:
        assert told(f"all {one.stage}") == (one.left, one.decided)
        for reason, n in one.fell.items():
            assert told(f"{one.stage} {reason}") == (n, one.decided)
        for reason, n in one.unknown.items():
            assert told(f"{one.stage} {reason} unknown") == (n, None)
    assert told("all looked_at")[0] == printed.stages[0].entered
