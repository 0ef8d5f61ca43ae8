"""Sites of the network: their facts against the crawler's own list, and what is said where nothing is known."""

import html
import json

import pytest

from store import sites
from tests.shared import shared_file
from uq_tui.words import PostingRule

_SURVIVING = {
    "Science": 18,
    "Technology": 11,
    "Culture & Recreation": 4,
    "Life & Arts": 1,
    "Business": 1,
}
"""How many sites of each domain have questions in UQ-Dataset (UQ, Table S1): 35."""


def test_every_site_of_the_crawlers_list_is_known_by_its_name() -> None:
    listed = {}
    for line in shared_file("data/uq-crawler-sites/sites.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        listed[row["site_url"].removeprefix("https://")] = html.unescape(row["name"]).replace("\N{REGISTERED SIGN}", "")
    assert len(listed) == 364
    main = {host: name for host, name in listed.items() if ".meta." not in host and not host.startswith("meta.")}
    assert {host: sites.name_of(host) for host in sites.hosts()} == main
    assert len(main) == 182


def test_sites_of_the_paper_have_its_domains() -> None:
    counted = dict.fromkeys(sites.DOMAINS, 0)
    for group in sites.groups():
        if group.source == "paper":
            counted[group.domain] += len(group.names)
    assert counted == _SURVIVING


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("math.stackexchange.com", "Science"),
        ("https://meta.math.stackexchange.com/questions/1", "Science"),
        ("mathoverflow.com", "Science"),
        ("space", "Technology"),
        ("pm.stackexchange.com", ""),
        ("arxiv.org", ""),
        ("", ""),
    ],
)
def test_a_domain_is_found_by_any_spelling(host: str, domain: str) -> None:
    assert sites.domain_of(host) == domain


def test_every_domain_is_one_of_the_five_or_unknown() -> None:
    assert {sites.domain_of(host) for host in sites.hosts()} == {*sites.DOMAINS, ""}


@pytest.mark.parametrize(
    ("host", "rule"),
    [
        ("math.stackexchange.com", PostingRule.FORBIDDEN),
        ("stackoverflow.com", PostingRule.FORBIDDEN),
        ("math.meta.stackexchange.com", PostingRule.FORBIDDEN),
        ("mathoverflow.net", PostingRule.MAY_BE_DELETED),
        ("physics", PostingRule.WITH_REFERENCE),
        ("chess.stackexchange.com", PostingRule.UNKNOWN),
        ("arxiv.org", PostingRule.UNKNOWN),
    ],
)
def test_a_policy_is_known_or_said_to_be_unknown(host: str, rule: PostingRule) -> None:
    policy = sites.policy_of(host)
    assert policy.rule is rule
    assert ("look before posting" in policy.text) is (rule is PostingRule.UNKNOWN)


def test_what_is_known_has_a_source_and_the_sites_own_page() -> None:
    for host in sites.hosts():
        policy = sites.policy_of(host)
        assert policy.source
        assert policy.look_at == f"https://{host}/help/gen-ai-policy"
    assert sites.policy_of("arxiv.org").source == sites.policy_of("arxiv.org").look_at == ""


def test_a_site_that_is_not_known_goes_by_its_host() -> None:
    assert sites.name_of("arxiv.org") == "arxiv.org"
    assert sites.name_of("math.meta") == "Mathematics Meta"
