"""How far people agree, from a store: what is compared, with whom, and what is left out."""

import json
from collections.abc import Mapping
from dataclasses import replace

import pytest

from store import exposures, reviewers, statements
from store.opinions import VerdictSubset, by_candidate, standing
from store.review_rows import NewItem, Said, StageJudged
from store.workspace import Workspace
from tests.found_elsewhere import TWO, put_validated
from tests.shared import shared_file
from tests.store.evaluated import put_answers, put_validation
from tests.store.reviewing import queue
from tests.store.standing import ADA, BOB, EVE, put, row
from tests.store.stock import QUESTION
from uq_tui.analysis.agreement import BOTH_CONSTANT
from uq_tui.analysis.agreement_figures import Measured
from uq_tui.analysis.bootstrap import TOO_FEW
from uq_tui.state.reports import agreement, agreement_tables
from uq_tui.state.reports.agreement import AgreementFindings, Wanted
from uq_tui.state.reports.agreement_people import DECISION, EQUAL, LABEL, SCORE, overall
from uq_tui.state.reports.agreement_validators import EVERYBODY
from uq_tui.state.reviewing import blind
from uq_tui.words import Exposure, ItemRole, Label, NotJudged, Outcome, Soundness, StatementKind

C, B, I, U = Label.CORRECT, Label.CORRECT_BORDERLINE, Label.INCORRECT, Label.UNSURE  # noqa: E741
BOB_ELSEWHERE = replace(BOB, id="0199aaaa-0000-7000-8000-000000000002", linked=(BOB.id,))
READER = EVE.id


def read(ws: Workspace, wanted: Wanted | None = None, reader: str = READER) -> AgreementFindings:
    return agreement.read(ws, wanted or Wanted(), reader, blind.left_out(ws, reader))


def answers(ws: Workspace, n: int, known: Mapping[int, Label] | None = None) -> list[str]:
    labels = known or {}
    return list(put_answers(ws, {f"Answer {place}": ("m/a", labels.get(place)) for place in range(n)}).values())


def of(found: AgreementFindings, what: str, figure: str) -> Measured:
    return next(one.found for one in found.overall if (one.of, one.figure) == (what, figure))


def test_two_people_are_compared_where_both_gave_a_label(workspace: Workspace) -> None:
    keys = answers(workspace, 7)
    said: list[tuple[Label, Label | NotJudged | None]] = [
        (C, C), (C, B), (I, I), (B, I), (C, U), (I, NotJudged.TOO_TEDIOUS), (C, None)
    ]  # fmt: skip
    rows = [
        row(f"a{n}", key, ADA, one, question_id=QUESTION.id)
        for n, (key, (one, _)) in enumerate(zip(keys, said, strict=False))
    ]
    rows += [
        row(f"b{n}", key, BOB if n % 2 else BOB_ELSEWHERE, other, question_id=QUESTION.id)
        for n, (key, (_, other)) in enumerate(zip(keys, said, strict=False))
        if other is not None
    ]
    put(workspace, rows)
    found = read(workspace)
    (pair,) = found.pairs
    assert [found.people[key] for key in pair.people] == ["bob", "ada"]
    assert (pair.kappa.n, pair.undecided) == (4, 2)
    assert (pair.decisions.value, pair.labels.value) == (0.75, 0.5)
    # As labels 2 of 4 agree; chance: (C 1*2 + B 1*1 + I 2*1) / 16.
    assert pair.kappa.value == pytest.approx((2 / 4 - 5 / 16) / (1 - 5 / 16))
    assert pair.kappa.interval.why == TOO_FEW
    strict = read(workspace, Wanted(borderline_correct=False))
    assert strict.pairs[0].decisions.value == 0.75
    counts = found.counts
    assert (counts.verdicts, counts.candidates, counts.several) == (13, 7, 6)
    assert (counts.unsure, counts.not_judged, counts.not_blind) == (1, 1, 0)


