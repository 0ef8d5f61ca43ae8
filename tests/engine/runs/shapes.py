"""What each shape of strategy is to ask and to decide, worked out by hand. `rounds.py` says how rounds are written."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Case:
    """One candidate's way through a strategy.

    `outcomes` has the outcome of the whole as A, R, U or F, then those of the composed places beneath it by their
    addresses. Places with one judgement have the outcome of what was said last; the rest was skipped.
    """

    rounds: str
    outcomes: str
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Sweep:
    """The outcome of the whole when one judgement is odd, for each place of one in reading order.

    A place behind the decision changes nothing.
    """

    failed_among_accepts: str
    unparsed_among_accepts: str
    failed_among_rejects: str
    unparsed_among_rejects: str


@dataclass(frozen=True, slots=True)
class Shape:
    """A strategy, where its judgements stand, and what tells its votes apart."""

    strategy: str
    prefix: str
    spread: str
    """`x`: samples. `r`: turns. `@`: models. `@r`: models, then turns. `d`: debaters, then turns. Empty: no votes."""
    cases: tuple[Case, ...]
    sweep: Sweep | None = None
    models: int = 1


def _all_but_one(accepts: str, unparsed: str, rejects: str, times: int) -> Sweep:
    """The same at every place; an odd judgement among rejects changes nothing."""
    return Sweep(accepts * times, unparsed * times, rejects * times, rejects * times)


ONE = (
    Case("+", "A"),
    Case("-", "R"),
    Case("!", "F"),
    Case("? / +", "A"),
    Case("? / -", "R"),
    Case("? / ?", "U"),
    Case("? / !", "F"),
)
THREE_MAJORITY = (
    Case("1+ 2+", "A"),
    Case("1- 2-", "R"),
    Case("1+ 2- / 3+", "A"),
    Case("1+ 2- / 3-", "R"),
    Case("1- 2+ / 3+", "A"),
    Case("1+ 2- / 3!", "F"),
    Case("1+ 2- / 3? / 3?", "U"),
    Case("1+ 2! / 3+", "A"),
    Case("1+ 2! / 3-", "F"),
    Case("1! 2- / 3-", "R"),
    Case("1? 2+ / 1? / 3-", "U"),
    Case("1? 2+ / 1- / 3+", "A"),
    Case("1? 2? / 1+ 2+", "A"),
    Case("1! 2! / 3+", "F"),
    Case("1! 2? / 2? / 3-", "F"),
    Case("1? 2? / 1? 2? / 3? / 3?", "U"),
    Case("1+ 2+ 3-", "A", exact=True),
    Case("1- 2? 3- / 2?", "R", exact=True),
)
THREE_UNANIMOUS = (
    Case("1+ / 2+ / 3+", "A"),
    Case("1-", "R"),
    Case("1+ / 2-", "R"),
    Case("1+ / 2+ / 3-", "R"),
    Case("1! / 2-", "R"),
    Case("1! / 2+ / 3+", "F"),
    Case("1+ / 2? / 2? / 3+", "U"),
    Case("1+ / 2? / 2-", "R"),
    Case("1? / 1? / 2! / 3+", "F"),
    Case("1? / 1? / 2+ / 3-", "R"),
    Case("1- 2+ 3+", "R", exact=True),
    Case("1+ 2! 3+", "F", exact=True),
)
THREE_TURNS_MAJORITY = (
    Case("1+ / 2+", "A"),
    Case("1- / 2-", "R"),
    Case("1+ / 2- / 3+", "A"),
    Case("1- / 2+ / 3-", "R"),
    Case("1!", "F"),
    Case("1+ / 2!", "F"),
    Case("1+ / 2- / 3!", "F"),
    Case("1? / 1? / 2+ / 3+", "A"),
    Case("1? / 1? / 2+ / 3-", "U"),
    Case("1+ / 2? / 2? / 3-", "U"),
    Case("1+ / 2? / 2- / 3? / 3?", "U"),
    Case("1+ / 2+ / 3-", "A", exact=True),
    Case("1- / 2!", "F", exact=True),
)
THREE_TURNS_UNANIMOUS = (
    Case("1+ / 2+ / 3+", "A"),
    Case("1-", "R"),
    Case("1+ / 2-", "R"),
    Case("1+ / 2+ / 3-", "R"),
    Case("1!", "F"),
    Case("1+ / 2!", "F"),
    Case("1? / 1? / 2-", "R"),
    Case("1? / 1? / 2+ / 3+", "U"),
    Case("1? / 1? / 2!", "F"),
    Case("1- / 2+ / 3+", "R", exact=True),
)
FIVE_MAJORITY = (
    Case("1+ 2+ 3+", "A"),
    Case("1- 2- 3-", "R"),
    Case("1+ 2+ 3- / 4+", "A"),
    Case("1+ 2+ 3- / 4- / 5+", "A"),
    Case("1+ 2+ 3- / 4- / 5-", "R"),
    Case("1+ 2- 3- / 4-", "R"),
    Case("1+ 2! 3- / 4+ 5+", "A"),
    Case("1+ 2! 3- / 4- 5-", "R"),
    Case("1+ 2! 3- / 4+ 5-", "F"),
    Case("1? 2? 3+ / 1? 2? / 4+ 5+", "A"),
    Case("1? 2? 3+ / 1? 2? / 4+ 5-", "U"),
    Case("1! 2! 3! / 4+ 5+", "F"),
    Case("1+ 2+ 3+ 4- 5-", "A", exact=True),
)
FIVE_UNANIMOUS = (
    Case("1+ / 2+ / 3+ / 4+ / 5+", "A"),
    Case("1+ / 2+ / 3+ / 4+ / 5-", "R"),
    Case("1+ / 2-", "R"),
    Case("1! / 2+ / 3? / 3? / 4+ / 5+", "F"),
    Case("1! / 2+ / 3? / 3? / 4-", "R"),
    Case("1+ 2- 3+ 4? 5+ / 4?", "R", exact=True),
)
FIVE_TURNS_MAJORITY = (
    Case("1+ / 2+ / 3+", "A"),
    Case("1- / 2- / 3-", "R"),
    Case("1+ / 2- / 3+ / 4- / 5-", "R"),
    Case("1+ / 2- / 3+ / 4+", "A"),
    Case("1+ / 2+ / 3!", "F"),
    Case("1? / 1? / 2+ / 3- / 4+ / 5+", "A"),
    Case("1? / 1? / 2+ / 3- / 4+ / 5-", "U"),
    Case("1- / 2- / 3- / 4+ / 5+", "R", exact=True),
)
FIVE_TURNS_UNANIMOUS = (
    Case("1+ / 2+ / 3+ / 4+ / 5+", "A"),
    Case("1+ / 2+ / 3+ / 4-", "R"),
    Case("1+ / 2+ / 3+ / 4!", "F"),
    Case("1+ / 2? / 2? / 3+ / 4+ / 5+", "U"),
    Case("1+ / 2? / 2? / 3+ / 4+ / 5-", "R"),
    Case("1+ / 2- / 3+ / 4+ / 5+", "R", exact=True),
)
ONE_ITER = (
    Case("cq / c+ / f+ / k+", "A"),
    Case("cq / c-", "R"),
    Case("cq / c+ / f-", "R"),
    Case("cq / c+ / f+ / k-", "R"),
    Case("c! / f+ / k+", "F"),
    Case("c0 / f+ / k+", "U"),
    Case("cq / c! / f+ / k+", "F"),
    Case("cq / c? / c? / f+ / k+", "U"),
    Case("cq / c? / c+ / f+ / k+", "A"),
    Case("c! / f-", "R"),
    Case("c0 / f+ / k-", "R"),
    Case("cq / c+ / f! / k? / k?", "F"),
    Case("cq / c- / f+ / k+", "R", exact=True),
)
TURNS_ACCEPT = {stage: " / ".join(f"{stage}{turn}+" for turn in (1, 2, 3)) for stage in "fk"}
CYCLE_ACCEPTS = "c1q / c1+ / c2+ / c3+"
THREE_ITER = (
    Case(f"{CYCLE_ACCEPTS} / {TURNS_ACCEPT['f']} / {TURNS_ACCEPT['k']}", "A c=A f=A k=A"),
    Case("c1q / c1-", "R c=R f=S k=S"),
    Case("c1q / c1+ / c2-", "R c=R f=S k=S"),
    Case(f"{CYCLE_ACCEPTS} / f1+ / f2+ / f3-", "R c=A f=R k=S"),
    Case(f"{CYCLE_ACCEPTS} / {TURNS_ACCEPT['f']} / k1-", "R c=A f=A k=R"),
    Case(f"c1! / {TURNS_ACCEPT['f']} / {TURNS_ACCEPT['k']}", "F c=F f=A k=A"),
    Case(f"c1q / c1! / {TURNS_ACCEPT['f']} / {TURNS_ACCEPT['k']}", "F c=F f=A k=A"),
    Case("c1q / c1+ / c2! / f1+ / f2+ / f3-", "R c=F f=R k=S"),
    Case(f"c10 / {TURNS_ACCEPT['f']} / k1-", "R c=U f=A k=R"),
    Case(f"{CYCLE_ACCEPTS} / f1+ / f2? / f2? / f3+ / {TURNS_ACCEPT['k']}", "U c=A f=U k=A"),
    Case(f"{CYCLE_ACCEPTS} / f1? / f1? / f2! / k1+ / k2+ / k3? / k3?", "F c=A f=F k=U"),
    Case("c1q / c1- / c2+ / c3+ / f1+ / f2- / f3+ / k1+ / k2+ / k3+", "R c=R f=R k=A", exact=True),
)
SAMPLED_ITER = (
    Case("c1q / c1+ / c2q / c2+ / c3q / c3+ / f1+ / f2+ / f3+ / k1+ / k2+ / k3+", "A c=A f=A k=A"),
    Case("c1q / c1-", "R c=R f=S k=S"),
    Case("c1! / c2q / c2+ / c3q / c3+ / f1-", "R c=F f=R k=S"),
    Case("c1q / c1? / c1? / c2q / c2-", "R c=R f=S k=S"),
    Case("c1q / c1+ / c20 / c3q / c3+ / f1+ / f2+ / f3+ / k1+ / k2+ / k3+", "U c=U f=A k=A"),
    Case("c1q c2q c3q / c1+ c2? c3+ / c2+ / f1+ f2- f3+ / k1+ k2+ k3+", "R c=A f=R k=A", exact=True),
)
FIVE_ITER = (
    Case(
        "c1q / c1+ / c2+ / c3+ / c4+ / c5+ / f1+ / f2+ / f3+ / f4+ / f5+ / k1+ / k2+ / k3+ / k4+ / k5+",
        "A c=A f=A k=A",
    ),
    Case("c1q / c1+ / c2+ / c3+ / c4+ / c5-", "R c=R f=S k=S"),
    Case("c1q / c1+ / c2+ / c3+ / c4! / f1+ / f2+ / f3+ / f4+ / f5-", "R c=F f=R k=S"),
    Case(
        "c1q / c1+ / c2+ / c3+ / c4+ / c5? / c5? / f1+ / f2+ / f3+ / f4+ / f5+ / k1+ / k2+ / k3+ / k4+ / k5+",
        "U c=U f=A k=A",
    ),
)
_WHOLE = "{0}c1q / {0}c1+ / {0}c2+ / {0}c3+ / {0}f1+ / {0}f2+ / {0}f3+ / {0}k1+ / {0}k2+ / {0}k3+"
_ACCEPTED = "{0}=A {0}c=A {0}f=A {0}k=A"
_SKIPPED = "{0}=S {0}c=S {0}f=S {0}k=S"
TWO_MODELS = (
    Case(
        f"{_WHOLE.format(1)} / {_WHOLE.format(2)}",
        f"A {_ACCEPTED.format(1)} {_ACCEPTED.format(2)}",
    ),
    Case("1c1q / 1c1-", f"R 1=R 1c=R 1f=S 1k=S {_SKIPPED.format(2)}"),
    Case(f"{_WHOLE.format(1)} / 2c1q / 2c1+ / 2c2-", f"R {_ACCEPTED.format(1)} 2=R 2c=R 2f=S 2k=S"),
    Case(
        f"1c1! / 1f1+ / 1f2+ / 1f3+ / 1k1+ / 1k2+ / 1k3+ / {_WHOLE.format(2)}",
        f"F 1=F 1c=F 1f=A 1k=A {_ACCEPTED.format(2)}",
    ),
    Case("1c10 / 1f1-", f"R 1=R 1c=U 1f=R 1k=S {_SKIPPED.format(2)}"),
    Case(
        f"{_WHOLE.format(1)} / 2c1q / 2c1+ / 2c2+ / 2c3+ / 2f1? / 2f1? / 2f2+ / 2f3+ / 2k1+ / 2k2+ / 2k3+",
        f"U {_ACCEPTED.format(1)} 2=U 2c=A 2f=U 2k=A",
    ),
    Case(
        "1c1q 2c1q / 1c1+ 2c1- / 1c2+ 2c2+ / 1c3+ 2c3+ / 1f1+ 2f1! / 1f2+ 2k1+ / 1f3+ 2k2+ / 1k1+ 2k3+ / 1k2+ / 1k3+",
        f"R {_ACCEPTED.format(1)} 2=R 2c=R 2f=F 2k=A",
        exact=True,
    ),
)
DEBATE = (
    Case("11+ 21+ 31+ / 12+ 22+", "A 1=A 2=A 3=S"),
    Case("11- 21- 31- / 12- 22-", "R 1=R 2=R 3=S"),
    Case("11+ 21- 31+ / 12+ 22- / 32+", "A 1=A 2=R 3=A"),
    Case("11+ 21+ 31- / 12- 22+ / 32-", "R 1=R 2=A 3=R"),
    Case("11! 21+ 31+ / 22+ / 32+", "A 1=F 2=A 3=A"),
    Case("11+ 21! 31+ / 12+ / 32-", "F 1=A 2=F 3=R"),
    Case("11+ 21+ 31! / 12+ 22+", "A 1=A 2=A 3=S"),
    Case("11! 21! 31+", "F 1=F 2=F 3=A"),
    Case("11! 21! 31!", "F 1=F 2=F 3=F"),
    Case("11? 21+ 31- / 11? / 12+ 22+", "A 1=A 2=A 3=S"),
    Case("11? 21+ 31- / 11+ / 12+ 22? / 22? / 32+", "A 1=A 2=U 3=A"),
    Case("11+ 21+ 31+ / 12! 22+ / 32-", "F 1=F 2=A 3=R"),
    Case("11+ 21+ 31+ / 12? 22+ / 12? / 32-", "U 1=U 2=A 3=R"),
    Case("11+ 21+ 31+ / 12+ 22+ 32-", "A 1=A 2=A 3=R", exact=True),
    Case("11+ 21! 31+ / 12- 32-", "R 1=R 2=F 3=R", exact=True),
)

SHAPES = (
    Shape("vanilla", "vanilla", "", ONE, Sweep("F", "U", "F", "U")),
    Shape("c", "correctness", "", ONE, Sweep("F", "U", "F", "U")),
    Shape("cx3-m", "correctness", "x", THREE_MAJORITY, Sweep("AAA", "AAA", "RRR", "RRR")),
    Shape("cx3-u", "correctness", "x", THREE_UNANIMOUS, Sweep("FFF", "UUU", "RRR", "RRR")),
    Shape("cr3-m", "correctness", "r", THREE_TURNS_MAJORITY, Sweep("FFA", "AAA", "FFR", "RRR")),
    Shape("cr3-u", "correctness", "r", THREE_TURNS_UNANIMOUS, Sweep("FFF", "UUU", "FRR", "RRR")),
    Shape("cx5-m", "correctness", "x", FIVE_MAJORITY, Sweep("AAAAA", "AAAAA", "RRRRR", "RRRRR")),
    Shape("cx5-u", "correctness", "x", FIVE_UNANIMOUS, Sweep("FFFFF", "UUUUU", "RRRRR", "RRRRR")),
    Shape("cr5-m", "correctness", "r", FIVE_TURNS_MAJORITY, Sweep("FFFAA", "AAAAA", "FFFRR", "RRRRR")),
    Shape("cr5-u", "correctness", "r", FIVE_TURNS_UNANIMOUS, Sweep("FFFFF", "UUUUU", "FRRRR", "RRRRR")),
    Shape("1-iter", "", "", ONE_ITER, Sweep("FFF", "UUU", "RRR", "RRR")),
    Shape("3-iter", "", "r", THREE_ITER, _all_but_one("F", "U", "R", 9)),
    Shape("3-iter-sampling", "", "x", SAMPLED_ITER, _all_but_one("F", "U", "R", 9)),
    Shape("5-iter", "", "r", FIVE_ITER, _all_but_one("F", "U", "R", 15)),
    Shape("c-3-models-m", "correctness", "@", THREE_MAJORITY, Sweep("AAA", "AAA", "RRR", "RRR"), 3),
    Shape("c-3-models-u", "correctness", "@", THREE_UNANIMOUS, Sweep("FFF", "UUU", "RRR", "RRR"), 3),
    Shape("c-5-models-m", "correctness", "@", FIVE_MAJORITY, Sweep("AAAAA", "AAAAA", "RRRRR", "RRRRR"), 5),
    Shape("c-5-models-u", "correctness", "@", FIVE_UNANIMOUS, Sweep("FFFFF", "UUUUU", "RRRRR", "RRRRR"), 5),
    Shape("3-iter-2-models-u", "pipeline", "@r", TWO_MODELS, _all_but_one("F", "U", "R", 18), 2),
    Shape("debate-3-models", "correctness", "d", DEBATE, Sweep("AAAAAA", "AAAAAA", "RRRRRR", "RRRRRR"), 3),
)
"""All that ship."""

TWO = (
    Case("1+ / 2+", "A"),
    Case("1-", "R"),
    Case("1+ / 2-", "R"),
    Case("1! / 2+", "F"),
    Case("1! / 2-", "R"),
    Case("1+ 2-", "R", exact=True),
)
TIES = (
    Shape("correctness x2 majority", "correctness", "x", TWO),
    Shape("correctness @[1, 2] majority", "correctness", "@", TWO, models=2),
    Shape(
        "correctness r2 majority",
        "correctness",
        "r",
        (Case("1-", "R"), Case("1+ / 2-", "R"), Case("1? / 1? / 2-", "R"), Case("1+ / 2!", "F")),
    ),
    Shape(
        "correctness x4 majority",
        "correctness",
        "x",
        (
            Case("1- 2-", "R"),
            Case("1+ 2- / 3-", "R"),
            Case("1+ 2+ / 3- / 4-", "R"),
            Case("1+ 2- / 3+ / 4-", "R"),
            Case("1+ 2- / 3+ / 4+", "A"),
            Case("1+ 2- / 3! / 4-", "R"),
            Case("1+ 2- / 3! / 4+", "F"),
        ),
    ),
    Shape(
        "correctness debate[1, 2] majority",
        "correctness",
        "d",
        (
            Case("11+ 21- / 12+ / 22-", "R 1=A 2=R"),
            Case("11+ 21- / 12-", "R 1=R 2=S"),
            Case("11! 21-", "R 1=F 2=R"),
            Case("11! 21+", "F 1=F 2=A"),
        ),
        models=2,
    ),
    Shape(
        "{fact_logic, correctness} majority",
        "vote",
        "",
        (Case("f+ / k-", "R"), Case("f-", "R"), Case("f+ / k+", "A"), Case("f? / f? / k-", "R")),
    ),
)
"""Votes of an even number, which can end in a tie; ties reject."""
