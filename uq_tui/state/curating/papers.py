"""The paper's counts, as far as it gives them, in the order of the funnel's stages."""

from collections.abc import Mapping
from dataclasses import dataclass

from uq_tui.curation import paper
from uq_tui.words import CurationStage


@dataclass(frozen=True, slots=True)
class Theirs:
    """How many questions were looked at, and passed each stage; `None` where the paper doesn't say."""

    looked_at: int | None = None
    rules: int | None = None
    model: int | None = None
    kept: int | None = None

    @classmethod
    def of(cls, left: Mapping[CurationStage, int], looked_at: int | None = None) -> "Theirs":
        """From what was left after each stage."""
        return cls(looked_at, *(left.get(stage) for stage in tuple(CurationStage)[:3]))


UNTOLD = Theirs()
WHOLE = Theirs.of(paper.STANDING, paper.RAW)
DOMAINS = {domain: Theirs.of(left) for domain, left in paper.DOMAINS.items()}
SITES = {site: Theirs(kept=n) for site, n in paper.SITES.items()}
