"""Identifiers: every way to write one, where it ends, and which can't exist."""

import pytest

from tests.citations.reading import keys, only, references, written
from uq_tui.citations.reference import ReferenceKind

DOI, ARXIV, ISBN = ReferenceKind.DOI, ReferenceKind.ARXIV, ReferenceKind.ISBN
MR, ZBL, URL = ReferenceKind.MR, ReferenceKind.ZBL, ReferenceKind.URL
WILEY = "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("see 10.1090/noti1380.", "10.1090/noti1380"),
        ("see doi:10.1090/NOTI1380, p. 4", "doi:10.1090/NOTI1380"),
        ("DOI: 10.1090/noti1380;", "DOI: 10.1090/noti1380"),
        ("doi 10.1090/noti1380", "doi 10.1090/noti1380"),
        ("(https://doi.org/10.1090/noti1380)", "https://doi.org/10.1090/noti1380"),
        ("http://dx.doi.org/10.1090/noti1380?x=1#y", "http://dx.doi.org/10.1090/noti1380"),
        ("<https://www.doi.org/10.1090/noti1380>", "https://www.doi.org/10.1090/noti1380"),
        ("https://doi.org/10.1090%2Fnoti1380", "https://doi.org/10.1090%2Fnoti1380"),
        ("doi.org/10.1090/noti1380", "doi.org/10.1090/noti1380"),
        ("[10.1090/noti1380]", "10.1090/noti1380"),
        ("**10.1090/noti1380**", "10.1090/noti1380"),
        ("`10.1090/noti1380`", "10.1090/noti1380"),
        ('<a href="https://doi.org/10.1090/noti1380">', "https://doi.org/10.1090/noti1380"),
        ("\\doi{10.1090/noti1380}", "doi{10.1090/noti1380"),
        ("| 10.1090/noti1380| x", "10.1090/noti1380"),
        ("“10.1090/noti1380”", "10.1090/noti1380"),
        ("info:doi/10.1090/noti1380", "info:doi/10.1090/noti1380"),
    ],
)
def test_a_doi_is_found_however_it_is_written(text: str, place: str) -> None:
    found = only(text)

    assert (found.kind, found.key, found.malformed) == (DOI, "10.1090/noti1380", "")
    assert written(text, found) == [place]


@pytest.mark.parametrize(
    "doi",
    [
        "10.1016/S0001-8708(99)91850-2",
        "10.1016/0003-4916(63)90046-x",
        "10.1890/0012-9658(2006)87[2445:TMFPA]2.0.CO;2",
        "10.1000.10/abc123",
        "10.1145/3292500.3330701",
        WILEY,
    ],
)
@pytest.mark.parametrize(("before", "after"), [("", "."), ("(", ")."), ("[see ", "];"), ("[x](https://doi.org/", ")")])
def test_a_doi_keeps_its_own_brackets_and_no_others(doi: str, before: str, after: str) -> None:
    assert keys(f"{before}{doi}{after}", DOI) == [doi.lower()]


def test_a_doi_that_is_written_twice_is_one_reference() -> None:
    text = "[10.1000/ABCD](https://doi.org/10.1000/abcd), doi:10.1000/abc\\_d, doi:10.1000/abc_d"
    first, second = references(text)

    assert written(text, first) == ["10.1000/ABCD", "https://doi.org/10.1000/abcd"]
    assert written(text, second) == ["doi:10.1000/abc\\_d", "doi:10.1000/abc_d"]


@pytest.mark.parametrize(
    "text",
    [
        "10.1234/5.2 = 3",
        "10.1234/x",
        "x = 10.5/2",
        "110.1234/abcd",
        "v10.1234/abcd",
        "10.1234 / abcd",
        "1.10.1234/abcd",
    ],
)
def test_a_quotient_is_no_doi(text: str) -> None:
    assert references(text) == []


@pytest.mark.parametrize("doi", ["11.1000/abcd", "10.123/abcd", "10.0123/abcd", "10.1234567890/abcd"])
def test_a_doi_without_a_prefix_of_dois_is_malformed_where_it_is_called_one(doi: str) -> None:
    assert only(f"doi:{doi}").malformed.startswith("a DOI begins with 10.")
    assert references(doi) == []


