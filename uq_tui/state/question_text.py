"""What stands before a question's body when it is read."""

from store.rows import Question


def question_head(question: Question) -> str:
    """Title, where it is from, a rule. Markdown of ours, with foreign words in it."""
    row = question.row
    facts = [row.site, row.status.value]
    if row.score is not None:
        facts.append(f"score {row.score}")
    if question.views is not None:
        facts.append(f"{question.views:,} views")
    if question.answers is not None:
        facts.append(f"{question.answers} posted answers")
    if row.asked_at:
        facts.append(f"asked {row.asked_at[:10]}")
    source = [part for part in (question.author and f"by {question.author}", question.licence, question.link) if part]
    tags = ", ".join(row.tags)
    head = [f"# {row.title}", ", ".join(fact for fact in facts if fact), ", ".join(source), tags and f"Tags: {tags}"]
    return "\n\n".join(part for part in (*head, "---") if part)