def test_what_goes_along_is_not_compared_and_adjudications_are_no_opinion(workspace: Workspace) -> None:
    one, same = answers(workspace, 2)
    put(
        workspace,
        [
            row("a", one, ADA, C, question_id=QUESTION.id),
            row("b", one, BOB, I, question_id=QUESTION.id),
            row("a2", same, ADA, C, question_id=QUESTION.id, assignment={"linked_to": "a#1"}),
            row("b2", same, BOB, I, question_id=QUESTION.id, assignment={"linked_to": "b#1"}),
            row("e", one, EVE, I, day=2, question_id=QUESTION.id, settles=["a#1", "b#1"]),
        ],
    )
    found = read(workspace)
    assert (found.counts.copies, found.counts.adjudications, found.counts.candidates) == (2, 1, 1)
    assert [pair.kappa.n for pair in found.pairs] == [1]
    put_validation(workspace, {one: Outcome.REJECT, same: Outcome.ACCEPT})
    everybody = read(workspace).validators[0]
    # The adjudication settles the one as incorrect; on the other two verdicts are tied, which decides nothing.
    assert (everybody.n, everybody.undecided, everybody.passed_people, everybody.agreement.value) == (1, 1, 0, 1)


def test_a_repeat_is_compared_with_the_first_verdict_while_that_is_what_it_was(workspace: Workspace) -> None:
    keys = answers(workspace, 5)
    again = [(C, C), (I, C), (B, U)]
    rows = [
        row(f"a{n}", key, ADA, one, question_id=QUESTION.id)
        for n, (key, (one, _)) in enumerate(zip(keys, again, strict=False))
    ]
    rows += [
        row(f"r{n}", key, ADA, other, day=3, question_id=QUESTION.id, assignment={"repeat_of": f"a{n}"})
        for n, (key, (_, other)) in enumerate(zip(keys, again, strict=False))
    ]
    changed = row("a3", keys[3], ADA, C, revision=2, day=5, question_id=QUESTION.id)
    rows += [changed, row("r3", keys[3], ADA, I, day=3, question_id=QUESTION.id, assignment={"repeat_of": "a3"})]
    rows += [row("r4", keys[4], BOB, I, day=3, question_id=QUESTION.id, assignment={"repeat_of": "gone"})]
    put(workspace, rows)
    together, ada, bob = read(workspace).repeats
    assert (together.person, ada.person, bob.person) == ("", ADA.id, BOB.id)
    assert (ada.labels.value, ada.labels.n, ada.undecided, ada.not_compared) == (0.5, 2, 1, 1)
    assert (bob.labels.value, bob.labels.n, bob.not_compared) == (None, 0, 1)
    assert (together.labels.n, together.not_compared) == (2, 2)


def test_gold_items_measure_those_in_whose_share_they_stand(workspace: Workspace) -> None:
    keys = answers(workspace, 4, {0: C, 1: I, 2: B, 3: U})
    for reviewer in (ADA, BOB):
        reviewers.make(workspace, reviewer)
    share = [NewItem(QUESTION.id, key, ItemRole.GOLD) for key in keys]
    queue(workspace, {ADA: share})
    said = [C, C, C, C]
    put(
        workspace,
        [
            row(f"{who.handle}{n}", key, who, one, question_id=QUESTION.id)
            for who in (ADA, BOB)
            for n, (key, one) in enumerate(zip(keys, said, strict=False))
        ],
    )
    (ada,) = read(workspace).gold
    assert ada.person == ADA.id
    assert ada.right.n == 3
    assert (ada.right.value, ada.right.expected) == pytest.approx((2 / 3, 2 / 3))
    assert {key for _, key in read(workspace).told[Exposure.KNOWN_LABEL]} == set(keys[:3])
    (strict,) = read(workspace, Wanted(borderline_correct=False)).gold
    assert strict.right.value == pytest.approx(1 / 3)


