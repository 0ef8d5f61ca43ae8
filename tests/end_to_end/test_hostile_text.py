"""Whatever models, files and people wrote, the real app in a real terminal writes nothing but what is its own."""

import base64
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.hostile import ANSWER, ATTACK, PAYLOADS, fill
from tests.terminal import Terminal
from uq_tui.text import clean

OWN = re.compile(
    r"\x1b\[[0-9;:]*m"  # colours
    r"|\x1b\[\d+;\d+H"  # going to a place
    r"|\x1b\[\?(?:7|25|1000|1003|1004|1006|1015|1016|1049|2004|2026|2048)[hl]"  # modes
    r"|\x1b\[\?20(?:26|48)\$p"  # asking for modes
    r"|\x1b\[[<>]\d*u"  # the protocol of keys
    r"|\x1b\]22;[a-z-]+\x07"  # the pointer's shape
    r"|\r\n"
)
"""What Textual writes to steer a terminal."""
COPIED = re.compile(r"\x1b\]52;c;([A-Za-z0-9+/=]*)\x07")


def foreign_in(output: bytes) -> list[str]:
    """What `output` would have a terminal do beside what is our own. Raises UnicodeDecodeError.

    A joiner is left out: the edge of a pane may cut joined emoji in two.
    """
    texts = (text.replace("\u200d", "") for text in OWN.split(output.decode()))
    return [text for text in texts if clean(text) != text]


@pytest.mark.parametrize("name", sorted(PAYLOADS.keys() - {"markup", "console markup", "joined emoji", "percents"}))
def test_a_payload_that_got_through_would_be_seen(name: str) -> None:
    assert foreign_in(f"\x1b[1;2H\x1b[0;38;5;7mwords{PAYLOADS[name]}\r\n\x1b[?25h".encode())


@pytest.mark.terminal
def test_no_screen_lets_a_terminal_obey(home: Path, program: Callable[..., Terminal]) -> None:
    workspace = home / "hostile.uq.sqlite"
    fill(workspace)
    name = PAYLOADS["erase the screen"].replace("\x1b", "\\u001b") + "[red]"
    (home / "config" / "config.toml").write_text(
        f'[models."openai/{name}"]\napi_base = "http://127.0.0.1:1/v1"\n', encoding="utf-8"
    )
    with program("--workspace", str(workspace), columns=160, lines=48) as terminal:
        terminal.wait_for("1 question", 60)
        terminal.press("enter")
        terminal.wait_for("Answer  c1", 60)
        for there, seen, away in VISITS:
            terminal.press(*there)
            terminal.wait_for(seen, 60)
            if away == ("escape",):
                terminal.press("escape", settle=False)
            else:
                terminal.press(*away)
            if away[-1:] in (("escape",), ("enter",)):
                terminal.wait_for(partial(_is_gone, seen), 60)
        assert b"\x1b]52" not in terminal.output
        terminal.press("C")
        terminal.wait_for("characters of the source", 60)
        terminal.press("ctrl+q")
        assert terminal.wait_for_end(60) == 0
        output = terminal.output.decode()
    (copied,) = COPIED.findall(output)
    assert ATTACK in base64.b64decode(copied).decode()
    assert base64.b64decode(copied).decode() in ANSWER
    assert foreign_in(COPIED.sub("", output).encode()) == []


def _is_gone(text: str, screen: str) -> bool:
    return text not in screen


VISITS: tuple[tuple[tuple[str, ...], str, tuple[str, ...]], ...] = (
    (("t",), "Reasoning  c1", ("t",)),
    ((), "evil.example, unanswered, score 1", ("t",)),
    (("enter",), "Your verdict on c1", ("escape",)),
    (("y",), "on one line (Enter takes it)", ("escape",)),
    (("S",), "uq-tui  Second pass", ("escape",)),
    ((":",), "Comments and notes: 3 comments", ("escape",)),
    (("P",), "sits here", ("escape",)),
    (("m",), "or any LiteLLM id", ("escape",)),
    (("x",), "JSON lines, with a manifest", ("escape",)),
    (("u",), "Measure utility", ("escape",)),
    (("c",), "Reasoning  c1", ()),
    (("p",), "What to read here", ("escape",)),
    (("escape",), "Stages", ()),
    (("l",), "uq-tui  Compare", ()),
    (("enter", "p"), "Prompt", ("escape",)),
    (("f",), "uq-tui  Findings", ()),
    (("t",), "Claim", ("t",)),
    ((), "Samples", ("escape",)),
    (("n",), "uq-tui  Neighbours", ("down",)),
    ((), "P1, proposed by a model", ("escape",)),
    (("U",), "uq-tui  Utility", ("escape",)),
    (("R",), "uq-tui  Runs", ("down", "down", "down", "I")),
    ((), "uq-tui  Insights", ("u", "W")),
    (("right",), "1234 Mark", ("s",)),
    ((), "# Heading", ("s",)),
    (("/",), "Find in the source", ("pwned", "enter")),
    (("O",), "1 heading", ("escape",)),
    (("L",), "type to make the list shorter", ("escape",)),
    (("M",), "c shows what audits claim", ("escape",)),
    (("J", ";"), "^s keeps it", ("escape",)),
    (("?",), "Keys in", ("escape",)),
)
"""Keys that go somewhere, what stands on the screen only there, and keys that leave."""
