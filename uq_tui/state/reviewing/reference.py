"""What an answer is read against: the reference solution, its final answer, how it is graded, and neighbours.

None of it is masked in a blind queue: it tells nothing of the candidates.
"""

from dataclasses import dataclass

from store import candidates, neighbours, questions
from store.grading import scheme_of
from store.ingest.expertmath import ORIGINAL_ANSWER
from store.rows import Candidate, Neighbour
from store.workspace import Workspace
from uq_tui.state.neighbours.neighbour_text import answer_text
from uq_tui.state.reading.readable import Readable, joined, own_words, readable_text, readable_words
from uq_tui.state.reviewing.two_steps import stated_answer

NOTICE = (
    "**It may be wrong.** A person wrote it, and nobody has checked it here: where an answer differs, either may err."
)
NOTHING = (
    "*No reference solution, no final answer and no neighbours are here for this question.* Import a file that has"
    " them, or a solution with `uq-tui import FILE --question ID --reference`."
)


@dataclass(frozen=True, slots=True)
class Reference:
    """What is known of a question's solution."""

    question_id: str
    final_answer: str
    """As it can be compared with; empty where it is not known, or solutions state different ones."""
    solutions: tuple[Candidate, ...]
    """Reference solutions, each by a person, in order of arrival."""
    neighbours: tuple[Neighbour, ...]
    """Those in use."""
    grading: str = ""
    """How its source has answers graded, as Markdown."""

    def __bool__(self) -> bool:
        return bool(self.final_answer or self.solutions or self.neighbours or self.grading)

    def readable(self) -> Readable:
        """All of it as one text to be read."""
        parts: list[Readable] = []
        if self.solutions or self.final_answer:
            parts += [own_words("# Reference"), own_words(NOTICE)]
        if self.final_answer:
            parts.append(own_words(f"**Final answer:** {answer_text(self.final_answer)}"))
        for number, solution in enumerate(self.solutions, start=1):
            several = f" {number}" if len(self.solutions) > 1 else ""
            parts += [own_words(f"## Solution{several}"), readable_text(solution.answer)]
        if self.grading:
            parts += [own_words("## How it is graded"), readable_words(self.grading)]
        for one in self.neighbours:
            parts += [own_words(f"## Neighbour N{one.number}"), readable_words(one.statement)]
            parts.append(own_words(f"**Its answer:** {answer_text(one.answer)}"))
        key = f"reference of {self.question_id}"
        return joined(parts or [own_words(NOTHING)], key, name="reference")


def read(ws: Workspace, question_id: str) -> Reference:
    """What the workspace holds; not for the UI's loop.

    Raises:
        NotFoundError: there is no such question.
    """
    extra = questions.get(ws, question_id).extra
    said = extra.get(ORIGINAL_ANSWER, "")
    solutions = tuple(one for one in candidates.of_question(ws, question_id) if one.reference)
    texts = [said] if isinstance(said, str) and said else [one.answer.markdown for one in solutions]
    stated = {found for text in texts if (found := stated_answer(text))}
    final_answer = stated.pop() if len(stated) == 1 else ""
    return Reference(question_id, final_answer, solutions, neighbours.in_use(ws, question_id), scheme_of(extra))
