"""The candidate answers of a question that is reviewed, one of them chosen."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from store.rows import Candidate
from uq_tui.state.reading.readable import Readable, own_words, readable_text

NO_ANSWERS = "*No candidate answers are here.*"


@dataclass(frozen=True, slots=True)
class Answers:
    """As the reviewer may see them: masked ones have letters and no names."""

    candidates: Sequence[Candidate]
    at: int = 0
    rated: str = ""
    """The id of the one that ratings are about; empty where there is none or it is masked."""

    @property
    def chosen(self) -> Candidate | None:
        """The one that is read."""
        return self.candidates[self.at] if self.candidates else None

    @property
    def title(self) -> str:
        """`Answer 1 of 3: c1 o3, the one that was rated`."""
        if (one := self.chosen) is None:
            return "Answers"
        names = ", ".join(dict.fromkeys(origin.name for origin in one.origins))
        whole = f"Answer {self.at + 1} of {len(self.candidates)}: {one.called} {names}".rstrip()
        rated = ", the one that was rated" if one.id == self.rated else ""
        return whole + rated + (", cut off at the length limit" if one.cut_off else "")

    def next(self) -> "Answers":
        """The one after, the first behind the last."""
        return replace(self, at=(self.at + 1) % max(1, len(self.candidates)))

    def readable(self) -> Readable:
        """Its text."""
        if (one := self.chosen) is None:
            return own_words(NO_ANSWERS, "no answers")
        return readable_text(one.answer, one.id, name=f"{one.called}-answer")
