"""The head of a model file: what it says, and what a bad one is answered with."""

import os
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.engine.local.gguf import GgufInfo, check_chat_model, read_gguf
from uq_tui.errors import ModelError


def text(value: str) -> bytes:
    raw = value.encode()
    return struct.pack("<Q", len(raw)) + raw


def entry(name: str, kind: int, value: bytes) -> bytes:
    return text(name) + struct.pack("<I", kind) + value


def file_of(*entries: bytes, version: int = 3, tensors: int = 0) -> bytes:
    return b"GGUF" + struct.pack("<IQQ", version, tensors, len(entries)) + b"".join(entries)


def number(name: str, value: int) -> bytes:
    return entry(name, 4, struct.pack("<I", value))


def tensor(offset: int, dimensions: int = 2) -> bytes:
    return text("a.weight") + struct.pack(f"<I{dimensions}QIQ", dimensions, *[4] * dimensions, 0, offset)


def whole(*entries: bytes, data: int = 100, offset: int = 64) -> bytes:
    """A model file with two tensors and so many bytes of weights."""
    head = file_of(*entries, tensors=2) + tensor(0) + tensor(offset)
    return head + bytes(-len(head) % 32) + bytes(data)


ARCHITECTURE = entry("general.architecture", 8, text("llama"))
CONTEXT = entry("llama.context_length", 4, struct.pack("<I", 2048))
TEMPLATE = entry("tokenizer.chat_template", 8, text("{{ messages }}"))
CHAT = (ARCHITECTURE, CONTEXT, TEMPLATE)
OTHERS = (
    entry("general.name", 8, text("a name")),
    entry("a.flag", 7, b"\x01"),
    entry("a.size", 10, struct.pack("<Q", 5)),
    entry("a.numbers", 9, struct.pack("<IQ", 5, 3) + struct.pack("<3i", 1, 2, 3)),
    entry("tokenizer.ggml.tokens", 9, struct.pack("<IQ", 8, 2) + text("a") + text("b")),
)


def read(tmp_path: Path, content: bytes) -> GgufInfo:
    file = tmp_path / "m.gguf"
    file.write_bytes(content)
    return read_gguf(file)


@pytest.mark.parametrize("version", [2, 3])
def test_architecture_and_context_are_found_among_other_entries(tmp_path: Path, version: int) -> None:
    content = file_of(CONTEXT, *OTHERS, ARCHITECTURE, version=version)
    assert read(tmp_path, content) == GgufInfo("llama", 2048)


def test_a_file_that_does_not_say_its_context(tmp_path: Path) -> None:
    other = entry("bert.context_length", 4, struct.pack("<I", 512))
    assert read(tmp_path, file_of(ARCHITECTURE, other)) == GgufInfo("llama", 0)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "doesn't begin with GGUF"),
        (b"PK\x03\x04", "doesn't begin with GGUF"),
        (file_of(version=1), "its version is 1"),
        (b"GGUF\x03\x00", "ends in the middle"),
        (file_of(entry("x", 99, b"")), "unknown type 99"),
        (file_of(entry("x", 9, struct.pack("<IQ", 9, 1))), "array of unknown type 9"),
        (file_of(entry("x", 9, struct.pack("<IQ", 8, 2**60))), "ends in the middle"),
        (file_of(entry("x", 9, struct.pack("<IQ", 4, 2**63))), "ends in the middle"),
        (file_of(entry("x", 8, struct.pack("<Q", 2**63))), "ends in the middle"),
        (file_of(struct.pack("<Q", 2**40)), "has a text of"),
        (file_of(entry("general.architecture", 8, struct.pack("<Q", 2**40))), "has a text of"),
    ],
)
def test_a_bad_file_is_named_with_the_reason(tmp_path: Path, content: bytes, told: str) -> None:
    with pytest.raises(ModelError) as caught:
        read(tmp_path, content)
    assert told in caught.value.message
    assert "m.gguf" in caught.value.message


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"absent\.gguf cannot be read"):
        read_gguf(tmp_path / "absent.gguf")


def checked(tmp_path: Path, content: bytes) -> GgufInfo:
    file = tmp_path / "m.gguf"
    file.write_bytes(content)
    return check_chat_model(file)


@pytest.mark.parametrize(
    "content",
    [
        whole(*CHAT),
        whole(*OTHERS, *CHAT, entry("general.type", 8, text("model"))),
        whole(*CHAT, number("split.no", 0), number("split.count", 2)),
        file_of(*CHAT, number("split.count", 2)),
        whole(*CHAT, number("llama.pooling_type", 0)),
        whole(*CHAT, number("general.alignment", 8)),
    ],
)
def test_a_chat_model_passes(tmp_path: Path, content: bytes) -> None:
    assert checked(tmp_path, content) == GgufInfo("llama", 2048)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (whole(*CHAT, data=64), "it is cut off"),
        (whole(*CHAT, offset=2**63), "it is cut off"),
        (whole(*CHAT)[:200], "ends in the middle"),
        (file_of(*CHAT, tensors=1) + tensor(0, dimensions=17), "17 dimensions"),
        (file_of(*CHAT), "holds no weights"),
        (whole(CONTEXT, TEMPLATE), "doesn't say its architecture"),
        (whole(ARCHITECTURE, CONTEXT), "no chat template"),
        (whole(*CHAT, number("llama.pooling_type", 1)), "makes embeddings"),
        (whole(*CHAT, entry("general.type", 8, text("adapter"))), "of the type 'adapter'"),
        (whole(*CHAT, entry("general.type", 8, text("\x1b[2J" * 100))), "of the type '\\x1b[2J"),
        (whole(*CHAT, number("split.no", 1), number("split.count", 2)), "part 2 of a model"),
    ],
)
def test_what_is_no_chat_model_is_told_why(tmp_path: Path, content: bytes, told: str) -> None:
    with pytest.raises(ModelError) as caught:
        checked(tmp_path, content)
    assert told in caught.value.message
    assert len(caught.value.message) < 300


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "m.gguf")
    with pytest.raises(ModelError, match="is not a file"):
        check_chat_model(tmp_path / "m.gguf")


@given(st.binary(max_size=200), st.integers(0, 200))
def test_any_bytes_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, noise: bytes, cut: int) -> None:
    file = tmp_path_factory.mktemp("gguf") / "m.gguf"
    file.write_bytes(whole(CONTEXT, *OTHERS, ARCHITECTURE)[:cut] + noise)
    for read in (read_gguf, check_chat_model):
        try:
            found = read(file)
        except ModelError:
            continue
        assert found.context >= 0
