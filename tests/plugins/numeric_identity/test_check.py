"""True identities, false ones, and texts that claim none."""

import json

import pytest

from tests.shared import shared_file
from uq_tui.plugins.numeric_identity.check import NumericIdentity
from uq_tui.plugins.numeric_identity.claims import claims
from uq_tui.plugins.running import run
from uq_tui.plugins.spec import Finding
from uq_tui.words import Outcome


def check(answer: str, question: str = "") -> Finding:
    return NumericIdentity().check(question, answer)


@pytest.mark.parametrize(
    "answer",
    [
        r"For all real $x$, $\sin^2 x + \cos^2 x = 1$.",
        r"For every positive integer $n$ we have $$\sum_{k=0}^{n} \binom{n}{k} = 2^n.$$",
        r"By induction, for all integers $n \ge 1$: \[\sum_{k=1}^{n} k^3 = \left(\frac{n(n+1)}{2}\right)^2\]",
        r"Hence $\sin 2x = 2 \sin x \cos x$ holds for all $x \in \mathbb{R}$.",
        r"\[ \forall x, y \in \mathbb{R}: (x+y)(x-y) = x^2 - y^2 \]",
        r"\[ \cosh^2 t - \sinh^2 t = 1 \qquad (\forall t \in \mathbb{R}). \tag{3}\]",
        r"\[ \ln(x^2) = 2\ln x \quad \text{for all real } x > 0 \]",
        r"Recall the identity $a^3 - b^3 = (a-b)(a^2+ab+b^2)$.",
        r"Here $(n+1)! = (n+1) n!$ for all $n \ge 1$.",
        r"For all $0 \le k \le n$, $\binom{n}{k} = \binom{n}{n-k}$.",
        "For all real numbers $a$ and $b$ we have\n\n$$\\begin{aligned}(a+b)^2 &= (a+b)(a+b) \\\\ &= a^2+2ab+b^2."
        "\\end{aligned}$$",
        r"**For any real $x$**, it holds that $x^4 - 1 \equiv (x-1)(x+1)(x^2+1)$",
        # Both sides grow so large that a double would see no digit of the difference, and cancel to nothing.
        r"For all real $x$, $(x+10^{20})^2 - x^2 - 2 \cdot {10}^{20} x = {10}^{40}$.".replace("10^{20}", "{10}^{20}"),
        r"For all real $x>1$, $\ln(x + \sqrt{x^2-1}) + \ln(x - \sqrt{x^2-1}) = 0$. So",
    ],
)
def test_a_true_identity_holds(answer: str) -> None:
    finding = check(answer)

    assert finding.outcome is Outcome.ACCEPT, finding
    assert "no proof" in finding.reason


@pytest.mark.parametrize(
    "answer",
    [
        r"For all real $x$, $\sin^2 x + \cos^2 x = 1.000000001$.",
        r"For every positive integer $n$ we have $$\sum_{k=1}^{n} \binom{n}{k} = 2^n.$$",
        r"For all integers $n \ge 1$: \[\sum_{k=1}^{n} k^2 = \frac{n(n+1)(2n+3)}{6}\]",
        r"Hence $\sin 2x = 2 \sin x$ for all $x \in \mathbb{R}$.",
        r"For all real $x$: $\sqrt{x^2} = x$.",
        r"Recall the identity $a^3 - b^3 = (a-b)(a^2-ab+b^2)$.",
        r"For all real $x$, $(x+1)^2 = x^2 + 2x + 1 = x(x+2)$.",
        r"\[ \forall x, y \in \mathbb{R}: (x+y)(x-y) = x^2 - y^2 + {10}^{-12} \]",
        # One true claim and one false one.
        "For all real $x$, $x+x = 2x$.\n\nFor all real $y$, $y+y = 3y$.",
    ],
)
def test_a_false_identity_is_refuted(answer: str) -> None:
    assert check(answer).outcome is Outcome.REJECT


