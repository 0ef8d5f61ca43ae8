"""The pictures in docs/: what they show, that they need nothing else, and that each page that names one has it."""

import re
from pathlib import Path

import pytest

from docs.drawing.reading import reading_pictures
from docs.drawing.reviewing import REVIEWING
from docs.drawing.stage import LOOKS, OUT
from docs.drawing.surveys import INSIGHTS, SOURCES
from docs.make_pictures import picture_names
from tests.fakes.scripted_engine import ScriptedEngine

DOCS = OUT.parent
PAGES = [DOCS.parent / "README.md", *DOCS.glob("*.md")]
SMALL = (100, 40)


def words(svg: str) -> str:
    """The text of a picture, line by line."""
    lines: dict[float, list[tuple[float, str]]] = {}
    for x, y, text in re.findall(r'<text class="terminal-r[^"]*" x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)</text>', svg):
        lines.setdefault(float(y), []).append((float(x), text))
    return "\n".join(" ".join(text for _, text in sorted(line)) for _, line in sorted(lines.items()))


async def test_the_screens_are_drawn_as_they_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uq_tui.engine.client.EngineClient", lambda workspace, log: ScriptedEngine(workspace))
    drawn = dict([pair async for pair in reading_pictures(tmp_path, LOOKS[1], (SMALL,))])
    reading, beside = drawn["reading-100x40-light.svg"], drawn["side-by-side-100x40-light.svg"]
    for seen in ("## Count", "Burnside", "✓", "✗", "s/2", "period", "python", "5 of 12"):
        assert seen in words(reading).replace("\N{NO-BREAK SPACE}", " ")
    for seen in ("Answer c4", "Answer c5", "words differ", "2 of ", "no symmetries"):
        assert seen in words(beside).replace("\N{NO-BREAK SPACE}", " ").replace("  ", " ")


def test_pictures_of_reviewing_show_what_the_pages_say_and_no_author() -> None:
    drawn = {
        name: words((OUT / name).read_text(encoding="utf-8")).replace("\N{NO-BREAK SPACE}", " ") for name in REVIEWING
    }
    expected = {
        "review-queues.svg": ("Pilot", "2 of 5", "Two steps"),
        "review-item.svg": ("Answer C", "yours: incorrect", "same final answer", "x incorrect"),
        "adjudication.svg": ("1 of 1", "ann: correct 6/7", "bertram: incorrect 2/7", "Error 1", "] Quotes"),
        "bundles.svg": ("ann sent 2026-12-01 09:30 UTC back", "out of depth", "h hands on", "w Write bundles"),
        "review-two-steps.svg": ("1 of 2: does the final answer agree", "c agrees"),
    }
    assert set(expected) == set(REVIEWING)
    for name, shown in expected.items():
        said = re.sub(" +", " ", drawn[name])
        assert all(one in said for one in shown), name
        assert not re.search(r"sample [A-E]|model-[ab]", said), name


def test_pictures_of_sources_show_what_the_pages_say() -> None:
    expected = {
        "questions.svg": ("resolution", "mathoverflow.net", "10 to 24", "known", "body: "),
        "funnel.svg": (
            "Begun 2026-12-01, rules applied",
            "the paper",
            "fell, figure unknown",
            "top share",
            "By domain",
        ),
    }
    assert set(expected) == set(SOURCES)
    for name, shown in expected.items():
        said = words((OUT / name).read_text(encoding="utf-8")).replace("\N{NO-BREAK SPACE}", " ")
        assert all(one in said for one in shown), name


def test_pictures_of_insights_show_what_the_page_says() -> None:
    expected = {
        "insights-validators.svg": ("Balanced accuracy", "├", "●", "Confusion of 1 1-iter", "incorrect"),
        "insights-agreement.svg": ("alpha, ordinal", "95 % intervals, n candidates", "d Conflicts"),
        "insights-work.svg": ("Cost by model", "█", "≥ $", "unknown", "Pace of verdicts"),
    }
    assert set(expected) == set(INSIGHTS)
    for name, shown in expected.items():
        said = words((OUT / name).read_text(encoding="utf-8")).replace("\N{NO-BREAK SPACE}", " ")
        assert all(one in re.sub(" +", " ", said) for one in shown), name


def test_every_picture_is_there_and_loads_nothing() -> None:
    assert set(picture_names()) <= {path.name for path in OUT.glob("*.svg")}
    for name in picture_names():
        svg = (OUT / name).read_text(encoding="utf-8")
        assert "url(" not in re.sub(r"url\(#[\w-]+\)", "", svg), name
        assert "<script" not in svg


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_name_pictures_that_there_are(page: Path) -> None:
    for name in re.findall(r"\]\(((?:docs/)?pictures[^)]*)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / name).exists(), name
