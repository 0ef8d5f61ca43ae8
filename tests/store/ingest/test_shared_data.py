"""Every file beside the project: as which format it is recognised, or why it is no import.

What the files hold once they are imported is tested with their formats.
"""

from pathlib import Path

import pytest

from store.ingest.importer import FORMATS, format_of
from tests.shared import shared_file
from uq_tui.errors import ImportFileError

FORMAT_OF = {
    "deepseek-math-v2-human-rated-proofs/*.jsonl": "rated proofs of DeepSeekMath-V2",
    "imo-bench/*.csv": "IMO-Bench",
    "inspect-ai-logs/*.eval": "Inspect log",
    "inspect-ai-logs/math_cases.json": "pairs of final answers",
    "inspect-ai-logs/*.json": "Inspect log",
    "open-proof-corpus/*.parquet": "Open Proof Corpus",
    "open-proof-corpus/*.json": "Open Proof Corpus",
    "open-proof-corpus/*/*.json": "Open Proof Corpus",
    "realmath-eval-human-vs-llm-grading/human_error_segments.jsonl": "RealMath-Eval, details",
    "realmath-eval-human-vs-llm-grading/*_labels_64.json": "RealMath-Eval, details",
    "realmath-eval-human-vs-llm-grading/*.json": "RealMath-Eval",
    "se-api-json/*.json": "Stack Exchange API",
    "se-dump-*/Posts*.xml": "Posts.xml",
    "se-dump-*/Comments.xml": "Comments.xml",
    "se-dump-*/Users*.xml": "Users.xml",
    "se-dump-*/*.xml": "Stack Exchange dump, nothing used",
    "theoremqa/*.json": "TheoremQA",
    "uq-crawler-sites/sites.jsonl": "list of sites",
}
"""Patterns of paths, and the format of the files they fit; the first that fits counts."""

NO_IMPORT = {
    "*/SOURCE.txt": "it says where the files beside it are from",
    "*/*.md": "a text for readers",
    "*/LICENSE": "a text for readers",
    "*/pydantic-ai/LICENSE": "a text for readers",
    "REFERENCE_VALUES.json": "values that our own statistics are tested against",
    "agreement-reference-values/*": "values that our own statistics are tested against",
    "crowd-labels-get-another-label/*/*.txt": "labels of crowds on web pages, for statistics: no question",
    "llm-sse-streams/*/*.yaml": "recorded replies of model servers, for the gateway's tests",
    "llm-sse-streams/*/raw/*.sse": "recorded replies of model servers, for the gateway's tests",
    "markdown-latex-torture/*": "texts that are hard to draw, for the reading view's tests",
}
"""Patterns of paths, and why the files they fit are no import."""


@pytest.mark.shared
def test_every_file_is_recognised_or_refused() -> None:
    folder = shared_file("data")
    found = {path.relative_to(folder): _found(path) for path in sorted(folder.rglob("*")) if path.is_file()}
    wrong = {str(name): (is_, _expected(name)) for name, is_ in found.items() if is_ != _expected(name)}
    assert len(found) > 100
    assert wrong == {}


def test_the_table_names_formats_that_there_are() -> None:
    assert set(FORMAT_OF.values()) <= {one.name for one in FORMATS}


def _found(path: Path) -> str:
    """The name of the file's format, "" where it is refused with its name, the reason, and what to do."""
    try:
        return format_of(path).name
    except ImportFileError as error:
        in_words = error.message.startswith(f"{path} is in no format that can be imported (line 1") and error.hint
        return "" if in_words else error.message


def _expected(name: Path) -> str:
    """By the tables; a file that no pattern fits is expected to be there."""
    for pattern, expected in FORMAT_OF.items():
        if _fits(name, pattern):
            return expected
    return "" if any(_fits(name, pattern) for pattern in NO_IMPORT) else "in neither table"


def _fits(name: Path, pattern: str) -> bool:
    return len(name.parts) == pattern.count("/") + 1 and name.match(pattern)
