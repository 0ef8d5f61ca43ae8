"""The scales that judges score on."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scale:
    """The scores that may be given, both ends among them. The ends are whole numbers, scores need not be."""

    lowest: int
    highest: int

    @property
    def binary(self) -> bool:
        """Whether a score is a yes or a no, and their mean the share of yes."""
        return (self.lowest, self.highest) == (0, 1)

    @property
    def steps(self) -> range:
        """The whole numbers on it."""
        return range(self.lowest, self.highest + 1)
