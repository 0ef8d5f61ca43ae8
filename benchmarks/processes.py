"""What a process and all it has started use, read from /proc; so these figures are taken on Linux only."""

import os
from pathlib import Path

_TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


def family(pid: int) -> list[int]:
    """A process and all its descendants that live."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and (fields := _stat(int(folder.name))):
            children.setdefault(int(fields[1]), []).append(int(folder.name))
    found = [pid]
    for member in found:
        found += children.get(member, [])
    return found


def cpu_s(pids: list[int]) -> float:
    """CPU seconds these processes have used so far, in steps of the kernel's tick, usually 10 ms."""
    return sum(int(fields[11]) + int(fields[12]) for pid in pids if (fields := _stat(pid))) / _TICKS_A_SECOND


def memory_mb(pids: list[int]) -> float:
    """Resident memory of these processes in MiB; what they share counts for each."""
    return sum(_status_kb(pid, "VmRSS") for pid in pids) / 1024


def peak_mb(pids: list[int]) -> float:
    """The sum of the largest resident memory of each, in MiB, since `forget_peak`."""
    return sum(_status_kb(pid, "VmHWM") for pid in pids) / 1024


def forget_peak(pids: list[int]) -> None:
    """Let peaks be counted from now on."""
    for pid in pids:
        Path(f"/proc/{pid}/clear_refs").write_text("5", encoding="ascii")


def _stat(pid: int) -> list[str]:
    """The fields after the name, the state first; none when the process has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return []


def _status_kb(pid: int, name: str) -> int:
    for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace").splitlines():
        key, _, value = line.partition(":")
        if key == name:
            return int(value.split()[0])
    raise RuntimeError(f"Process {pid} has no {name} in /proc.")