def test_a_validator_beside_people_is_as_the_paper_has_it(workspace: Workspace) -> None:
    """Table on human verification: of 25 the validator passed 12 %, people 4 %; agreement 92 %, kappa .468."""
    names = {f"g{n}": ("gemini", None) for n in range(25)} | {f"c{n}": ("claude", None) for n in range(25)}
    keys = put_answers(workspace, names)
    gemini, claude = ([keys[f"{letter}{n}"] for n in range(25)] for letter in "gc")
    run_id = put_validation(
        workspace, {key: Outcome.ACCEPT if key in gemini[:3] else Outcome.REJECT for key in (*gemini, *claude)}
    )
    put(
        workspace,
        [
            row(f"v{n}", key, ADA, C if n == 0 else I, question_id=QUESTION.id)
            for n, key in enumerate((*gemini, *claude))
        ],
    )
    reviewers.make(workspace, ADA)
    for n, key in enumerate((*gemini[:20], *claude[:2])):
        sound = Soundness.UNSURE if n == 21 else Soundness.UNSOUND if n < 5 else Soundness.SOUND
        told = (
            StageJudged("two", "fact_logic", run_id, Soundness.SOUND),
            StageJudged("two", "correctness", run_id, sound),
        )
        only = told[1:] if n == 21 else told
        statements.add(workspace, ADA, StatementKind.SECOND_PASS, QUESTION.id, Said(soundness=only), candidate_id=key)
    by_author = {one.author: one for one in read(workspace).validators}
    one = by_author["gemini"]
    assert (one.n, one.passed_validator, one.passed_people) == (25, 3, 1)
    assert one.agreement.value == pytest.approx(0.92)
    assert one.kappa.value == pytest.approx(0.468, abs=5e-4)
    assert (one.traces.value, one.traces.n) == (0.75, 20)
    assert by_author["claude"].agreement.value == 1
    assert by_author["claude"].kappa.undefined == BOTH_CONSTANT
    assert (by_author["claude"].traces.n, by_author["claude"].traces_unsure) == (1, 1)
    assert by_author[EVERYBODY].n == 50


def test_second_passes_go_to_the_validator_whose_run_elsewhere_they_name(workspace: Workspace) -> None:
    (key,) = answers(workspace, 1)
    for run_id, prompts in (("one", "aaaaaaaa"), ("two", "bbbbbbbb")):
        put_validated(workspace, key, run_id=run_id, validator={**TWO, "prompts": prompts})
    put(workspace, [row("v", key, ADA, I, question_id=QUESTION.id)])
    reviewers.make(workspace, ADA)
    said = Said(soundness=(StageJudged("two", "correctness", "two", Soundness.SOUND),))
    statements.add(workspace, ADA, StatementKind.SECOND_PASS, QUESTION.id, said, candidate_id=key)
    found = read(workspace)
    assert [one.traces.n for one in found.validators if one.author == EVERYBODY] == [0, 1]
    assert found.elsewhere == 2
    assert agreement_tables.intro(found)[-1].startswith("2 outcomes counted here came in files")


def test_a_subset_leaves_the_rest_out(workspace: Workspace) -> None:
    keys = answers(workspace, 2)
    put(
        workspace,
        [
            row("a", keys[0], ADA, C, question_id=QUESTION.id),
            row("b", keys[0], BOB, C, question_id=QUESTION.id),
            row("c", keys[0], EVE, C, question_id=QUESTION.id, blind=False),
        ],
    )
    assert len(read(workspace).pairs) == 3
    assert read(workspace).counts.not_blind == 1
    assert len(read(workspace, Wanted(VerdictSubset(blind_only=True))).pairs) == 1
    assert read(workspace, Wanted(VerdictSubset(queue_id="none"))).counts.verdicts == 0


def test_what_figures_give_away_is_recorded_and_what_is_masked_is_not_counted(workspace: Workspace) -> None:
    keys = answers(workspace, 2)
    for reviewer in (ADA, BOB, EVE):
        reviewers.make(workspace, reviewer)
    put(workspace, [row(who.handle, keys[0], who, C, question_id=QUESTION.id) for who in (ADA, BOB)])
    found = read(workspace)
    agreement.record_shown(workspace, EVE.id, found, "here")
    assert {one.what for one in exposures.of_candidate(workspace, EVE.id, keys[0])} == {Exposure.OTHER_VERDICTS}
    assert not exposures.of_candidate(workspace, EVE.id, keys[1])
    queue(workspace, {EVE: [NewItem(QUESTION.id, keys[1])]})
    masked = read(workspace)
    assert (masked.counts.verdicts, masked.pairs, masked.told[Exposure.OTHER_VERDICTS]) == (0, (), frozenset())
    assert masked.left_out.questions == 1


