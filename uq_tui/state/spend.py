"""What the runs of this sitting have cost."""

from uq_tui.text import counted


class Spend:
    """Known cost in US dollars, and how many calls had a cost nobody knows."""

    def __init__(self) -> None:
        self._runs: dict[str, tuple[float | None, int]] = {}

    def note(self, run_id: str, cost_usd: float | None, unknown: int) -> None:
        """Take the latest totals of one run."""
        self._runs[run_id] = (cost_usd, unknown)

    @property
    def runs(self) -> tuple[str, ...]:
        """The ids of the runs that count."""
        return tuple(self._runs)

    def text(self) -> str:
        """`$0.0123`, or `$0.0123 + 4 calls of unknown cost`."""
        known = sum(cost for cost, _ in self._runs.values() if cost is not None)
        unknown = sum(count for _, count in self._runs.values())
        amount = f"${known:.2f}" if known == 0 or known >= 0.1 else f"${known:.4f}"
        if not unknown:
            return amount
        return f"{amount} + {counted(unknown, 'call')} of unknown cost"
