"""Thresholds are read strictly, and the shipped ones are those that were published."""

import pytest

from uq_tui.curation.thresholds import default_toml, parse
from uq_tui.errors import ConfigError

PUBLISHED = parse(default_toml())
LINE_OF_VOTES = 1 + [line.split(" ")[0] for line in default_toml().splitlines()].index("votes")


def changed(old: str, new: str) -> str:
    assert old in default_toml()
    return default_toml().replace(old, new)


def test_the_shipped_ones_are_the_published_ones() -> None:
    rules, model = PUBLISHED.rules.general, PUBLISHED.model
    assert (rules.age_days, rules.views, rules.votes, rules.views_per_vote) == (730, 500, 5, 5000)
    assert rules.top_share == 0.1
    assert (model.temperature, model.ratings, model.answer_correctness, model.expert_solvability) == (0.3, 3, 40, 70)


@pytest.mark.parametrize(
    ("site", "votes", "views"),
    [
        ("x.stackexchange.com", 50, 1000),
        ("cstheory", 20, 500),
        ("math.stackexchange.com", 75, 2000),
        ("mathoverflow", 50, 2000),
        ("physics", 20, 500),
        ("puzzling", 20, 1000),
        ("scifi", 30, 500),
        ("https://stackoverflow.com/", 50, 2000),
        ("tex", 20, 500),
    ],
)
def test_the_diamond_subset_has_thresholds_of_eight_sites(site: str, votes: int, views: int) -> None:
    found = PUBLISHED.diamond.of(site)
    assert (found.votes, found.views, found.top_share, found.age_days) == (votes, views, 0.05, 730)
    assert found.tags is PUBLISHED.rules.general.tags


def test_a_site_is_one_in_any_spelling() -> None:
    """filters.py:203-220 has checks for `stackoverflow` that `stackoverflow.com` goes without."""
    found = parse(default_toml() + "\n[rules.sites.stackoverflow]\nvotes = 17\n").rules
    assert [found.of(site).votes for site in ("stackoverflow", "stackoverflow.com", "superuser.com")] == [17, 17, 5]
    assert found.of("stackoverflow").views == found.general.views


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (changed("votes = 5 ", "votes = 0 "), f"line {LINE_OF_VOTES}: rules.votes must be a whole number from 1"),
        (changed("votes = 5 ", "votes = true "), "rules.votes must be a whole number"),
        (changed("views = 500 ", "views = 500.0 "), "rules.views must be a whole number"),
        (changed("top_share = 0.10 ", "top_share = 0 "), "rules.top_share must be a number above 0 up to 1"),
        (changed("top_share = 0.10 ", "top_share = nan "), "rules.top_share must be"),
        (changed("no_why = true", "no_whi = true"), "rules.no_whi is no key that is known here"),
        (changed("no_why = true", "no_whi = true"), "rules.no_why is missing"),
        (changed("least_ratings = 2", "least_ratings = 4"), "model.least_ratings must be at most ratings, which is 3"),
        (changed('"discussion", ', '"*discussion*", '), "rules.tags can't be read: '*discussion*' is no pattern"),
        (default_toml() + '\n[rules.sites."not a site"]\nvotes = 1', "rules.sites.'not a site' is no site"),
        (default_toml() + "\n[diamond.sites.math]\n", "is math.stackexchange.com, which has a table already"),
        (default_toml() + "\n[extra]\n", "extra is no key"),
        ("rules = 1", "rules must be a table; model is missing; diamond is missing"),
        ("[rules", "this is not TOML"),
        ("a = " + "[" * 10_000, "nested too deeply"),
        ("a = " + "9" * 5_000, "this is not TOML"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse(text, "mine.toml")
    assert said in caught.value.message
    assert caught.value.message.startswith("mine.toml: ")
