"""References in prose, and what looks like one and is none."""

import pytest

from tests.citations.reading import keys, only, references, written
from uq_tui.citations.reference import ReferenceKind

AUTHOR_YEAR, RESULT, ENTRY = ReferenceKind.AUTHOR_YEAR, ReferenceKind.RESULT, ReferenceKind.ENTRY


@pytest.mark.parametrize(
    ("text", "key", "place"),
    [
        ("by Smith (2019).", "smith 2019", "Smith (2019)"),
        ("by Smith [2019].", "smith 2019", "Smith [2019]"),
        ("by Smith (2019b, Theorem 3)", "smith 2019b", "Smith (2019b, Theorem 3)"),
        ("J. A. Smith (2019)", "smith 2019", "J. A. Smith (2019)"),
        ("Smith, J. (2019)", "smith 2019", "Smith, J. (2019)"),
        ("Smith's (2019) proof", "smith 2019", "Smith's (2019)"),
        ("Smith and Jones, 2019", "smith jones 2019", "Smith and Jones, 2019"),
        ("Smith & Jones (2019)", "smith jones 2019", "Smith & Jones (2019)"),
        ("Smith &amp; Jones (2019)", "smith jones 2019", "Smith &amp; Jones (2019)"),
        ("Smith, Jones, and Lee (2019)", "smith jones lee 2019", "Smith, Jones, and Lee (2019)"),
        ("Smith et al. 2019a says", "smith et al 2019a", "Smith et al. 2019a"),
        ("Smith *et al.* (2019)", "smith et al 2019", "Smith *et al.* (2019)"),
        ("A. Smith; B. Jones & C. Lee (2019)", "smith jones lee 2019", "A. Smith; B. Jones & C. Lee (2019)"),
        (
            "W. Dür; G. Vidal &amp; J. I. Cirac (2000)",
            "dür vidal cirac 2000",
            "W. Dür; G. Vidal &amp; J. I. Cirac (2000)",
        ),
        ("by Kim; B. Jones & C. Lee (2019)", "jones lee 2019", "B. Jones & C. Lee (2019)"),
        ("(Smith, 2019)", "smith 2019", "Smith, 2019"),
        ("(see Smith, 2019)", "smith 2019", "Smith, 2019"),
        ("(Smith 2019)", "smith 2019", "Smith 2019"),
        ("(Smith, Jones, Lee, 2019)", "smith jones lee 2019", "Smith, Jones, Lee, 2019"),
        ("(see Smith, Jones 2019)", "smith jones 2019", "Smith, Jones 2019"),
        ("(Following Banach, Smith (2019) finds it)", "smith 2019", "Smith (2019)"),
        ("However, Smith and Jones (2019)", "smith jones 2019", "Smith and Jones (2019)"),
        ("In Smith (2019)", "smith 2019", "Smith (2019)"),
        ("de Bruijn (1946)", "de bruijn 1946", "de Bruijn (1946)"),
        ("Erdős and Rényi (1959)", "erdős rényi 1959", "Erdős and Rényi (1959)"),
        ("O'Neill (2001)", "o'neill 2001", "O'Neill (2001)"),
        ("Harish-Chandra (1966)", "harish-chandra 1966", "Harish-Chandra (1966)"),
        ("Euler (1748)", "euler 1748", "Euler (1748)"),
        ("as in [Smi19].", "[smi19]", "[Smi19]"),
        ("as in [BL76]", "[bl76]", "[BL76]"),
        ("as in [PYJ+12]", "[pyj+12]", "[PYJ+12]"),
        ("as in \\cite{smith2019}", "[smith2019]", "\\cite{smith2019}"),
    ],
)
def test_authors_with_a_year(text: str, key: str, place: str) -> None:
    found = only(text)

    assert (found.kind, found.key, found.malformed) == (AUTHOR_YEAR, key, "")
    assert written(text, found) == [place]


@pytest.mark.parametrize("number", [7, 8, 12, 16])
def test_a_long_list_of_authors_is_not_taken_for_its_end(number: int) -> None:
    names = [f"Ab{chr(ord('a') + n)}o" for n in range(number)]
    first = f"({', '.join(names[:-1])} & {names[-1]}, 2013)"
    assert keys(first) == [" ".join([*names, "2013"]).casefold()]


