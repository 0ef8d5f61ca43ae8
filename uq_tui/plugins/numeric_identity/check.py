"""The plug-in itself: a few points for each claimed identity, and a verdict only on a clear difference.

Agreement at points is no proof, so an accept says how much was looked at and no more. A reject names a point and both
values, so that the reviewer can check it by hand.
"""

import hashlib
from dataclasses import dataclass

from uq_tui.plugins.numeric_identity.claims import Claim, claims
from uq_tui.plugins.numeric_identity.computing import Point, Real, UndefinedError, mpmath, value
from uq_tui.plugins.numeric_identity.domains import points
from uq_tui.plugins.spec import Finding
from uq_tui.text import counted
from uq_tui.words import Outcome

POINTS = 16
"""Points for one claim."""
FEWEST = 4
"""Points at which both sides must have values for a claim to count as checked."""
DIGITS = (60, 90)
"""Each side is computed twice; what differs between the two is not known."""
_STABLE = mpmath.mpf("1e-40")
_DIFFERENT = mpmath.mpf("1e-20")
"""Relative differences: within the first, values are the same; over the second, they are different."""


@dataclass(frozen=True, slots=True)
class _Difference:
    point: Point
    left: Real
    right: Real


@dataclass(frozen=True, slots=True)
class _Checked:
    """What came of one claim."""

    claim: Claim
    equal: int
    differences: tuple[_Difference, ...]

    @property
    def counts(self) -> bool:
        return self.equal + len(self.differences) >= FEWEST

    @property
    def refuted(self) -> bool:
        """Different at two points or more, and at a quarter of all.

        One point is not enough: it may be an edge, as an empty sum, at which people's conventions differ.
        """
        return self.counts and len(self.differences) >= max(2, (self.equal + len(self.differences)) / 4)


class NumericIdentity:
    """Checks identities that an answer claims for all values of their letters."""

    def check(self, question: str, answer: str) -> Finding:
        """REJECT on a clear difference, ACCEPT when all that could be checked holds, else SKIPPED."""
        found = claims(question, answer)
        if not found:
            return Finding(Outcome.SKIPPED, "no identity found that can be checked by numbers")
        checked = [_checked(claim) for claim in found]
        refuted = next((one for one in checked if one.refuted), None)
        if refuted is not None:
            return Finding(Outcome.REJECT, _told(refuted))
        held = [one for one in checked if one.counts and not one.differences]
        if len(held) < len(checked):
            open_ = counted(len(checked) - len(held), "identity", "identities", of=len(checked))
            return Finding(Outcome.SKIPPED, f"{open_} could not be decided by numbers")
        looked_at = sum(one.equal for one in held)
        what = counted(len(held), "identity holds", "identities hold")
        return Finding(Outcome.ACCEPT, f"{what} at {counted(looked_at, 'point')}; that is no proof")


def _checked(claim: Claim) -> _Checked:
    equal, differences = 0, []
    for point in points(claim.domains, POINTS, hashlib.sha256(claim.latex.encode()).hexdigest()):
        try:
            coarse, fine = ((value(claim.left, point, n), value(claim.right, point, n)) for n in DIGITS)
        except UndefinedError:
            continue
        with mpmath.workdps(DIGITS[1]):
            if _is_same(fine[0], fine[1]):
                equal += 1
            elif _is_different(coarse, fine):
                differences.append(_Difference(point, *fine))
    return _Checked(claim, equal, tuple(differences))


def _is_same(left: Real, right: Real) -> bool:
    """Equal to the digits that are known. What cancels out leaves a rest, which is nothing beside 1."""
    difference = abs(left - right)
    return bool(difference <= _STABLE * max(abs(left), abs(right)) or difference <= _STABLE**2)


def _is_different(coarse: tuple[Real, Real], fine: tuple[Real, Real]) -> bool:
    size = max(abs(side) for side in fine)
    moved = max(abs(before - after) for before, after in zip(coarse, fine, strict=True))
    return bool(moved <= _STABLE * size and abs(fine[0] - fine[1]) > _DIFFERENT * size)


def _told(checked: _Checked) -> str:
    """The first difference, so that a person can check it."""
    first = checked.differences[0]
    where = ", ".join(f"{name} = {float(number):.12g}" for name, number in first.point.items())
    left, right = _shown(first.left, first.right)
    tried = checked.equal + len(checked.differences)
    return (
        f"{checked.claim.latex[:200]} does not hold at {where}: left {left}, right {right}; "
        f"different at {len(checked.differences)} of {tried} points"
    )


def _shown(left: Real, right: Real) -> tuple[str, str]:
    """Both values, with as many digits as show the difference."""
    for digits in (6, 12, 25, 40):
        shown = mpmath.nstr(left, digits), mpmath.nstr(right, digits)
        if shown[0] != shown[1]:
            break
    return shown
