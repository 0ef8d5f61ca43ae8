"""How different the samples of one prompt are: distinct replies, shared wording, length.

Consequence-Based Utility (arXiv 2602.06291v1, Table 5) compares judges and rollouts by mean tokens a generation and by
the mean cosine of embeddings of all pairs. That needs an embedding model, and its cosines lie within .957 to .972; it
isn't reproduced here. What is here is overlap of wording: the share of word triples that two replies have in common
(A. Broder, Compression and Complexity of Sequences, 1997, 21-29: the resemblance of shingles), which tells copies and
near-copies from fresh attempts, but not two wordings of one argument from two arguments.
"""

import math
import random
from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from uq_tui.analysis.independence import Draws, Sample, count

WORDS = 3
"""How many words in a row are compared."""
TOO_FEW = "fewer than two replies with words"


@dataclass(frozen=True, slots=True)
class Reply:
    """One sample of an arm."""

    text: str
    tokens: int | None
    """Tokens generated, reasoning with them; `None` is unknown."""
    temperature: float | None = None
    cut_off: bool = False


@dataclass(frozen=True, slots=True)
class Diversity:
    """How different the samples of one prompt are."""

    draws: Draws
    """How many, and how many different ones."""
    similarity: float | None
    """Mean share of word triples in common, 0 to 1 (Jaccard), over `pairs` pairs."""
    pairs: int
    every_pair: int
    """Pairs there are; where more than were compared, those were drawn."""
    wordless: int
    """Replies without a word, in no pair."""
    mean_tokens: float | None
    """Over the `tokens_known` replies of which it is known."""
    tokens_known: int
    undefined: str = ""
    """Why there is no similarity."""


def diversity(replies: Sequence[Reply], *, most_pairs: int = 500, seed: int = 0) -> Diversity:
    """The diversity of the samples of one prompt.

    Words are what stands between white space, case apart. A reply of fewer than three is one triple.

    Args:
        replies: the samples.
        most_pairs: how many pairs to compare at most.
        seed: the same seed draws the same pairs.
    """
    samples = [Sample(reply.text, reply.temperature, reply.cut_off) for reply in replies]
    worded = [reply.text for reply in replies if reply.text.strip()]
    every = len(worded) * (len(worded) - 1) // 2
    drawn = range(every) if every <= most_pairs else random.Random(seed).sample(range(every), most_pairs)
    shared = list(_shared(worded, drawn))
    tokens = [reply.tokens for reply in replies if reply.tokens is not None]
    return Diversity(
        draws=count(samples),
        similarity=math.fsum(shared) / len(shared) if shared else None,
        pairs=len(shared),
        every_pair=every,
        wordless=len(replies) - len(worded),
        mean_tokens=sum(tokens) / len(tokens) if tokens else None,
        tokens_known=len(tokens),
        undefined="" if shared else TOO_FEW,
    )


def _shared(texts: Sequence[str], pairs: Sequence[int]) -> Iterator[float]:
    """The resemblance of each of the numbered pairs.

    Triples are kept as hashes in arrays: those of 64 replies of 50 KB would be 50 MB as sets. Only one set is open.
    """
    partners = defaultdict[int, list[int]](list)
    for number in pairs:
        later, earlier = _pair(number)
        partners[later].append(earlier)
    triples = {
        place: _triples(texts[place]) for place in {*partners, *(one for all_ in partners.values() for one in all_)}
    }
    for later, earlier_ones in partners.items():
        known = set(triples[later])
        for earlier in earlier_ones:
            common = len(known.intersection(triples[earlier]))
            yield common / (len(known) + len(triples[earlier]) - common)


def _pair(number: int) -> tuple[int, int]:
    """The pair of that number, from 0, in the order (1, 0), (2, 0), (2, 1), (3, 0), ..."""
    later = (1 + math.isqrt(1 + 8 * number)) // 2
    return later, number - later * (later - 1) // 2


def _triples(text: str) -> "array[int]":
    """Hashes of the different triples of words. (Before Python 3.12 an array takes no type at run time.)"""
    words = text.casefold().split()
    if len(words) < WORDS:
        return array("q", [hash(tuple(words))])
    return array("q", {hash(triple) for triple in zip(words, words[1:], words[2:], strict=False)})
