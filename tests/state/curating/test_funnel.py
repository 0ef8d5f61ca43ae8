"""The curations of a workspace, begun, chosen, and with their rules applied."""

from pathlib import Path

import pytest
import pytest_asyncio

from store import curations
from store.workspace import Workspace
from tests.state.curating.curated import SITE, curated
from tests.state.reviewing.laid_out import desk_of
from tests.store.stock import question, take
from uq_tui.curation.thresholds import default_toml
from uq_tui.errors import UqError
from uq_tui.state.curating.funnel import FunnelState, rules_of, sites_of


@pytest_asyncio.fixture
async def state(workspace: Workspace) -> FunnelState:
    return FunnelState(await desk_of(workspace))


async def test_without_a_curation_there_is_nothing_to_apply(state: FunnelState) -> None:
    await state.load()
    assert (state.curation, state.sections, state.waiting) == (None, (), 0)
    assert not await state.apply(lambda done, of: None)


async def test_what_is_begun_is_looked_at_until_another_is_chosen(state: FunnelState) -> None:
    await state.begin("first", "")
    await state.begin("second", "")
    assert [one.name for one in state.curations] == ["second", "first"]
    assert state.curation is not None
    assert (state.curation.name, state.curation.rules) == ("second", default_toml())
    await state.choose(state.curations[1].id)
    again = FunnelState(state.desk)
    await again.load()
    assert again.curation is not None
    assert again.curation.name == "first"


async def test_a_name_is_taken_once(state: FunnelState) -> None:
    await state.begin("first", "")
    with pytest.raises(UqError):
        await state.begin("first", "")


@pytest.mark.parametrize("text", ["[rules]\nvotes = 'many'", "[rules", b"\xff\xfe\x00"])
def test_a_file_of_rules_that_cannot_be_gone_by_is_named(tmp_path: Path, text: str | bytes) -> None:
    file = tmp_path / "rules.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(UqError, match=r"rules\.toml"):
        rules_of(str(file))
    with pytest.raises(UqError, match=r"none\.toml"):
        rules_of(str(tmp_path / "none.toml"))


def test_rules_of_ones_own_are_kept_word_for_word(tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    text = default_toml() + "# ours\n"
    file.write_text(text, encoding="utf-8")
    assert rules_of(f" {file} ") == text


async def test_rules_are_applied_with_progress(state: FunnelState) -> None:
    take(state.desk.workspace, *(question(number, site=SITE) for number in range(3)))
    await state.begin("pilot", "")
    heard: list[tuple[int, int]] = []
    assert await state.apply(lambda done, of: heard.append((done, of)))
    assert heard[-1] == (3, 3)
    line = state.line("all looked_at")
    assert line is not None
    assert line.n == 3
    assert not state.applying


async def test_applying_ends_when_it_is_stopped(state: FunnelState, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uq_tui.curation.passing.CHUNK", 1)
    take(state.desk.workspace, *(question(number, site=SITE) for number in range(4)))
    await state.begin("pilot", "")
    assert not await state.apply(lambda done, of: state.stop())
    assert state.curation is not None
    assert (state.curation.passed, state.curation.ruled) == (1, False)
    assert await state.apply(lambda done, of: None)
    assert curations.get(state.desk.workspace, state.curation.id).ruled


async def test_what_waits_for_models_is_counted_with_what_is_undecided(state: FunnelState) -> None:
    curated(state.desk.workspace)
    await state.load()
    assert state.waiting == 2
    assert state.line("nothing") is None
    (empty,) = [line for section in state.sections for line in section.lines if line.key == "domain Business looked_at"]
    assert state.standing(empty) is None


async def test_a_pass_can_be_over_some_sites_only(state: FunnelState) -> None:
    take(state.desk.workspace, question(1, site=SITE), question(2, site="mathoverflow.net"))
    await state.begin("pilot", "", " MathOverflow.net,, mathoverflow.net ")
    assert state.curation is not None
    assert state.curation.sites == ("mathoverflow.net",)
    assert await state.apply(lambda done, of: None)
    line = state.line("all looked_at")
    assert line is not None
    assert line.n == 1


def test_what_is_no_site_is_named() -> None:
    assert sites_of("math, Math.StackExchange.com") == ("math.stackexchange.com",)
    with pytest.raises(UqError, match="a b"):
        sites_of("math, a b")
