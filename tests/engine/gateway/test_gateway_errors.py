"""What an error's text may hold when it goes to the store and the screen."""

import pytest

from uq_tui.engine.gateway_errors import readable_message


def test_a_key_that_litellm_took_from_the_environment_is_cut_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENROUTER_API_KEY", "or-secret-1234")
    assert readable_message(ValueError("No user for or-secret-1234."), None) == "No user for [key]."


def test_a_value_that_stands_in_ordinary_words_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", "a")
    assert readable_message(ValueError("a none value"), "none") == "a none value"
