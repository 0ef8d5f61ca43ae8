"""report judges: on runs against a loopback server, and on stored ones."""

from store import candidates, runs, scores
from store.judge_rows import Score
from store.rows import NewCandidate, Origin
from tests.commands.conftest import MODEL, QUESTION, Desk, Run, document, exposed
from tests.commands.test_judge import HIGH, LOW, UNREADABLE, Serve, judge
from tests.fakes.openai_server import Rule
from uq_tui.words import AuthorKind, Exposure, Reading, RunKind, RunState, TextFormat


def three_candidates(desk: Desk) -> str:
    """Adds one to the two of the desk; its id."""
    workspace = desk.open()
    try:
        origin = Origin(AuthorKind.PERSON, person="tester")
        (added,) = candidates.add(workspace, [NewCandidate(QUESTION, "Perhaps.", TextFormat.MARKDOWN, origin)])
    finally:
        workspace.close()
    return added


MIDDLE = Rule(reply="A guess.\n{tag}: 5", contains=("Perhaps.",))


def test_the_report_compares_judges_and_shows_the_ceiling(uq: Run, desk: Desk, served: Serve) -> None:
    third = three_candidates(desk)
    judge(uq, served(LOW, MIDDLE, HIGH))
    pairwise = (
        Rule(reply="No.\n{tag}: 2", contains=("No, 8 is not.",)),
        Rule(reply="Yes.\n{tag}: 1", contains=("Perhaps.",)),
        Rule(reply="Yes.\n{tag}: 5"),
    )
    judge(uq, served(*pairwise), "--question", QUESTION, "--judge", "pairwise")
    judge(uq, served(Rule(reply="Yes.\n{tag}: accept")), desk.right, "--judge", "uq_binary")
    before = {one: exposed(desk, one) for one in (desk.right, desk.wrong, third)}

    result = uq("report", "judges")
    lines = result.stdout.splitlines()
    scale = next(line for line in lines if "scale_10" in line)
    assert scale.split()[:7] == ["2", "scale_10", MODEL, "tagged", "3", "6.00", "3.61"]
    assert "33 % (2/6)" in scale
    assert "··█·█····█" in scale
    # Means 10, 3, 5 against 5, 2, 1: ranks 3, 1, 2 against 3, 2, 1.
    assert [line.split()[:4] for line in lines if "0.50" in line] == [["2", "scale_10", "0.50", "(3)"]]
    assert [line.split()[:8] for line in lines if "few" in line] == [
        ["3", "uq_binary", "–", "(1,", "few)", "–", "(1,", "few)"]
    ]
    assert "newest finished" in result.stderr
    assert {one: exposed(desk, one) for one in before} == before


def test_the_report_as_json(uq: Run, desk: Desk, served: Serve) -> None:
    judge(uq, served(LOW, HIGH))
    judge(uq, served(UNREADABLE), "--question", QUESTION, "--judge", "pairwise")
    found = document(uq("report", "judges", "--question", QUESTION, "--json"))

    pairwise, scale = found["judges"]
    assert (scale["judge"], scale["candidates"], scale["mean"], scale["scored"], scale["ceiling_share"]) == (
        "scale_10",
        2,
        6.5,
        4,
        0.5,
    )
    assert (pairwise["candidates"], pairwise["mean"], pairwise["unparsed"], pairwise["ceiling_share"]) == (
        0,
        None,
        4,
        None,
    )
    assert found["agreement"] == [
        {
            "left": {"no": 1, "judge": "pairwise", "model": MODEL},
            "right": {"no": 2, "judge": "scale_10", "model": MODEL},
            "rho": None,
            "candidates": 0,
            "undefined": "fewer than 3 pairs",
        }
    ]
    assert found["warnings"] == []


def test_a_report_that_tells_what_one_candidate_got_is_recorded(uq: Run, desk: Desk, served: Serve) -> None:
    workspace = desk.open()
    try:
        spec = {
            "model": {"id": "local/small", "api_base": ""},
            "samples": 1,
            "form": "tagged",
            "judge": {"name": "scale_10", "lowest": 1, "highest": 10, "prompt_sha256": "ab" * 32},
        }
        run = runs.create(workspace, RunKind.JUDGE, "Judge", spec, 2)
        for candidate in (desk.right, desk.wrong):
            row = Score(run.id, candidate, 0, "scale_10", 10.0, Reading.READ, "", "", "2026-01-31T12:00:00.000000Z")
            scores.save(workspace, [row])
        runs.set_state(workspace, run.id, RunState.DONE)
    finally:
        workspace.close()
    result = uq("report", "judges")

    assert "100 % (2/2)" in result.stdout
    assert "What a small model decides means nothing." in result.stderr
    assert exposed(desk, desk.right) == exposed(desk, desk.wrong) == {Exposure.SCORES}


def test_what_was_asked_in_another_form_is_another_row(uq: Run, desk: Desk, served: Serve) -> None:
    judge(uq, served(LOW, HIGH))
    judge(uq, served(Rule(reply="So be it.\nScore: 4")), desk.right, "--form", "exact")

    exact, tagged = document(uq("report", "judges", "--json"))["judges"]
    assert (exact["no"], exact["form"], exact["candidates"], exact["mean"]) == (1, "exact", 1, 4.0)
    assert (tagged["no"], tagged["form"], tagged["candidates"], tagged["mean"]) == (2, "tagged", 2, 6.5)
    assert exact["prompts"] != tagged["prompts"]

    result = uq("report", "judges")
    rows = [line.split() for line in result.stdout.splitlines() if MODEL in line]
    assert [row[3:6] for row in rows] == [
        [one["form"], one["prompts"], f"{one['candidates']}"] for one in (exact, tagged)
    ]
    assert "Eight characters tell apart" in result.stderr
    assert [line.split()[:4] for line in result.stdout.splitlines() if "few" in line] == [["2", "scale_10", "–", "(1,"]]


def test_a_report_on_nothing_says_what_to_do(uq: Run, desk: Desk) -> None:
    result = uq("report", "judges")
    assert result.exit_code == 0
    assert "`uq-tui judge`" in result.stderr
    assert document(uq("report", "judges", "--json")) == {"judges": [], "agreement": [], "warnings": []}
    assert uq("report", "judges", "--question", "nowhere:1").exit_code == 3
