"""Final answers of the pack's research-style problems, counted without the idea that solves them.

Each function enumerates the objects that a question or a neighbour names, or solves the plain linear system
behind it. None uses the formula of the worked solutions, so that agreement is evidence. Standard library only.
"""

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

Edge = tuple[int, int]


def complete_graph(n: int) -> list[Edge]:
    """Edges of the complete graph on 0..n-1."""
    return list(itertools.combinations(range(n), 2))


def complete_bipartite(m: int, n: int) -> list[Edge]:
    """Edges between 0..m-1 and m..m+n-1."""
    return [(a, m + b) for a in range(m) for b in range(n)]


def noncrossing_matchings(points: int) -> Iterator[tuple[int, ...]]:
    """Noncrossing perfect matchings of 0..points-1 on a circle, as partner lists. `points` is even."""
    partner = [0] * points

    def extend(at: int, unmatched: list[int]) -> Iterator[tuple[int, ...]]:
        if at == points:
            yield tuple(partner)
            return
        if len(unmatched) < points - at:
            yield from extend(at + 1, [*unmatched, at])
        if unmatched:
            partner[at], partner[unmatched[-1]] = unmatched[-1], at
            yield from extend(at + 1, unmatched[:-1])

    yield from extend(0, [])


def noncrossing_partitions(points: int) -> Iterator[tuple[int, ...]]:
    """Noncrossing set partitions of 0..points-1 on a circle: each point's successor in its block, cyclically."""

    def extend(at: int, blocks: list[list[int]], reachable: list[int]) -> Iterator[tuple[int, ...]]:
        if at == points:
            successor = [0] * points
            for block in blocks:
                for here, there in zip(block, block[1:] + block[:1], strict=True):
                    successor[here] = there
            yield tuple(successor)
            return
        for depth, joined in enumerate(reachable):
            blocks[joined].append(at)
            yield from extend(at + 1, blocks, reachable[: depth + 1])
            blocks[joined].pop()
        blocks.append([at])
        yield from extend(at + 1, blocks, [*reachable, len(blocks) - 1])
        blocks.pop()

    yield from extend(0, [], [])


def classes_on_circle(diagrams: Iterator[tuple[int, ...]], *, reflections: bool) -> int:
    """Number of classes of successor lists under rotation, and reflection where asked (for matchings only)."""
    seen: set[tuple[int, ...]] = set()
    classes = 0
    for diagram in diagrams:
        n = len(diagram)
        steps = tuple((there - here) % n for here, there in enumerate(diagram))
        if steps in seen:
            continue
        classes += 1
        mirrored = tuple(-steps[-here % n] % n for here in range(n))
        for image in (steps, mirrored) if reflections else (steps,):
            seen.update(image[turn:] + image[:turn] for turn in range(n))
    return classes


def tensor_power_of_reflection(n: int, power: int) -> Counter[tuple[int, ...]]:
    """Multiplicities, by partition of n, of the irreducibles of S_n in the given tensor power of its (n-1)-dimensional
    reflection representation. Tensoring once is: restrict to S_(n-1), induce back, subtract the representation.
    """
    now: Counter[tuple[int, ...]] = Counter({(n,): 1})
    for _ in range(power):
        then: Counter[tuple[int, ...]] = Counter()
        for shape, multiplicity in now.items():
            for smaller in _boxes_removed(shape):
                for larger in _boxes_added(smaller):
                    then[larger] += multiplicity
            then[shape] -= multiplicity
        now = then
    return now