def test_one_of_two_learns_more_from_their_table_than_others(workspace: Workspace) -> None:
    """Of what Ada holds correct Bob says one thing throughout; of the rest he says different things."""
    keys = answers(workspace, 15)
    said = [(C, C)] * 6 + [(I, C)] * 5 + [(I, I)] * 4
    put(
        workspace,
        [
            row(f"{who.handle}{n}", key, who, says, question_id=QUESTION.id)
            for n, (key, both) in enumerate(zip(keys, said, strict=True))
            for who, says in zip((ADA, BOB), both, strict=True)
        ],
    )

    def told(reader: str) -> set[str]:
        return {key for _, key in read(workspace, reader=reader).told[Exposure.OTHER_VERDICTS]}

    assert told(EVE.id) == set()
    assert told(ADA.id) == set(keys[:6])
    assert told(BOB.id) == set(keys[11:])


def test_people_of_the_same_name_are_kept_apart(workspace: Workspace) -> None:
    (key,) = answers(workspace, 1)
    namesake = replace(EVE, handle="ada")
    put(workspace, [row(who.id, key, who, C, question_id=QUESTION.id) for who in (ADA, namesake)])
    assert sorted(read(workspace).people.values()) == ["ada …0000000a", "ada …0000000e"]


def test_tables_say_what_is_undefined_and_why(workspace: Workspace) -> None:
    keys = answers(workspace, 3)
    put(
        workspace,
        [
            row(f"{who.handle}{key}", key, who, C, score=7, question_id=QUESTION.id)
            for key in keys
            for who in (ADA, BOB)
        ],
    )
    found = read(workspace)
    titles = {section.title: section for section in agreement_tables.sections(found)}
    assert list(titles) == [agreement_tables.OVERALL, agreement_tables.PAIRS]
    (pair,) = titles[agreement_tables.PAIRS].rows
    assert pair == ("ada", "bob", "3", "0", "1.00", "1.00", "–")
    notes = " ".join(titles[agreement_tables.PAIRS].notes)
    assert f"undefined, {BOTH_CONSTANT}" in notes
    assert f"no interval, {TOO_FEW}" in notes
    assert of(found, SCORE, EQUAL).value == 1
    assert of(found, DECISION, EQUAL).expected == 1
    assert any("6 verdicts of 2 people" in line for line in agreement_tables.intro(found))


@pytest.mark.shared
def test_a_crowd_with_missing_cells_and_duplicates_comes_out_as_other_software_has_it(workspace: Workspace) -> None:
    """2,497 labels of 530 items by 39 workers, 520 of them given again later: the newest stands."""
    path = shared_file("data/crowd-labels-get-another-label/CopyrightInfringement/labels.txt")
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    items = dict.fromkeys(item for _, item, _ in rows)
    keys = dict(zip(items, answers(workspace, len(items)), strict=True))
    says = {"yes": C, "broken": B, "no": I}
    put(
        workspace,
        [
            row(
                f"v{n:05}",
                keys[item],
                replace(ADA, id=worker, handle=worker),
                says[label],
                question_id=QUESTION.id,
                created_at=f"2026-02-01T00:00:00.{n:06}Z",
            )
            for n, (worker, item, label) in enumerate(rows)
        ],
    )
    several = [one.ordinary for one in by_candidate(standing(workspace)).values()]
    figures = overall(several, borderline_correct=True)
    reference = shared_file("data/REFERENCE_VALUES.json").read_text(encoding="utf-8")
    wanted = json.loads(reference)["crowd CopyrightInfringement"]["nominal_alpha_last_label_wins"]
    alpha = next(one.found for one in figures if (one.of, one.figure) == (LABEL, "alpha, nominal"))
    assert alpha.value == pytest.approx(wanted)
    assert alpha.low is not None
