"""A model that answers questions, and raters whose ratings of each are laid down."""

import json
import re
from collections.abc import Mapping, Sequence

from tests.engine.runs.scripted import Said
from uq_tui.engine.runs.curate import ANSWER, RETRY
from uq_tui.engine.spec import Ask

UNREADABLE = Said("About half of it is right.")


def rating(correctness: object = 40, solvability: object = 70, **answers: object) -> Said:
    """A rating that meets every limit exactly; `Clear`, `Answerable` and `Unambiguous_Answer` may be given."""
    given = {
        "code": "{tag}",
        "Answer_Correctness": correctness,
        "Expert_Solve_Probability": solvability,
        "Answerable": True,
        "Clear": True,
        "Unambiguous_Answer": True,
        "Explanation": "A step is missing.",
        **answers,
    }
    return Said(f"Weighed.\n{json.dumps(given)}")


def number_of(ask: Ask) -> int:
    """The number of the question that an ask is about: its title is `Question N`."""
    found = re.search(r"# Question (\d+)", ask.messages[0].content)
    assert found is not None
    return int(found[1])


class Raters:
    """Ratings by question and sample. What can't be read is said again when asked once more, unless `later` has other.

    Attributes:
        answers: what is said to questions that get another answer than the usual one.
        ratings: what is said of each question; the last of them goes on.
        later: what is said to a sample of a question that is asked once more.
    """

    def __init__(
        self,
        ratings: Mapping[int, Sequence[Said]],
        answers: Mapping[int, Said] | None = None,
        later: Mapping[tuple[int, int], Said] | None = None,
    ) -> None:
        self.ratings = dict(ratings)
        self.answers = dict(answers or {})
        self.later = dict(later or {})

    def __call__(self, ask: Ask) -> Said:
        number = number_of(ask)
        if ask.template.name == ANSWER:
            return self.answers.get(number, Said(f"The answer to {number} is 42."))
        said = self.ratings.get(number, (rating(),))
        sample = int(ask.path.rpartition("/")[2])
        first = said[min(sample, len(said) - 1)]
        return self.later.get((number, sample), first) if ask.template.name == RETRY else first
