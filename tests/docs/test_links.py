"""Pages name each other where they are, and README names them all."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
_LINK = re.compile(r"\]\((?!\w+:)([^)\s#]*)(?:#([^)\s]+))?\)")
_CODE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """The names by which GitHub makes a page's headings the goals of links."""
    headings = re.findall(r"^#+ (.+)$", _CODE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    for name, anchor in _LINK.findall(_CODE.sub("", page.read_text(encoding="utf-8"))):
        goal = page.parent / name if name else page
        assert goal.exists(), name
        assert not anchor or anchor in anchors(goal), f"{name}#{anchor}"


def test_readme_names_every_page() -> None:
    named = {name for name, _ in _LINK.findall((ROOT / "README.md").read_text(encoding="utf-8"))}
    assert named >= {f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")}
