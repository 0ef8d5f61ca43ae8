"""Reviewers on the command line."""

import json

from tests.commands.conftest import QUESTION, Desk, Run, document


def test_the_user_of_the_system_sits_here_at_first(uq: Run, desk: Desk) -> None:
    (found,) = document(uq("reviewer", "--json"))["reviewers"]
    assert (found["handle"], found["sits_here"]) == ("tester", True)
    shown = uq("reviewer")
    assert "tester" in shown.stdout
    assert "sits here" in shown.stdout
    assert "1 reviewer" in shown.stderr


def test_another_one_can_be_added_changed_and_seated(uq: Run, desk: Desk) -> None:
    made = document(
        uq(
            "reviewer",
            "new",
            "ada",
            "--orcid",
            "https://orcid.org/0000-0002-1825-0097",
            "--expertise",
            "a, b",
            "--json",
        )
    )
    assert (made["handle"], made["orcid"], made["expertise"]) == ("ada", "0000-0002-1825-0097", ["a", "b"])
    assert document(uq("reviewer", "show", "--json"))["handle"] == "tester"
    uq("reviewer", "edit", "ada", "--affiliation", "ETH\x1b[2J", "--expertise", "")
    shown = uq("reviewer", "show", made["id"][:20])
    assert shown.stdout.startswith("ada, ETH␛[2J, ORCID 0000-0002-1825-0097\n")
    uq("reviewer", "use", "ada")
    given = document(uq("verdict", "give", desk.right, "--label", "correct", "--json"))
    assert given["reviewer"]["handle"] == "ada"
    assert given["reviewer"]["affiliation"] == "ETH␛[2J"


def test_linked_ids_stand_in_rows(uq: Run, desk: Desk) -> None:
    uq("reviewer", "link", "me", "elsewhere")
    assert document(uq("reviewer", "show", "--json"))["linked"] == ["elsewhere"]
    given = document(uq("verdict", "give", desk.right, "--label", "correct", "--json"))
    assert given["reviewer"]["linked_ids"] == ["elsewhere"]


def test_what_can_not_be_done_is_told_and_changes_nothing(uq: Run, desk: Desk) -> None:
    before = uq("reviewer", "--json").stdout
    for arguments, said, code in (
        (("new", "tester"), "Another reviewer here is called", 3),
        (("new", "ada", "--orcid", "0000-0002-1825-0098"), "no ORCID iD", 3),
        (("new", " "), "needs a public name", 3),
        (("edit", "me"), "Say what to change", 2),
        (("use", "nobody at all"), "No reviewer here is called “nobody at all”", 3),
        (("use", "Ann"), "`uq-tui reviewer new` adds one", 3),
        (("link", "me", "tester"), "", 0),
    ):
        result = uq("reviewer", *arguments)
        assert result.exit_code == code, arguments
        assert said in result.stderr
        if code:
            assert uq("reviewer", "--json").stdout == before


def test_a_relation_is_kept(uq: Run, desk: Desk) -> None:
    assert "nothing said" in uq("reviewer", "relation", QUESTION).stdout
    uq("reviewer", "relation", QUESTION, "original_poster")
    assert document(uq("reviewer", "relation", QUESTION, "--json"))["relation"] == "original_poster"
    assert uq("reviewer", "relation", "nowhere:1", "other").exit_code == 3
    assert json.loads(uq("reviewer", "relation", "nowhere:1", "--json").stdout)["error"]["title"] == "Not found"
