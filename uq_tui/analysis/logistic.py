"""Logistic regression with a ridge penalty, for a handful of features: how likely a candidate is correct by its scores.

By Newton's method, which for the logistic is iteratively reweighted least squares (S. le Cessie and J. C. van
Houwelingen, Applied Statistics 41, 1992, 191-201, have the penalty). scikit-learn would bring 150 MB for two weights.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul

_STEPS = 100
"""Newton takes about ten; with the penalty there is one minimum, and halved steps always lead to it."""
_ENOUGH = 1e-10
_CONSTANT = 1e-12
"""A spread this small beside the values themselves is rounding."""


@dataclass(frozen=True, slots=True)
class Logistic:
    """A fitted model: the log odds to be correct are the intercept and the weights times the standardised features."""

    intercept: float
    weights: tuple[float, ...]
    """Per standard deviation of the feature in the rows it was fitted to; 0 for one that is constant there."""
    centres: tuple[float, ...]
    scales: tuple[float, ...]
    """Means and standard deviations of the features in these rows; 1 for a constant one."""

    def chance(self, row: Sequence[float]) -> float:
        """The chance that a candidate with these features is correct, in (0, 1) up to rounding."""
        standard = zip(row, self.centres, self.scales, strict=True)
        return _sigmoid(
            self.intercept
            + sum(
                weight * (value - centre) / scale
                for weight, (value, centre, scale) in zip(self.weights, standard, strict=True)
            )
        )


def fit(rows: Sequence[Sequence[float]], labels: Sequence[bool], *, l2: float = 1.0) -> Logistic:
    """The model with the least penalised loss: the sum of -log likelihood over rows, and l2/2 of the squared weights.

    The intercept isn't penalised. Labels that the features part completely are no trouble: the penalty keeps weights
    finite.

    Args:
        rows: the features of each candidate, equally many. They are standardised here.
        labels: whether it is correct.
        l2: the penalty, above 0.

    Raises:
        ValueError: all labels are the same, when no intercept is best; or the arguments don't fit together.
    """
    if len(rows) != len(labels):
        raise ValueError(f"{len(rows)} rows cannot have {len(labels)} labels")
    if not l2 > 0:
        raise ValueError("without a penalty there may be no best weights")
    if len(set(labels)) < 2:
        raise ValueError("labels that are all the same leave no best intercept")
    if not all(math.isfinite(value) for row in rows for value in row):
        raise ValueError("a feature is not finite")
    columns = list(zip(*rows, strict=True))
    centres, scales = zip(*(_standard(column) for column in columns), strict=True)
    standard = [
        [(value - centre) / scale for value in column]
        for column, centre, scale in zip(columns, centres, scales, strict=True)
    ]
    intercept, *weights = _newton([[1.0] * len(rows), *standard], labels, l2)
    return Logistic(intercept, tuple(weights), centres, scales)


def log_loss(chance: float, label: bool) -> float:
    """-log of the chance that was given to what is so; a chance of 0 counts as 1e-15."""
    return -math.log(max(chance if label else 1.0 - chance, 1e-15))


def _standard(column: Sequence[float]) -> tuple[float, float]:
    centre = math.fsum(column) / len(column)
    spread = math.sqrt(math.fsum((value - centre) ** 2 for value in column) / len(column))
    if spread <= _CONSTANT * max(map(abs, column)):
        return column[0], 1.0
    return centre, spread


def _newton(columns: Sequence[Sequence[float]], labels: Sequence[bool], l2: float) -> list[float]:
    """Intercept and weights; a step that doesn't lower the loss is halved until it does."""
    at = [0.0] * len(columns)
    odds = _log_odds(at, columns)
    loss = _loss(at, odds, labels, l2)
    for _ in range(_STEPS):
        step = _solved(*_derivatives(at, odds, columns, labels, l2))
        length = 1.0
        while length > _ENOUGH:
            there = [value - length * move for value, move in zip(at, step, strict=True)]
            odds = _log_odds(there, columns)
            lower = _loss(there, odds, labels, l2)
            if lower <= loss:
                break
            length /= 2
        else:
            break
        at, loss = there, lower
        if max(map(abs, step)) < _ENOUGH:
            break
    return at


def _log_odds(at: Sequence[float], columns: Sequence[Sequence[float]]) -> list[float]:
    return [sum(map(mul, at, values)) for values in zip(*columns, strict=True)]


def _loss(at: Sequence[float], odds: Sequence[float], labels: Sequence[bool], l2: float) -> float:
    penalty = l2 / 2 * sum(weight * weight for weight in at[1:])
    return penalty + math.fsum(_softplus(-z if label else z) for z, label in zip(odds, labels, strict=True))


def _derivatives(
    at: Sequence[float], odds: Sequence[float], columns: Sequence[Sequence[float]], labels: Sequence[bool], l2: float
) -> tuple[list[list[float]], list[float]]:
    """Second and first derivatives of the loss."""
    chances = [_sigmoid(z) for z in odds]
    spreads = [chance * (1.0 - chance) for chance in chances]
    excess = [chance - label for chance, label in zip(chances, labels, strict=True)]
    penalties = [0.0, *[l2] * (len(at) - 1)]
    slope = [
        sum(map(mul, excess, column)) + penalty * value
        for column, penalty, value in zip(columns, penalties, at, strict=True)
    ]
    weighted = [list(map(mul, spreads, column)) for column in columns]
    bend = [[sum(map(mul, left, right)) for right in columns] for left in weighted]
    for place, penalty in enumerate(penalties):
        bend[place][place] += penalty
    return bend, slope


def _solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """x of matrix x = right, by elimination; the matrix is positive definite, so that pivots are as they come."""
    n = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for pivot in range(n):
        for row in range(pivot + 1, n):
            factor = rows[row][pivot] / rows[pivot][pivot]
            rows[row] = [value - factor * above for value, above in zip(rows[row], rows[pivot], strict=True)]
    found = [0.0] * n
    for row in reversed(range(n)):
        known = sum(rows[row][column] * found[column] for column in range(row + 1, n))
        found[row] = (rows[row][n] - known) / rows[row][row]
    return found


def _sigmoid(z: float) -> float:
    if z >= 0:
        return 1.0 / (1.0 + math.exp(-z))
    return math.exp(z) / (1.0 + math.exp(z))


def _softplus(z: float) -> float:
    return max(z, 0.0) + math.log1p(math.exp(-abs(z)))