def test_several_in_one_pair_of_brackets() -> None:
    assert keys("(Smith, 2019; Jones & Lee, 2020; Kim 2021)") == ["smith 2019", "jones lee 2020", "kim 2021"]
    assert keys("[Smi19, BL76]") == ["[smi19]", "[bl76]"]
    assert keys("\\cite{a1, b2}") == ["[a1]", "[b2]"]


@pytest.mark.parametrize(
    "text",
    [
        "In 2019 (May) we met.",
        "In May (2019) we met.",
        "(May 2019)",
        "(Monday, 2019)",
        "Theorem (2019)",
        "See Problem 2019.",
        "Since 2019, all is well.",
        "Paris, 2019",
        "Smith 2019",
        "IMO (2019)",
        "USAMO 2019",
        "Putnam (2019)",
        "Springer (1977)",
        "Clearly (2019)",
        "the year (2019)",
        "x (2019)",
        "Alice, Bob, 2019",
        "Smith (2019 edition)",
        "Smith (20190)",
        "Smith (1234)",
        "2019 and Smith",
        "Let $A$ (2019)",
        "array[Xy12]",
        "$M$[Xy12]",
        "[12]",
        "[A12]",
        "[Edit 2019]",
        "[link](x)",
        "$\\text{Smith (2019)}$",
    ],
)
def test_what_only_looks_like_authors_with_a_year(text: str) -> None:
    assert references(text) == []


def test_a_year_more_than_one_ahead_is_malformed() -> None:
    assert [bool(one.malformed) for one in references("Smith (2026), Smith (2027), Smith (2028)")] == [
        False,
        False,
        True,
    ]
    assert only("Theorem 2 of Smith (2031)").malformed == "its year, 2031, is in the future"


@pytest.mark.parametrize(
    ("text", "key", "place"),
    [
        ("By Theorem 2.3 of Smith, it holds", "theorem 2.3 of smith", "Theorem 2.3 of Smith"),
        ("Thm. 2.3 of Smith and Jones", "theorem 2.3 of smith jones", "Thm. 2.3 of Smith and Jones"),
        ("Theorem~2.3 of Smith (2019a)", "theorem 2.3 of smith 2019a", "Theorem~2.3 of Smith (2019a)"),
        ("Lemma 4 from the paper of Smith", "lemma 4 of smith", "Lemma 4 from the paper of Smith"),
        ("Prop. 4.1(b) of Hartshorne's book", "proposition 4.1(b) of hartshorne", "Prop. 4.1(b) of Hartshorne"),
        (
            "section 12.5 of Nielsen &amp; Chuang",
            "section 12.5 of nielsen chuang",
            "section 12.5 of Nielsen &amp; Chuang",
        ),
        ("Corollary A.2 in Smith et al.", "corollary a.2 of smith et al", "Corollary A.2 in Smith et al."),
        ("Hartshorne's Theorem II.8.15", "theorem ii.8.15 of hartshorne", "Hartshorne's Theorem II.8.15"),
        ("[12, Lemma 4]", "lemma 4 of [12]", "[12, Lemma 4]"),
        ("[12, Lemma 4 and the remark]", "lemma 4 of [12]", "[12, Lemma 4 and the remark]"),
        ("Lemma 4 in [12]", "lemma 4 of [12]", "Lemma 4 in [12]"),
        ("[Smi19, §3]", "section 3 of [smi19]", "[Smi19, §3]"),
        ("[Smi19, p. 34]", "page 34 of [smi19]", "[Smi19, p. 34]"),
        ("Chapter 2 of [Smi19]", "chapter 2 of [smi19]", "Chapter 2 of [Smi19]"),
        ("\\cite[Theorem 2]{Smi19}", "theorem 2 of [smi19]", "\\cite[Theorem 2]{Smi19}"),
    ],
)
def test_numbered_results_of_other_works(text: str, key: str, place: str) -> None:
    found = only(text)

    assert (found.kind, found.key, found.malformed) == (RESULT, key, "")
    assert written(text, found) == [place]