def _boxes_removed(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    for row, length in enumerate(shape):
        if row + 1 == len(shape) or shape[row + 1] < length:
            yield tuple(part for part in (*shape[:row], length - 1, *shape[row + 1 :]) if part)


def _boxes_added(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    for row, length in enumerate(shape):
        if row == 0 or shape[row - 1] > length:
            yield (*shape[:row], length + 1, *shape[row + 1 :])
    yield (*shape, 1)


def acyclic_orientations(edges: Sequence[Edge], *, only_sink: int | None = None) -> int:
    """Acyclic orientations of a graph on 0..n-1; with `only_sink`, those that have this vertex as their one sink."""
    vertices = 1 + max(max(edge) for edge in edges)
    arcs = [[(a, b) for a, b in (edge, edge[::-1]) if a != only_sink] for edge in edges]
    found = 0
    for orientation in itertools.product(*arcs):
        targets = [0] * vertices
        for a, b in orientation:
            targets[a] |= 1 << b
        if only_sink is None or targets.count(0) == 1:
            found += _is_acyclic(targets)
    return found


def _is_acyclic(targets: Sequence[int]) -> bool:
    left = (1 << len(targets)) - 1
    while left:
        sinks = sum(1 << v for v, out in enumerate(targets) if left >> v & 1 and not out & left)
        if not sinks:
            return False
        left &= ~sinks
    return True


def commuting_pairs(modulus: int) -> int:
    """Ordered pairs of commuting 2x2 matrices over the integers modulo `modulus`."""
    return sum(map(len, _centralisers(modulus)))


def commuting_triples(modulus: int) -> int:
    """Ordered triples of pairwise commuting 2x2 matrices over the integers modulo `modulus`."""
    centralisers = _centralisers(modulus)
    return sum(len(first & centralisers[b]) for first in centralisers for b in first)


def _centralisers(modulus: int) -> list[set[int]]:
    matrices = list(itertools.product(range(modulus), repeat=4))

    def commute(x: tuple[int, ...], y: tuple[int, ...]) -> bool:
        a, b, c, d = x
        e, f, g, h = y
        return not ((b * g - c * f) % modulus or (a * f + b * h - e * b - f * d) % modulus) and not (
            (c * e + d * g - g * a - h * c) % modulus
        )

    return [{j for j, y in enumerate(matrices) if commute(x, y)} for x in matrices]


def waiting_time(letters: int, word: Sequence[int], first: Sequence[Fraction]) -> Fraction:
    """Mean number of letters written until `word` has appeared, when no letter follows itself.

    The first letter has the distribution `first`; each later one is uniform among the `letters` - 1 others.
    Solves the linear system over (matched prefix, last letter) exactly.
    """
    states = [(s, last) for s in range(len(word)) for last in range(letters) if s == 0 or word[s - 1] == last]
    number = {state: i for i, state in enumerate(states)}
    rows = [[Fraction(i == j) for j in range(len(states))] + [Fraction(1)] for i in range(len(states))]
    for (matched, last), i in number.items():
        for letter in range(letters):
            after = _prefix_matched(word, matched, letter)
            if letter != last and after < len(word):
                rows[i][number[after, letter]] -= Fraction(1, letters - 1)
    more = _solve(rows)
    total = Fraction(1)
    for letter, probability in enumerate(first):
        matched = _prefix_matched(word, 0, letter)
        if matched < len(word):
            total += probability * more[number[matched, letter]]
    return total


def _prefix_matched(word: Sequence[int], matched: int, letter: int) -> int:
    text = [*word[:matched], letter]
    return max(k for k in range(len(text) + 1) if text[len(text) - k :] == list(word[:k]))


def _solve(rows: list[list[Fraction]]) -> list[Fraction]:
    for i in range(len(rows)):
        pivot = next(r for r in range(i, len(rows)) if rows[r][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for r, row in enumerate(rows):
            if r != i and row[i]:
                rows[r] = [x - row[i] * y for x, y in zip(row, rows[i], strict=True)]
    return [row[-1] for row in rows]


def configuration_euler_characteristic(edges: Sequence[Edge], points: int) -> int:
    """Euler characteristic of the space of `points`-element subsets of a graph, seen as a one-dimensional space.

    Counts the cells of the discretised configuration space (A. Abrams, PhD thesis, Berkeley 2000; for the edge
    lengths it needs: P. Prue and T. Scrimshaw, "Abrams's stable equivalence for graph braid groups"): sets of
    disjoint closed cells after each edge is cut into `points` - 1 >= 2 pieces. `edges` is a simple graph.
    """
    vertices = 1 + max(max(edge) for edge in edges)
    cells: list[tuple[int, int]] = []
    for a, b in edges:
        inner = list(range(vertices, vertices + points - 2))
        vertices += points - 2
        path = [a, *inner, b]
        cells += [(1 << x | 1 << y, -1) for x, y in itertools.pairwise(path)]
    cells += [(1 << v, 1) for v in range(vertices)]

    def signed(start: int, used: int, left: int) -> int:
        if not left:
            return 1
        return sum(
            sign * signed(i + 1, used | mask, left - 1)
            for i, (mask, sign) in enumerate(cells[start:], start)
            if not mask & used
        )

    return signed(0, 0, points)


def permutation_powers(n: int, exponent: int) -> int:
    """How many permutations of n things are `exponent`-th powers of permutations."""
    powers = set()
    for permutation in itertools.permutations(range(n)):
        power = permutation
        for _ in range(exponent - 1):
            power = tuple(permutation[x] for x in power)
        powers.add(power)
    return len(powers)


def sublattices(rank: int, quotient: Sequence[int]) -> int:
    """Sublattices L of Z^rank with Z^rank/L a product of cyclic groups of orders `quotient`, each dividing the next.

    Lists all Hermite normal forms of the right index and computes the invariant factors of each.
    """
    wanted = [1] * (rank - len(quotient)) + list(quotient)
    return sum(_invariant_factors(m) == wanted for m in _hermite_forms(rank, math.prod(quotient)))


def _hermite_forms(rank: int, index: int) -> Iterator[list[list[int]]]:
    divisors = [d for d in range(1, index + 1) if index % d == 0]
    for diagonal in itertools.product(divisors, repeat=rank):
        if math.prod(diagonal) != index:
            continue
        places = list(itertools.combinations(range(rank), 2))
        for above in itertools.product(*(range(diagonal[j]) for _, j in places)):
            form = [[diagonal[i] if i == j else 0 for j in range(rank)] for i in range(rank)]
            for (i, j), entry in zip(places, above, strict=True):
                form[i][j] = entry
            yield form


def _invariant_factors(matrix: list[list[int]]) -> list[int]:
    rows = [row[:] for row in matrix]
    factors: list[int] = []
    while rows:
        _, i, j = min((abs(x), i, j) for i, row in enumerate(rows) for j, x in enumerate(row) if x)
        pivot = rows[i][j]
        clean = True
        for r, row in enumerate(rows):
            if r != i and row[j]:
                times = row[j] // pivot
                rows[r] = [x - times * y for x, y in zip(row, rows[i], strict=True)]
                clean = clean and not rows[r][j]
        for c in range(len(rows)):
            if c != j and rows[i][c]:
                times = rows[i][c] // pivot
                for row in rows:
                    row[c] -= times * row[j]
                clean = clean and not rows[i][c]
        if not clean:
            continue
        off = next((r for r, row in enumerate(rows) if any(x % pivot for x in row)), None)
        if off is not None:
            rows[i] = [x + y for x, y in zip(rows[i], rows[off], strict=True)]
            continue
        factors.append(abs(pivot))
        rows = [[x for c, x in enumerate(row) if c != j] for r, row in enumerate(rows) if r != i]
    return factors
