"""Numbers among options: what is no amount of anything is refused as wrong usage, before anything is tried."""

import pytest

from tests.commands.conftest import QUESTION, Run, document

HUGE = "9" * 30
CBU = ("cbu", QUESTION, "--model", "openai/scripted")


@pytest.mark.parametrize(
    "arguments",
    [
        (*CBU, "--budget-usd", "nan"),
        (*CBU, "--budget-usd", "inf"),
        (*CBU, "--budget-tokens", HUGE),
        (*CBU, "--rollouts", HUGE),
        (*CBU, "--adaptive", "--epsilon", "nan"),
        (*CBU, "--adaptive", "--epsilon", "0"),
        (*CBU, "--adaptive", "--delta", "1"),
        ("generate", QUESTION, "--model", "openai/scripted", "--samples", HUGE),
        ("questions", "list", "--limit", HUGE),
        ("runs", "list", "--limit", HUGE),
    ],
)
def test_a_number_without_sense_is_wrong_usage(uq: Run, arguments: tuple[str, ...]) -> None:
    refused = uq(*arguments)

    assert refused.exit_code == 2
    assert f"Invalid value for '{arguments[-2]}'" in refused.stderr
    assert document(uq("runs", "list", "--json"))["runs"] == []
