"""Proposals are readable while they are written."""

import json

import pytest

from uq_tui.state.neighbours.live_proposals import as_it_comes

WHOLE = "Skills: counting.\n\n" + json.dumps(
    {
        "code": "ABCDEFGH",
        "problems": [
            {"skill": "counting\npaths", "statement": "How many are in $\\frac{a}{b}$?\n\nGive an integer."},
            {"skill": "sums", "statement": 'What is "S"?'},
        ],
    }
)
READABLE = (
    "Skills: counting.\n\n### Proposal 1: counting paths\n\nHow many are in $\\frac{a}{b}$?\n\nGive an integer."
    '\n\n### Proposal 2: sums\n\nWhat is "S"?'
)


def test_the_object_at_the_end_becomes_headings_and_statements() -> None:
    assert as_it_comes(WHOLE) == READABLE


def test_every_beginning_can_be_read() -> None:
    shown = [as_it_comes(WHOLE[:end]) for end in range(len(WHOLE) + 1)]
    assert shown[:19] == [WHOLE[:end] for end in range(19)]
    assert "### Proposal 1: counting paths\n\nHow many are in" in shown[WHOLE.index("are in") + 6]
    assert shown[-1] == READABLE


@pytest.mark.parametrize("reply", ["", "Still thinking about {a, b}.", '{"other": 1}'])
def test_without_an_object_it_is_the_reply(reply: str) -> None:
    assert as_it_comes(reply) == reply


def test_of_several_objects_the_last_is_the_one_that_counts() -> None:
    draft = '{"code": "x", "problems": [{"skill": "draft", "statement": "No."}]}'
    assert as_it_comes(f"{draft}\n\n{WHOLE}") == f"{draft}\n\n{READABLE}"


def test_latex_with_single_backslashes_stays_as_it_is_written() -> None:
    assert as_it_comes(r'{"code": "x", "problems": [{"skill": "s", "statement": "$\sqrt{2}$') == (
        "### Proposal 1: s\n\n$\\sqrt{2}$"
    )
