"""`uq-tui templates`: what runs would use, and a copy to start an override from."""

from pathlib import Path

import pytest

from prompts.loader import load_template, shipped_template, template_names
from tests.commands.conftest import Run, document


@pytest.fixture
def folder(home: Path) -> Path:
    """Where overrides stand."""
    made = home / "config" / "templates"
    made.mkdir(parents=True)
    return made


def test_plain_templates_lists_them_with_version_and_hash(run: Run) -> None:
    result = run("templates")
    assert result.exit_code == 0
    for name in template_names():
        template = shipped_template(name)
        row = next(line for line in result.stdout.splitlines() if line.startswith(f"{name} "))
        assert row.split()[1:5] == [template.version, template.sha256[:12], template.output, "no"]


def test_the_list_as_json(run: Run) -> None:
    found = {one["name"]: one for one in document(run("templates", "--json"))["templates"]}
    assert tuple(found) == template_names()
    assert found["reflect"] == {
        "name": "reflect",
        "version": "2",
        "purpose": shipped_template("reflect").purpose,
        "inputs": ["ending"],
        "output": "decision",
        "sha256": shipped_template("reflect").sha256,
        "overridden": False,
        "file": None,
        "problem": "",
    }


def test_a_template_is_shown_as_its_file(run: Run) -> None:
    assert run("templates", "show", "check.correctness").stdout == shipped_template("check.correctness").source


def test_what_is_shown_can_be_copied_as_an_override(run: Run, folder: Path) -> None:
    copy = run("templates", "show", "reflect").stdout.replace("Look at the material", "Look at all of it")
    (folder / "reflect.md").write_text(copy, encoding="utf-8")

    found = {one["name"]: one for one in document(run("templates", "list", "--json"))["templates"]}
    assert found["reflect"]["overridden"] is True
    assert found["reflect"]["file"] == str(folder / "reflect.md")
    assert found["reflect"]["sha256"] == load_template("reflect", folder).sha256
    assert run("templates", "show", "reflect").stdout == copy
    assert run("templates", "show", "reflect", "--shipped").stdout == shipped_template("reflect").source
    assert document(run("templates", "show", "reflect", "--json"))["source"] == copy
    assert document(run("templates", "show", "reflect", "--json", "--shipped"))["overridden"] is False


@pytest.mark.parametrize("content", [b"", b"no front matter", b"\xff"])
def test_what_is_shown_as_shipped_replaces_an_override_that_cannot_be_used(
    run: Run, folder: Path, content: bytes
) -> None:
    """As when a shell has emptied the file that the template is to go to."""
    (folder / "reflect.md").write_bytes(content)
    result = run("templates", "show", "reflect")
    assert result.exit_code == 3
    assert "uq-tui templates show reflect --shipped" in result.stderr

    copy = run("templates", "show", "reflect", "--shipped").stdout
    (folder / "reflect.md").write_text(copy, encoding="utf-8")
    assert run("templates", "show", "reflect").stdout == copy


def test_an_override_that_cannot_be_used_is_told_and_the_others_are_listed(run: Run, folder: Path) -> None:
    (folder / "reflect.md").write_text("no front matter", encoding="utf-8")
    (folder / "check.corectness.md").write_text("a slip", encoding="utf-8")

    result = run("templates")
    assert result.exit_code == 1
    assert "unusable" in next(line for line in result.stdout.splitlines() if line.startswith("reflect "))
    assert "check.correctness" in result.stdout
    assert "reflect.md: it must begin with a line +++" in result.stderr
    assert "check.corectness.md overrides nothing" in result.stderr

    found = run("templates", "--json")
    rows = {one["name"]: one for one in document(found)["templates"]}
    assert found.exit_code == 1
    assert (rows["reflect"]["version"], rows["reflect"]["sha256"], rows["reflect"]["overridden"]) == (None, None, True)
    assert "it must begin with a line +++" in rows["reflect"]["problem"]
    assert document(found)["unused"] == [str(folder / "check.corectness.md")]


def test_a_folder_in_the_place_of_an_override_is_told(run: Run, folder: Path) -> None:
    (folder / "reflect.md").mkdir()

    result = run("templates", "--json")
    rows = {one["name"]: one for one in document(result)["templates"]}
    assert result.exit_code == 1
    assert (rows["reflect"]["overridden"], rows["reflect"]["version"]) == (True, None)
    assert "reflect.md: it cannot be read: it is no file." in result.stderr
    assert run("templates", "show", "reflect").exit_code == 3


def test_an_override_with_the_tag_in_it_is_told_what_it_needs(run: Run, folder: Path) -> None:
    source = shipped_template("reflect").source.replace("ending", "tag")
    (folder / "reflect.md").write_text(source, encoding="utf-8")

    result = run("templates", "show", "reflect")
    assert result.exit_code == 3
    assert "its inputs lack ending; there is no input tag" in result.stderr
    assert "uq-tui templates show reflect --shipped" in result.stderr


def test_an_unknown_template_is_told_with_the_known_ones(run: Run) -> None:
    result = run("templates", "show", "reflct")
    assert result.exit_code == 3
    assert "'reflct'" in result.stderr
    assert "check.correctness" in result.stderr
