"""How many questions came how far in Unsolved Questions (arXiv 2508.17580v1, section 2.1, A.3 and Table S1).

Counts are as printed. Those by domain add up to 17 fewer than the total after rules, and 1 fewer after models; by site
only the 500 that were kept are printed.
"""

from collections.abc import Mapping
from types import MappingProxyType

from uq_tui.words import CurationStage

RAW = 3_000_000
"""About so many questions, of 80 sites, went in."""
RAW_SITES, KEPT_SITES = 80, 35

STANDING: Mapping[CurationStage, int] = MappingProxyType(
    {CurationStage.RULES: 33_916, CurationStage.MODEL: 7_685, CurationStage.REVIEW: 500}
)
"""How many were left after each stage."""

DOMAINS: Mapping[str, Mapping[CurationStage, int]] = MappingProxyType(
    {
        domain: MappingProxyType(dict(zip(STANDING, left, strict=True)))
        for domain, left in {
            "Science": (21_344, 6_167, 395),
            "Technology": (8_994, 152, 52),
            "Culture & Recreation": (394, 27, 16),
            "Life & Arts": (2_922, 1_330, 35),
            "Business": (245, 8, 2),
        }.items()
    }
)
"""The same by domain."""

SITES: Mapping[str, int] = MappingProxyType(
    {
        "mathoverflow.net": 200,
        "math.stackexchange.com": 108,
        "cstheory.stackexchange.com": 41,
        "cs.stackexchange.com": 12,
        "stats.stackexchange.com": 9,
        "physics.stackexchange.com": 6,
        "chemistry.stackexchange.com": 4,
        "hsm.stackexchange.com": 3,
        "linguistics.stackexchange.com": 2,
        "proofassistants.stackexchange.com": 2,
        "ai.stackexchange.com": 1,
        "economics.stackexchange.com": 1,
        "bioacoustics.stackexchange.com": 1,
        "biology.stackexchange.com": 1,
        "medicalsciences.stackexchange.com": 1,
        "mattermodeling.stackexchange.com": 1,
        "or.stackexchange.com": 1,
        "scicomp.stackexchange.com": 1,
        "stackoverflow.com": 21,
        "mathematica.stackexchange.com": 8,
        "crypto.stackexchange.com": 5,
        "retrocomputing.stackexchange.com": 4,
        "quantumcomputing.stackexchange.com": 4,
        "space.stackexchange.com": 3,
        "unix.stackexchange.com": 2,
        "tex.stackexchange.com": 2,
        "codegolf.stackexchange.com": 1,
        "dsp.stackexchange.com": 1,
        "security.stackexchange.com": 1,
        "puzzling.stackexchange.com": 8,
        "history.stackexchange.com": 5,
        "mythology.stackexchange.com": 2,
        "rpg.stackexchange.com": 1,
        "scifi.stackexchange.com": 35,
        "quant.stackexchange.com": 2,
    }
)
"""The kept questions by site."""

DIAMOND: Mapping[str, int] = MappingProxyType(
    {
        "mathoverflow.net": 6,
        "math.stackexchange.com": 9,
        "cstheory.stackexchange.com": 7,
        "physics.stackexchange.com": 1,
        "puzzling.stackexchange.com": 1,
        "scifi.stackexchange.com": 1,
    }
)
"""The 25 of the diamond subset by site."""
DEVELOPMENT = 30
"""Questions with known answers beside them."""