@pytest.mark.parametrize(
    ("text", "key", "place"),
    [
        ("arXiv:2602.06291v1.", "2602.06291", "arXiv:2602.06291v1"),
        ("arXiv: 0706.1234 [math.AG]", "0706.1234", "arXiv: 0706.1234"),
        ("arxiv 1501.00001,", "1501.00001", "arxiv 1501.00001"),
        ("https://arxiv.org/abs/1901.00001v12)", "1901.00001", "https://arxiv.org/abs/1901.00001v12"),
        ("http://www.arxiv.org/pdf/1901.00001.pdf", "1901.00001", "http://www.arxiv.org/pdf/1901.00001.pdf"),
        ("https://arxiv.org/ftp/arxiv/papers/1708/1708.03530.pdf", "1708.03530", ""),
        ("export.arxiv.org/abs/1901.00001", "1901.00001", "export.arxiv.org/abs/1901.00001"),
        ("https://ar5iv.labs.arxiv.org/html/1901.00001", "1901.00001", ""),
        ("arXiv:math/0211159", "math/0211159", "arXiv:math/0211159"),
        ("math.DG/0211159v1", "math/0211159", "math.DG/0211159v1"),
        ("hep-th/9901001;", "hep-th/9901001", "hep-th/9901001"),
        ("https://arxiv.org/abs/quant-ph/0606140v4", "quant-ph/0606140", ""),
    ],
)
def test_an_arxiv_id_is_found_however_it_is_written(text: str, key: str, place: str) -> None:
    found = only(text)

    assert (found.kind, found.key, found.malformed) == (ARXIV, key, "")
    assert written(text, found) == [place or text]


@pytest.mark.parametrize(
    "text", ["1901.00001", "x = 1901.00001", "foo/0211159", "src/math/0211159", "arXiv:1901", "math/12"]
)
def test_a_number_alone_is_no_arxiv_id(text: str) -> None:
    assert references(text, ARXIV) == []


@pytest.mark.parametrize(
    ("arxiv_id", "problem"),
    [
        ("1913.00001", "no month 13"),
        ("1900.00001", "no month 00"),
        ("0703.0001", "begin in April 2007"),
        ("2612.00001", "its month, 2026-12, is in the future"),
        ("9901.00001", "its month, 2099-01, is in the future"),
        ("1412.12345", "have 4 digits"),
        ("1501.1234", "have 5 digits"),
        ("1901.123456", "have 5 digits"),
        ("1901.00000", "begin with 1"),
        ("1901.00001v0", "no version 0"),
        ("foo/0211159", "never had an archive foo"),
        ("math/021115", "have 7 digits"),
        ("math/0213159", "no month 13"),
        ("math/0704001", "July 1991 to March 2007"),
        ("math/9106001", "July 1991 to March 2007"),
        ("math/0211000", "begin with 1"),
    ],
)
def test_an_arxiv_id_that_no_paper_can_have_is_malformed(arxiv_id: str, problem: str) -> None:
    assert problem in only(f"arXiv:{arxiv_id}").malformed


@pytest.mark.parametrize(
    "arxiv_id", ["0704.0001", "1412.9999", "1501.00001", "2611.99999", "math/9107001", "math/0703999"]
)
def test_the_first_and_last_ids_of_each_form_are_sound(arxiv_id: str) -> None:
    assert only(f"arXiv:{arxiv_id}").malformed == ""


@pytest.mark.parametrize(
    "text",
    [
        "ISBN 0-387-90244-9",
        "ISBN: 0387902449",
        "ISBN-10: 0-387-90244-9, 1977",
        "ISBN-13: 978-0-387-90244-9",
        "ISBN (13) 978 0 387 90244 9",
        "ISBN 0-387-90244-9 1977",
        "isbn 978–0–387–90244–9",
    ],
)
def test_an_isbn_is_one_with_10_digits_and_with_13(text: str) -> None:
    found = only(text)

    assert (found.kind, found.key, found.malformed) == (ISBN, "9780387902449", "")


