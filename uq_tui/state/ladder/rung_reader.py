"""What is read of a rung: one of the calls behind it, that call's prompt, or how a composed rung came about."""

from collections import Counter

from uq_tui.state.ladder.ladder import Ladder, Rung
from uq_tui.text import clean_line
from uq_tui.words import GLYPHS

_CALLS = {
    "check.cycle_infer": "inferred question",
    "check.cycle_compare": "comparison",
    "retry.decision": "asked again",
    "reflect": "looked again",
    "debate": "after the others' reasons",
}
"""What the call by a template is for; all others are judgements."""


class RungReader:
    """Where the reader is: at which rung, at which of its calls, at the reply or the prompt."""

    def __init__(self) -> None:
        self.path = ""
        self.prompt = False
        """The prompt is read, not the reply."""
        self._at: int | None = None
        """Which call is read, from 0; `None` is the newest, also when another one comes."""

    def turn_to(self, path: str) -> None:
        """Read another rung: its newest call, the reply."""
        if path != self.path:
            self.path, self._at, self.prompt = path, None, False

    def step(self, by: int, ladder: Ladder | None) -> None:
        """Read another call of the rung; steps past the first and the last stay there."""
        count = len(self._keys(ladder))
        if count:
            self._at = min(max(0, self._index(count) + by), count - 1)

    def call_key(self, ladder: Ladder | None) -> str:
        """The call that is read; empty for a rung that has none."""
        keys = self._keys(ladder)
        return keys[self._index(len(keys))] if keys else ""

    def title(self, ladder: Ladder | None) -> str:
        """`Reply 1 of 3: inferred question  turn 1, cycle consistency`, harmless to a terminal."""
        what = "Prompt" if self.prompt else "Reply"
        keys, rung = self._keys(ladder), self._rung(ladder)
        if ladder is None or rung is None:
            return what
        where = clean_line(", ".join(_labels(ladder, rung)))
        if not keys:
            return where
        template = ladder.call(self.call_key(ladder)).template
        step = " [ ]" if len(keys) > 1 else ""
        purpose = f": {_CALLS.get(template, 'judgement')}" if template else ""
        return f"{what} {self._index(len(keys)) + 1} of {len(keys)}{step}{purpose}  {where}"

    def summary(self, ladder: Ladder | None) -> str:
        """Markdown about a rung without calls of its own: outcome, reason, its parts counted, what they took."""
        rung = self._rung(ladder)
        if ladder is None or rung is None:
            return ""
        lines = [f"**{GLYPHS[rung.outcome]} {rung.outcome}**" if rung.outcome else "Not decided."]
        if rung.reason:
            lines.append(rung.reason)
        parts = ladder.parts(rung.path)
        counted = Counter(part.outcome for part in parts)
        words = [f"{count} {outcome}" if outcome else f"{count} undecided" for outcome, count in counted.items()]
        if parts:
            lines.append(f"{len(parts)} {'part' if len(parts) == 1 else 'parts'}: {', '.join(words)}.")
        if rung.usage.calls:
            lines.append(f"{rung.usage.text()}.")
        if not rung.path and ladder.shape.notation:
            lines.append(f"`{ladder.shape.notation}`")
        return "\n\n".join(lines)

    def _rung(self, ladder: Ladder | None) -> Rung | None:
        return ladder.rung(self.path) if ladder is not None else None

    def _keys(self, ladder: Ladder | None) -> tuple[str, ...]:
        rung = self._rung(ladder)
        return rung.call_keys if rung is not None else ()

    def _index(self, count: int) -> int:
        return count - 1 if self._at is None else min(self._at, count - 1)


def _labels(ladder: Ladder, rung: Rung) -> list[str]:
    """Labels of the rung and of those above it, the whole left out, the nearest first."""
    labels = [rung.label]
    above = rung.path
    while above := above.rpartition("/")[0]:
        found = ladder.rung(above)
        labels.append(found.label if found is not None else above)
    return labels
