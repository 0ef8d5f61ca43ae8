"""How a ladder looks and is moved about in."""

from textual.app import App, ComposeResult

from uq_tui.engine.protocol import CallFinished, CallStarted, OutcomeDecided, StageStarted
from uq_tui.state.ladder.ladder import Ladder
from uq_tui.state.ladder.shape import LadderShape
from uq_tui.widgets.ladder_view import LadderView
from uq_tui.words import CallState, Outcome

VOTE = "correctness x3 majority => relevance"


class Host(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.view = LadderView(id="ladder")
        self.chosen: list[str] = []

    def compose(self) -> ComposeResult:
        yield self.view

    def on_ladder_view_chosen(self, message: LadderView.Chosen) -> None:
        self.chosen.append(message.path)

    def lines(self) -> list[str]:
        """All lines of all rungs, without blanks at their ends."""
        prompts = (str(option.prompt) for option in self.view.options)
        return [line.rstrip() for prompt in prompts for line in prompt.splitlines()]


def ladder(notation: str = VOTE, title: str = "Mine", **pinned: object) -> Ladder:
    return Ladder("r", LadderShape.of({"strategy": {"title": title, "notation": notation}, **pinned}))


def decide(shown: Ladder, *paths: str, outcome: Outcome = Outcome.ACCEPT, reason: str = "") -> None:
    for path in paths:
        shown.apply(OutcomeDecided("r", "c", path, outcome, reason, ""))


async def test_glyphs_words_reasons_tokens_and_money_stand_in_the_tree() -> None:
    app, shown = Host(), ladder(model={"id": "a/judge", "api_base": ""}, exact=True)
    shown.apply(StageStarted("r", "c", ""))
    shown.apply(CallStarted("r", "k", "c", "correctness/1", "a/judge"))
    shown.apply(CallFinished("r", "k", "c", "correctness/1", CallState.DONE, None, "", False, 1100, 104, 0.0031))
    decide(shown, "correctness/1")
    decide(shown, "correctness/3", outcome=Outcome.SKIPPED, reason="decided by the samples before")
    decide(shown, "correctness", outcome=Outcome.REJECT, reason="1 of 3 accepted")
    async with app.run_test(size=(60, 30)):
        app.view.show(shown, title="Stages")
        assert app.lines() == [
            "Mine          ◌ running",
            "  by a/judge, exact votes",
            "  1 call, 1,204 tokens, $0.0031",
            "▾ correctness ✗ reject  1.2k $.0031",
            "  1 of 3 accepted",
            "    sample 1  ✓ accept  1.2k $.0031",
            "    sample 2  waiting",
            "    sample 3  · skipped",
            "    decided by the samples before",
            "  relevance   waiting",
        ]


async def test_what_does_not_fit_beside_the_outcome_stands_under_it() -> None:
    app, shown = Host(), ladder()
    shown.apply(CallFinished("r", "k", "c", "correctness/1", CallState.DONE, None, "", False, 1100, 104, 0.0031))
    decide(shown, "correctness/1")
    async with app.run_test(size=(30, 30)):
        app.view.show(shown, title="Stages")
        lines = app.lines()
        assert lines[lines.index("    sample 1  ✓ accept") + 1] == "    1.2k $.0031"


async def test_a_growing_ladder_changes_only_what_has_changed() -> None:
    app, shown = Host(), ladder()
    decide(shown, "correctness/1")
    async with app.run_test(size=(60, 30)):
        app.view.show(shown, title="Stages")
        before = list(app.view.options)
        decide(shown, "correctness/2", "relevance")
        app.view.show(shown, title="Stages")
        assert all(now is then for now, then in zip(app.view.options, before, strict=True))
        assert sum("accept" in line for line in app.lines()) == 3


async def test_the_highlight_follows_what_runs_until_a_key_is_pressed() -> None:
    app, shown = Host(), ladder()
    async with app.run_test(size=(60, 30)) as pilot:
        app.view.focus()
        shown.apply(StageStarted("r", "c", "correctness/1"))
        app.view.show(shown, title="Stages")
        await pilot.pause()
        assert app.view.path == "correctness/1"
        await pilot.press("up")
        shown.apply(StageStarted("r", "c", "correctness/2"))
        app.view.show(shown, title="Stages")
        await pilot.pause()
        assert app.view.path == "correctness"
        assert app.chosen[-1] == "correctness"


async def test_rungs_that_come_above_do_not_move_the_reader() -> None:
    app, shown = Host(), ladder()
    async with app.run_test(size=(60, 30)) as pilot:
        app.view.focus()
        app.view.show(shown, title="Stages")
        await pilot.press("end")
        assert app.view.path == "relevance"
        decide(shown, "correctness/1")
        app.view.show(shown, title="Stages")
        await pilot.pause()
        assert app.view.path == "relevance"
        assert set(app.chosen[-2:]) == {"relevance"}


async def test_space_folds_and_opens_and_a_part_folds_what_it_is_part_of() -> None:
    app, shown = Host(), ladder()
    decide(shown, "correctness/1", "correctness/2", "correctness", "relevance", "")
    async with app.run_test(size=(60, 30)) as pilot:
        app.view.focus()
        app.view.show(shown, title="Stages")
        await pilot.press("home", "down", "down", "down", "space")
        assert app.view.path == "correctness"
        assert "▸ correctness (3) ✓ accept" in app.lines()
        assert not any("sample" in line for line in app.lines())
        await pilot.press("space")
        assert sum("sample" in line for line in app.lines()) == 3
        await pilot.press("home", "space")
        assert len(app.lines()) == 1


async def test_a_long_vote_is_one_rung_when_decided_and_z_opens_everything() -> None:
    app, shown = Host(), ladder("correctness x64 majority")
    decide(shown, *(f"correctness/{n}" for n in range(1, 65)), "correctness", "")
    async with app.run_test(size=(60, 30)) as pilot:
        app.view.focus()
        app.view.show(shown, title="Stages")
        assert app.view.option_count == 2
        await pilot.press("z")
        assert app.view.option_count == 66
        await pilot.press("z")
        assert app.view.option_count == 2


async def test_folds_stay_while_the_run_goes_on_and_end_with_another_run() -> None:
    app, shown = Host(), ladder()
    decide(shown, "correctness/1", "correctness")
    async with app.run_test(size=(60, 30)) as pilot:
        app.view.focus()
        app.view.show(shown, title="Stages")
        await pilot.press("home", "down", "space")
        decide(shown, "relevance")
        app.view.show(shown, title="Stages")
        assert app.view.option_count == 3
        another = Ladder("another", shown.shape)
        decide(another, "correctness/1", "correctness")
        app.view.show(another, title="Stages")
        assert app.view.option_count == 6


async def test_foreign_words_are_neither_markup_nor_commands() -> None:
    app = Host()
    shown = ladder("correctness @[1, 2] majority", slots={"1": "a/[red]x[/]", "2": "b/\x1b[2J"})
    decide(shown, "correctness/1", "correctness", reason="[link=x]\x1b]0;title\x07 failed\nbadly")
    async with app.run_test(size=(60, 30)):
        app.view.show(shown, title="Stages")
        text = "\n".join(app.lines())
        assert "\x1b" not in text
        assert "[link=x]␛]0;title␇ failed badly" in text
        assert "a/[red]x[/]" in text


async def test_without_a_ladder_it_says_what_to_do() -> None:
    app = Host()
    async with app.run_test(size=(60, 30)):
        app.view.show(None, title="Stages", empty="v judges it.")
        assert app.lines() == ["v judges it."]
        app.view.show(ladder(), title="Stages")
        assert "v judges it." not in app.lines()
        app.view.show(None, title="Stages", empty="v judges it.")
        assert app.lines() == ["v judges it."]


async def test_the_embedded_models_judgements_are_said_to_mean_nothing() -> None:
    app = Host()
    async with app.run_test(size=(60, 30)):
        app.view.show(ladder(model="local/smollm2-135m"), title="Stages")
        assert str(app.view.border_title) == "Stages (mean nothing)"


async def test_what_came_out_differently_elsewhere_is_marked() -> None:
    app, shown = Host(), ladder()
    decide(shown, "correctness", "relevance")
    async with app.run_test(size=(60, 30)):
        app.view.show(shown, title="Stages", differing={"relevance"})
        came_out = [line for line in app.lines() if "accept" in line]
        assert came_out == ["▾ correctness   ✓ accept", "  relevance   ≠ ✓ accept"]


async def test_a_long_line_of_notation_as_title_leaves_room_for_what_stages_took() -> None:
    app, shown = Host(), ladder(title=f"{VOTE} => fact_logic")
    shown.apply(CallFinished("r", "k", "c", "correctness/1", CallState.DONE, None, "", False, 1100, 104, 0.0031))
    decide(shown, "correctness/1", "relevance")
    async with app.run_test(size=(50, 30)):
        app.view.show(shown, title="Stages")
        lines = app.lines()
        assert lines[0] == "correctness x3 majo… waiting"
        assert "    sample 1         ✓ accept  1.2k $.0031" in lines


async def test_what_was_cut_short_is_undecided_and_only_the_rest_was_not_asked() -> None:
    app, shown = Host(), ladder()
    shown.apply(StageStarted("r", "c", ""))
    shown.apply(CallStarted("r", "k", "c", "correctness/1", "a/judge"))
    shown.stop()
    async with app.run_test(size=(60, 30)):
        app.view.show(shown, title="Stages")
        said = [line.split()[-1] for line in app.lines() if "asked" in line or "undecided" in line]
        assert said == ["undecided", "undecided", "undecided", "asked", "asked", "asked"]


async def test_a_long_reason_stays_under_its_rung() -> None:
    app, shown = Host(), ladder()
    decide(shown, "correctness", reason="one two three four five six seven eight nine ten")
    async with app.run_test(size=(40, 30)):
        app.view.show(shown, title="Stages")
        lines = app.lines()
        first, last = (next(n for n, line in enumerate(lines) if word in line) for word in ("one", "ten"))
        assert last == first + 1
        assert all(line.startswith("  ") and not line.startswith("   ") for line in lines[first : last + 1])


async def test_why_several_were_skipped_is_said_once() -> None:
    app, shown = Host(), ladder("correctness x5 majority => relevance")
    decide(shown, *(f"correctness/{n}" for n in (1, 2, 3)))
    decide(shown, "correctness/4", "correctness/5", outcome=Outcome.SKIPPED, reason="decided by the samples before")
    decide(shown, "relevance", outcome=Outcome.SKIPPED, reason="an earlier stage rejected")
    async with app.run_test(size=(60, 30)):
        app.view.show(shown, title="Stages")
        said = [line.strip() for line in app.lines() if "decided by" in line or "an earlier" in line]
        assert said == ["decided by the samples before", "an earlier stage rejected"]