def test_the_check_digit_can_be_an_x() -> None:
    assert (only("ISBN 0-8044-2957-X").key, only("ISBN 0-8044-2957-x").malformed) == ("9780804429573", "")


@pytest.mark.parametrize(
    ("isbn", "problem"),
    [
        ("0-387-90244-8", "its check digit is wrong"),
        ("978-0-387-90244-8", "its check digit is wrong"),
        ("977-0-387-90244-9", "begins with 978 or 979"),
        ("0-387-90244-91", "10 or 13 digits, not 11"),
        ("038790244", "10 or 13 digits, not 9"),
    ],
)
def test_an_isbn_that_adds_up_to_nothing_is_malformed(isbn: str, problem: str) -> None:
    assert problem in only(f"ISBN {isbn}").malformed


def test_a_number_is_no_isbn_without_the_word() -> None:
    assert references("0-387-90244-9, call 978-0-387-90244-9") == []


@pytest.mark.parametrize(
    ("text", "kind", "key"),
    [
        ("MR0463157", MR, "MR0463157"),
        ("MR 463157", MR, "MR0463157"),
        ("(MR-0463157)", MR, "MR0463157"),
        ("Zbl 0367.14001.", ZBL, "zbl 0367.14001"),
        ("Zbl: 367.14001", ZBL, "zbl 367.14001"),
        ("JFM 12.0123.01", ZBL, "jfm 12.0123.01"),
    ],
)
def test_numbers_of_reviews(text: str, kind: ReferenceKind, key: str) -> None:
    found = only(text)

    assert (found.kind, found.key, found.malformed) == (kind, key, "")


@pytest.mark.parametrize("text", ["MR12345678", "Zbl 0367.1", "Zbl 12345.14001", "JFM 1234.56789"])
def test_numbers_of_reviews_of_another_form_are_malformed(text: str) -> None:
    assert only(text).malformed.startswith("numbers of ")


@pytest.mark.parametrize("text", ["MR1", "MRI12345", "HMR123456", "Zbl 5", "MR123456.5", "Mr 123456"])
def test_other_words_with_numbers_are_no_reviews(text: str) -> None:
    assert references(text) == []


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("https://Example.org/a/b/.", "example.org/a/b"),
        ("http://www.example.org/a/b", "example.org/a/b"),
        ("www.example.org/a/b", "example.org/a/b"),
        ("https://example.org/a/b#part", "example.org/a/b"),
        ("(https://en.wikipedia.org/wiki/Ring_(mathematics))", "en.wikipedia.org/wiki/Ring_(mathematics)"),
        ("[a](https://example.org/x?a=1&amp;b=2)", "example.org/x?a=1&b=2"),
        ("\\url{https://example.org/a\\_b}", "example.org/a_b"),
        ("https://mathoverflow.net/questions/123/a-title", "mathoverflow.net/questions/123"),
        ("mathoverflow.net/q/123", "mathoverflow.net/questions/123"),
        ("https://math.stackexchange.com/a/55", "math.stackexchange.com/a/55"),
        ("https://math.stackexchange.com/questions/44/a-title/55#55", "math.stackexchange.com/a/55"),
        ("http://192.168.0.1:80/x", "192.168.0.1:80/x"),
    ],
)
def test_an_address_is_found_however_it_is_written(text: str, key: str) -> None:
    found = only(text)

    assert (found.kind, found.key, found.malformed) == (URL, key, "")


@pytest.mark.parametrize("text", ["http://localhost/x", "https://[::1/x", "http://example.org:99999/", "https://-"])
def test_an_address_without_a_domain_is_malformed(text: str) -> None:
    assert all(one.malformed for one in references(text))


def test_an_address_that_holds_another_identifier_is_that_or_the_address_but_not_both() -> None:
    text = "https://arxiv.org/abs/1901.00001 https://link.example.com/article/10.1007/s00222-019-00874-5"

    assert [one.kind for one in references(text)] == [ARXIV, URL]


def test_a_long_token_ends_somewhere() -> None:
    text = f"https://example.org/{'a' * 5_000}"
    found = only(text)

    assert len(found.text) == len("https://") + 400
