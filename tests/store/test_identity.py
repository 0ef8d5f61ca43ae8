"""Identifiers that two people compute alike."""

import hashlib
import json
import uuid
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.identity import (
    candidate_id,
    canonical_host,
    neighbour_id,
    now,
    post_of_link,
    question_id_for_post,
    question_id_for_text,
    text_sha256,
    uuid7,
)
from tests.shared import shared_file

any_text = st.text(st.characters())
"""Any code points, lone surrogates included."""

hosts = st.sampled_from(["math.stackexchange.com", "mathoverflow.net", "stackoverflow.com", "ja.stackoverflow.com"])
post_ids = st.integers(min_value=1, max_value=10**12)


@pytest.mark.parametrize(
    ("spelling", "host"),
    [
        ("math.stackexchange.com", "math.stackexchange.com"),
        ("WWW.Math.StackExchange.com.", "math.stackexchange.com"),
        ("https://math.stackexchange.com/questions/1", "math.stackexchange.com"),
        ("math.stackexchange.com:443", "math.stackexchange.com"),
        ("math", "math.stackexchange.com"),
        ("math.meta", "math.meta.stackexchange.com"),
        ("meta.math.stackexchange.com", "math.meta.stackexchange.com"),
        ("meta", "meta.stackexchange.com"),
        ("stackoverflow", "stackoverflow.com"),
        ("ja.stackoverflow", "ja.stackoverflow.com"),
        ("mathoverflow", "mathoverflow.net"),
        ("mathoverflow.com", "mathoverflow.net"),
        ("www.example.org", "example.org"),
        ("www", ""),
        ("www.www.", ""),
        ("wwwx", "wwwx.stackexchange.com"),
        ("meta.www.stackexchange.com", "meta.stackexchange.com"),
        ("", ""),
        ("not a host", ""),
        ("-", ""),
        ("a..b", ""),
        ("http://[::1", ""),
    ],
)
def test_hosts_have_one_spelling(spelling: str, host: str) -> None:
    assert canonical_host(spelling) == host


@given(st.text())
def test_a_canonical_host_stays_as_it_is(name: str) -> None:
    host = canonical_host(name)
    assert canonical_host(host) == host


@given(
    st.lists(
        st.sampled_from(("www", "meta", "math", "stackoverflow", "stackexchange", "com", ".", "-", ":", "/")),
        max_size=9,
    ).map("".join)
)
def test_a_canonical_host_stays_as_it_is_near_hosts(name: str) -> None:
    host = canonical_host(name)
    assert canonical_host(host) == host


@pytest.mark.shared
def test_short_names_of_all_sites_lead_to_their_hosts() -> None:
    lines = shared_file("data/uq-crawler-sites/sites.jsonl").read_text(encoding="utf-8").splitlines()
    sites = [json.loads(line) for line in lines]
    assert len(sites) > 300
    for site in sites:
        assert canonical_host(site["api_site_parameter"]) == canonical_host(site["site_url"]) != ""


@pytest.mark.parametrize(
    "link",
    [
        "https://math.stackexchange.com/questions/2087/some-title",
        "http://math.stackexchange.com/questions/2087",
        "https://math.stackexchange.com/q/2087",
        "https://math.stackexchange.com/q/2087/99",
        "//math.stackexchange.com/q/2087",
        "math.stackexchange.com/q/2087?s=1#2090",
        "https://math.stackexchange.com/questions/2087/some-title/3000#3000",
        "https://www.math.stackexchange.com:443/questions/002087",
        "  https://math.stackexchange.com/q/2087\n",
    ],
)
def test_links_to_one_post_have_one_id(link: str) -> None:
    post = post_of_link(link)
    assert post == ("math.stackexchange.com", 2087)
    assert question_id_for_post(*post) == "math.stackexchange.com:2087"


@pytest.mark.parametrize(
    "link",
    [
        "",
        "https://math.stackexchange.com/a/2087",
        "https://math.stackexchange.com/questions/tagged/algebra",
        "https://math.stackexchange.com/questions/12x",
        "https://math.stackexchange.com/questions/" + "9" * 19,
        "ftp://math.stackexchange.com/questions/1",
        "https:///questions/1",
        "https://[half/questions/1",
        "javascript:alert(1)",
    ],
)
def test_other_links_name_no_post(link: str) -> None:
    assert post_of_link(link) is None


@given(hosts, post_ids, st.sampled_from(["questions", "q"]), st.sampled_from(["", "/", "/slug", "?a=b", "#c"]))
def test_links_and_posts_agree(host: str, post_id: int, path: str, rest: str) -> None:
    assert post_of_link(f"https://{host}/{path}/{post_id}{rest}") == (host, post_id)


@given(hosts, post_ids)
def test_a_number_and_its_digits_are_one_post(host: str, post_id: int) -> None:
    assert question_id_for_post(host, post_id) == question_id_for_post(host.upper(), f" 00{post_id} ")


@pytest.mark.parametrize(
    ("host", "post_id"), [("", 1), ("no host", 1), ("math", -1), ("math", "12a"), ("math", ""), ("math", "9" * 19)]
)
def test_what_is_no_post_has_no_id(host: str, post_id: int | str) -> None:
    with pytest.raises(ValueError, match="is no"):
        question_id_for_post(host, post_id)


@given(any_text)
def test_every_text_has_a_hash(text: str) -> None:
    assert text_sha256(text) == hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def test_a_statement_is_named_by_its_source_and_hash() -> None:
    digest = hashlib.sha256(b"Is it so?").hexdigest()
    assert question_id_for_text("source", "Is it so?") == f"source:{digest[:16]}"


@given(any_text, any_text)
def test_what_a_candidate_and_a_neighbour_consist_of_makes_their_id(first: str, second: str) -> None:
    joined = f"{first}\0{second}".encode("utf-8", "surrogatepass")
    assert candidate_id(first, second) == neighbour_id(first, second) == hashlib.sha256(joined).hexdigest()


def test_random_ids_are_version_7_and_differ() -> None:
    made = [uuid7() for _ in range(1000)]
    assert len(set(made)) == 1000
    for text in made:
        assert uuid.UUID(text).version == 7
        assert uuid.UUID(text).variant == uuid.RFC_4122


def test_random_ids_begin_with_the_time() -> None:
    before = datetime.fromisoformat(now()).timestamp() * 1000
    milliseconds = uuid.UUID(uuid7()).int >> 80
    after = datetime.fromisoformat(now()).timestamp() * 1000
    assert before - 1 <= milliseconds <= after + 1


def test_times_are_utc_in_one_width_and_in_order() -> None:
    times = [now() for _ in range(50)]
    assert times == sorted(times)
    assert {len(time) for time in times} == {len("2026-11-29T20:45:00.123456Z")}
    assert all(time.endswith("Z") for time in times)
