"""A screen of the app as an SVG that is the same each time and everywhere."""

import re

from uq_tui.app import UqApp

FONT = "font-family: 'Fira Code', 'DejaVu Sans Mono', Menlo, Consolas, monospace; font-variant-ligatures: none"
CELL = 12.2
"""Width of a cell in the SVG."""
_CHANGING = (
    (re.compile("(?<=run\N{NO-BREAK SPACE})[0-9a-f]{8}-[0-9a-f]{4}"), "019b0000-0000"),
    (re.compile("(?<=Begun\N{NO-BREAK SPACE})[0-9]{4}-[0-9]{2}-[0-9]{2}"), "2026-12-01"),
    (
        re.compile("(?<=blind,\N{NO-BREAK SPACE})[0-9]{4}-[0-9]{2}-[0-9]{2}\N{NO-BREAK SPACE}[0-9]{2}:[0-9]{2}"),
        "2026-12-01\N{NO-BREAK SPACE}09:30",
    ),
    (
        re.compile("(?<=(?:sent|back)\N{NO-BREAK SPACE})[0-9]{4}-[0-9]{2}-[0-9]{2}\N{NO-BREAK SPACE}[0-9]{2}:[0-9]{2}"),
        "2026-12-01\N{NO-BREAK SPACE}09:30",
    ),
    (re.compile("[A-Z2-7]{8}(?=:\N{NO-BREAK SPACE}(?:accept|reject))"), "IGTNH7RN"),
)
"""What is another one each time, and what stands for it: a run's id, the day of a pass, when a
verdict was given or a bundle went, the code before a decision."""
_BLANK = "\N{NO-BREAK SPACE}"
_TEXT = re.compile(r'(<text class="terminal-r[^>]*? x=")([\d.]+)(" [^>]*?textLength=")([\d.]+)("[^>]*>)([^<]*)</text>')


def picture(app: UqApp) -> str:
    """The screen as an SVG that looks the same everywhere: nothing is fetched for it, no font's blanks count."""
    svg = app.export_screenshot(title=" ", simplify=True)
    svg = re.sub(r"\s*@font-face \{.*?\}\n", "\n", svg, flags=re.DOTALL)
    svg = svg.replace("font-family: Fira Code, monospace", FONT)
    svg = re.sub(r"terminal-\d+", "terminal", svg).replace("&#160;", _BLANK)
    for changing, shown in _CHANGING:
        svg = changing.sub(shown, svg)
    svg = svg.replace('fill="#292929"', f'fill="{app.screen.background_colors[1].hex6}"')
    return "\n".join(_TEXT.sub(_without_blanks, svg).split("\n")).strip() + "\n"


def _without_blanks(found: re.Match[str]) -> str:
    """A stretch of text without the blanks around it: not everything that draws SVG gives them their room."""
    head, x, rest, length, tail, text = found.groups()
    begun, kept = text.lstrip(_BLANK), text.strip(_BLANK)
    before, behind = len(text) - len(begun), len(begun) - len(kept)
    if not kept:
        return ""
    x, length = float(x) + before * CELL, float(length) - (before + behind) * CELL
    return f"{head}{x:g}{rest}{length:g}{tail}{kept}</text>"