def test_a_reject_names_a_point_and_both_values() -> None:
    finding = check(r"For all real $x$, $(x+1)^2 = x^2 + 1$.")

    before, after = finding.reason.split(": left ")
    x = float(before.rpartition("x = ")[2])
    left, right = after.partition(";")[0].split(", right ")
    assert float(left) == pytest.approx((x + 1) ** 2, rel=1e-4)
    assert float(right) == pytest.approx(x**2 + 1, rel=1e-4)
    assert check(r"For all real $x$, $(x+1)^2 = x^2 + 1$.") == finding


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "There is no formula here.",
        r"Solve $x^2 = 2$.",
        r"For all real $x$, $f(x) = x^2$.",
        r"Let $n = 5$. Then $n + 1 = 7$.",
        r"For every $n \ge 1$ let $a_n = 2^n$.",
        r"For all integers $n$, $n^2 = n \pmod 2$.",
        r"Since $4 \equiv 1 \pmod 3$, for all integers $n$ we have what follows. For all integers $n$, $4n \equiv n$.",
        r"We work mod $3$. For all integers $n$, $n^3 = n$.",
        r"For all real $x$, $\int_0^x 2t \, dt = x^2$.",
        r"For all real $x$, $\sin x = O(x)$ and $\sin x \sim x$.",
        r"For all real $x$ with $x^2 = x$, $x^3 = x$.",
        r"For all real $x$ such that $x > x^2$, $x^3 = x$.",
        r"For all odd integers $n$, $(-1)^n = -1$.",
        r"For all real $x$, $x = 2$.",
        r"Suppose for contradiction that for all real $x$, $x + 1 = x + 2$.",
        r"Suppose not. Then for all real $x$, $x + 1 = x + 2$.",
        r"For all real $x$, $x + 1 = x + 2$. This is a contradiction.",
        r"It is not true that for all real $x$, $x^2 = x + 1$.",
        r"Does $x^2 = 2x$ hold for all real $x$?",
        r"For all real $x$, $x^2 = 2x + 1$, where $x$ is as above.",
        "For all real $x$,\n\n$$x^2 = 2x + 1$$\n\nwhere $x$ is as above.",
        "For all real $x$, $$x^2 = 2x + 1.$$\n\nHere $x$ is as above.",
        r"The numbers satisfy $a + b = 1$. Recall the identity $a^2 + b^2 = 1 - 2ab$.",
        r"By Bezout's identity $ax + by = 1$.",
        r"In a triangle, $\cos^2 A + \cos^2 B + \cos^2 C = 1 - 2\cos A\cos B\cos C$ for all $A, B, C$.",
        r"Let $e$ be the identity element: $ea = e$.",
        r"For all $x, y \in G$, $xy = yyx$.",
        r"For all real $x$ and $y$, $x * y = x + y - 1$.",
        r"For all primes $p$, $2^{p-1} = 1$.",
        r"For all sufficiently large $n$, $n^2 = n + 1$.",
        r"For all $n = 1, 2, 3$, $n^2 = n$.",
        r"For all real $x$, $\lfloor x \rfloor = x$, and for all real $x$, $[x] = x$.",
        r"For all real $x$, $x^2 \ge 0$.",
        r"For all real $x$, $|x| = x$ or its negative.",
        r"One may be tempted to say: it is tempting that for all real $x$, $(x+1)^2 = x^2 + 1$.",
        r"In characteristic 2, $(a+b)^2 = a^2+b^2$ for all $a, b$.",
        "Let $G$ be a group of that kind.\n\nFor all $x, y$, $xy = y x^2$.",
        "The triangle is right.\n\nRecall the identity $a^2 + b^2 = a b$.",
        r"Recall the identity $a^2 + b^2 = c^2$.",
        # Its only exception is an edge.
        r"For all integers $n \ge 0$, $\sum_{k=0}^{n} (-1)^k \binom{n}{k} = 0$.",
        # Nothing can be computed.
        r"For all integers $n \ge 500$, $(n+1)! = n!$.",
    ],
)
def test_what_claims_no_identity_is_skipped(answer: str) -> None:
    assert check(answer).outcome is Outcome.SKIPPED


def test_letters_of_the_question_are_no_free_ones() -> None:
    answer = r"Recall the identity $a^2 + b^2 = 1 - 2ab$."

    assert check(answer).outcome is Outcome.REJECT
    assert check(answer, r"Let $a + b = 1$.").outcome is Outcome.SKIPPED


@pytest.mark.parametrize(
    "answer",
    [
        "For all real $x$, $" + "(" * 900 + "x" + ")" * 900 + " = x + 1$.",
        "For all real $x$, $" + "x^{" * 300 + "x" + "}" * 300 + " = 1$.",
        "For all real $x > 1$, $9^{9^{9^{9^{9^{x}}}}} = 1$. So",
        "For all real $x$, $x = 1$. " * 4_000,
        "for all " * 12_000 + "$x = 1$",
        "for all $x$ and " * 6_000,
        "$" * 100_000,
        r"\begin{align}" * 8_000,
        r"$\forall" + " " * 1_900 + "x = 1$",
        r"$$\forall x, " * 5_000 + "$$",
        "$x$" + "\n" * 150_000 + "$x$",
        ("$a" + "~" * 1_900 + "$ ") * 100,
        (r"$a = b\quad\forall" + "," * 1_900 + "$. ") * 100,
        "For all $x$, $x + x = 3x$, " + "for all $x$, $x + x = 3x$. " * 6_000,
        "⟦0⟧ ⟦1⟧ for all real ⟦99⟧, ⟦99⟧.",
    ],
)
def test_hostile_text_ends_as_nothing_found(answer: str) -> None:
    assert check(answer).outcome is Outcome.SKIPPED


async def test_it_runs_as_it_is_installed() -> None:
    finding = await run("numeric_identity", "", r"For all real $x$, $\cos 2x = 2\cos^2 x + 1$.")

    assert finding.outcome is Outcome.REJECT
    assert "does not hold at x = " in finding.reason


@pytest.mark.shared
def test_no_proof_that_people_rated_complete_is_rejected() -> None:
    folder = shared_file("data/deepseek-math-v2-human-rated-proofs")
    texts = [file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.jsonl"))]
    rows = [json.loads(line) for text in texts for line in text.strip().split("\n")]
    complete = [row for row in rows if row["model_prediction"]["human_rating"] == 7]

    findings = [check(row["model_prediction"]["proof"], row["question"]) for row in complete]

    assert len(findings) == 50
    assert [finding for finding in findings if finding.outcome is Outcome.REJECT] == []
    assert any(claims(row["question"], row["model_prediction"]["proof"]) for row in complete)