@pytest.mark.parametrize(
    "text",
    [
        "By Theorem 2.3, it holds",
        "Theorem 2 of Section 3",
        "Lemma 4 in Chapter 5",
        "Theorem 3 in Banach spaces",
        "Lemma 2 in Hilbert space",
        "Theorem 2 of the previous section",
        "Lemma 4 of this text",
        "Theorem of Smith",
        "Smith's theorem",
        "Gauss's lemma",
        "item 4 of [a, b]",
        "$x[12, Lemma 4]$",
    ],
)
def test_what_only_looks_like_a_result_of_another_work(text: str) -> None:
    assert references(text) == []


def test_a_result_goes_before_the_authors_in_it_and_counts_every_mention() -> None:
    text = "Theorem 2 of Smith (2019) and theorem 2 in Smith, 2019; see Smith (2019)."
    result, paper = references(text)

    assert written(text, result) == ["Theorem 2 of Smith (2019)", "theorem 2 in Smith, 2019"]
    assert written(text, paper) == ["Smith (2019)"]


LISTED = """As in [12], and by [12, Lemma 4] and [Smi19; 13]; not $[12]$ or [14].

{heading}

[12] A. Smith, Title, J. Foo 12 (2019). doi:10.1000/abcdef
[13] B. Jones and C. Lee,
  More of it, Springer, 2020.

[Smi19] Smith, J. (2019). Third.
"""


@pytest.mark.parametrize(
    "heading", ["## References", "**References**", "References:", "5. Bibliography", "\\section*{Literature}", ""]
)
def test_entries_are_listed_with_the_places_that_cite_them(heading: str) -> None:
    text = LISTED.format(heading=heading)
    found = {one.key.split("]")[0] + "]": one for one in references(text, ENTRY)}

    assert written(text, found["[12]"]) == ["[12]", found["[12]"].text]
    assert found["[12]"].text == "[12] A. Smith, Title, J. Foo 12 (2019). doi:10.1000/abcdef"
    assert found["[13]"].text.endswith("More of it, Springer, 2020.")
    assert written(text, found["[smi19]"]) == ["Smi19", "[Smi19] Smith, J. (2019). Third."]


def test_inside_an_entry_identifiers_are_listed_and_nothing_else() -> None:
    text = LISTED.format(heading="# References")

    assert [(one.kind, one.key) for one in references(text) if one.kind is not ENTRY] == [
        (RESULT, "lemma 4 of [12]"),
        (ReferenceKind.DOI, "10.1000/abcdef"),
    ]


@pytest.mark.parametrize("marker", ["1. ", "1) ", "- ", "* ", "[1]: ", "\\[1\\] ", "- [1] ", "\\bibitem{sm} ", ""])
def test_entries_are_marked_in_many_ways(marker: str) -> None:
    text = f"Proof.\n\n# References\n\n{marker}A. Smith, A title, 2019.\n"
    found = only(text)

    assert (found.kind, found.text) == (ENTRY, f"{marker}A. Smith, A title, 2019.")


def test_a_list_ends_with_the_next_heading_or_with_plain_text_after_marked_entries() -> None:
    entry = "- A. Smith, A title, 2019."
    for after in ("## Appendix\n\nSmith (2020)", "That is all, by Smith (2020)."):
        found = references(f"# References\n{entry}\n\n{after}\n")
        assert [(one.kind, one.key) for one in found] == [(ENTRY, entry.lower()), (AUTHOR_YEAR, "smith 2020")]


@pytest.mark.parametrize(
    "text",
    [
        "[1] First we count.\n[2] Then we stop.",
        "[1] A. Smith, Title (2019)\n\nThat is the proof.",
        "# References\n\n- short",
        "The references are many, as of 2019.",
        "[x] a task of 2019, done\n\nand more",
    ],
)
def test_numbered_lines_are_no_bibliography(text: str) -> None:
    assert references(text, ENTRY) == []


def test_an_entry_of_a_later_year_is_malformed() -> None:
    (found,) = references("# References\n[1] A. Smith, Title, J. Foo 12 (2031), 1-9.", ENTRY)

    assert found.malformed == "its year, 2031, is in the future"
