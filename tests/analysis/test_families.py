import pytest

from uq_tui.analysis.families import UNKNOWN, bare_name, family_of


@pytest.mark.parametrize(
    ("model", "name", "family"),
    [
        ("o3", "o3", "openai"),
        ("openai/o3-2025-04-16", "o3", "openai"),
        ("azure/O4-mini", "o4-mini", "openai"),
        ("openai/o4-mini--high", "o4-mini--high", "openai"),
        ("gpt-4o", "gpt-4o", "openai"),
        ("hosted_vllm/openai/gpt-oss-20b", "gpt-oss-20b", "openai"),
        ("anthropic/claude-3-7-sonnet-20250219", "claude-3-7-sonnet", "anthropic"),
        ("vertex_ai/claude-opus-4@20250514", "claude-opus-4", "anthropic"),
        ("gemini/gemini-pro-2.5", "gemini-pro-2.5", "google"),
        ("qwen/qwen3_235b_a22b", "qwen3_235b_a22b", "alibaba"),
        ("xai/grok-3-mini-high", "grok-3-mini-high", "xai"),
        ("deepseek/deepseek-r1:free", "deepseek-r1", "deepseek"),
        ("meta-llama/Llama-3.3-Nemotron-Super-49B", "llama-3.3-nemotron-super-49b", "meta"),
        ("local/smollm2-135m", "smollm2-135m", "hugging face"),
        ("replay/tour", "tour", "tour"),
        ("openai/o30-x", "o30-x", "o"),
        ("phial-1", "phial-1", "phial"),
        ("", "", UNKNOWN),
        ("somewhere/42", "42", UNKNOWN),
    ],
)
def test_a_models_own_name_and_family(model: str, name: str, family: str) -> None:
    assert (bare_name(model), family_of(model)) == (name, family)
