"""The head of a model file: what it says, and what a bad one is answered with."""

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.engine.gguf import GgufInfo, read_gguf
from uq_tui.errors import ModelError


def text(value: str) -> bytes:
    raw = value.encode()
    return struct.pack("<Q", len(raw)) + raw


def entry(name: str, kind: int, value: bytes) -> bytes:
    return text(name) + struct.pack("<I", kind) + value


def file_of(*entries: bytes, version: int = 3) -> bytes:
    return b"GGUF" + struct.pack("<IQQ", version, 0, len(entries)) + b"".join(entries)


ARCHITECTURE = entry("general.architecture", 8, text("llama"))
CONTEXT = entry("llama.context_length", 4, struct.pack("<I", 2048))
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


@given(st.binary(max_size=200), st.integers(0, 200))
def test_any_bytes_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, noise: bytes, cut: int) -> None:
    file = tmp_path_factory.mktemp("gguf") / "m.gguf"
    file.write_bytes(file_of(CONTEXT, *OTHERS, ARCHITECTURE)[:cut] + noise)
    try:
        found = read_gguf(file)
    except ModelError:
        return
    assert found.context >= 0
