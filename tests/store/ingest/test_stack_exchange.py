"""What holds for all sites of the network."""

import json
from pathlib import Path

import pytest

from store.identity import canonical_host
from store.ingest.stack_exchange import checked_site, host_named, is_network_host, licence_at
from tests.shared import shared_file
from uq_tui.errors import ImportFileError


@pytest.mark.parametrize(
    ("asked_at", "licence"),
    [
        ("2008-09-15T00:00:00.000Z", "CC BY-SA 2.5"),
        ("2011-04-07T23:59:59.999Z", "CC BY-SA 2.5"),
        ("2011-04-08T00:00:00.000Z", "CC BY-SA 3.0"),
        ("2018-05-01T23:59:59.999Z", "CC BY-SA 3.0"),
        ("2018-05-02T00:00:00.000Z", "CC BY-SA 4.0"),
        ("2026-01-01T00:00:00.000Z", "CC BY-SA 4.0"),
        (None, "CC BY-SA"),
    ],
)
def test_the_licence_goes_by_the_date(asked_at: str | None, licence: str) -> None:
    assert licence_at(asked_at) == licence


@pytest.mark.parametrize(
    ("path", "host"),
    [
        ("/dumps/math.stackexchange.com/Posts.xml", "math.stackexchange.com"),
        ("/dumps/Math.StackExchange.com_2024/Posts.xml", "math.stackexchange.com"),
        ("/dumps/stackoverflow.com-Posts/Posts.xml", "stackoverflow.com"),
        ("/dumps/ja.stackoverflow.com/Posts.xml", "ja.stackoverflow.com"),
        ("/dumps/math.meta.stackexchange.com/Posts.xml", "math.meta.stackexchange.com"),
        ("/dumps/meta.math.stackexchange.com/Posts.xml", None),
        ("/dumps/mathoverflow.net/x/y/Posts.xml", "mathoverflow.net"),
        ("/dumps/math.stackexchange.com/physics.stackexchange.com/Posts.xml", "physics.stackexchange.com"),
        ("/dumps/math.stackexchange.com and physics.stackexchange.com/Posts.xml", None),
        ("/dumps/math/Posts.xml", None),
        ("/dumps/se-dump-quantumcomputing-2018/Posts.xml", None),
        ("/dumps/notstackoverflow.com/Posts.xml", None),
        ("/Posts.xml", None),
    ],
)
def test_a_folder_may_name_the_host(path: str, host: str | None) -> None:
    found = host_named(Path(path))
    assert (found[0] if found else None) == host


def test_the_folder_that_names_the_host_is_told() -> None:
    assert host_named(Path("/d/stackoverflow.com-Posts/x/Posts.xml")) == (
        "stackoverflow.com",
        "stackoverflow.com-Posts",
    )


def test_sites_are_checked() -> None:
    assert checked_site("") == ""
    assert checked_site("Math") == "math.stackexchange.com"
    with pytest.raises(ImportFileError, match="'no site' is not a site"):
        checked_site("no site")


@pytest.mark.parametrize("host", ["example.org", "mystackexchange.com", "stackoverflow.com.evil.org", ""])
def test_other_hosts_are_not_of_the_network(host: str) -> None:
    assert not is_network_host(host)


@pytest.mark.shared
def test_all_sites_are_of_the_network_and_found_in_folder_names() -> None:
    lines = shared_file("data/uq-crawler-sites/sites.jsonl").read_text(encoding="utf-8").splitlines()
    for line in lines:
        host = canonical_host(json.loads(line)["site_url"])
        assert is_network_host(host)
        found = host_named(Path(f"/dumps/{host}/Posts.xml"))
        assert found is not None
        assert found[0] == host
