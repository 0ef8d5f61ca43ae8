from hypothesis import given
from hypothesis import strategies as st

from uq_tui.engine.line_buffer import LineBuffer


@given(st.lists(st.binary(max_size=9).filter(lambda line: b"\n" not in line)), st.lists(st.integers(1, 7)))
def test_lines_come_out_as_they_went_in_however_they_are_cut(lines: list[bytes], cuts: list[int]) -> None:
    data = b"".join(line + b"\n" for line in lines)
    buffer = LineBuffer()
    found: list[bytes] = []
    for size in cuts:
        found += buffer.feed(data[:size])
        data = data[size:]
    found += buffer.feed(data)

    assert found == lines


def test_a_line_without_its_end_is_kept_back() -> None:
    buffer = LineBuffer()

    assert buffer.feed(b"one\ntw") == [b"one"]
    assert buffer.feed(b"o\n") == [b"two"]


def test_an_endless_line_is_cut_off() -> None:
    buffer = LineBuffer(longest=10)

    assert buffer.feed(b"x" * 8) == []
    assert buffer.feed(b"x" * 1000) == []
    assert buffer.feed(b"x\nnext\n") == [b"x" * 10, b"next"]
