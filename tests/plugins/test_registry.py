"""Which plug-ins count as installed."""

import site
import subprocess
import sys
from pathlib import Path

import pytest

from tests.plugins.site_packages import make_environment, write_distribution
from uq_tui.errors import PluginError
from uq_tui.plugins import registry
from uq_tui.plugins.spec import CITATION_CHECKERS, PluginInfo

EXPLODES = "raise SystemExit('imported')\n"


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only site-packages folder there is."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    monkeypatch.setattr(site, "getsitepackages", lambda: [str(folder)])
    monkeypatch.setattr(site, "ENABLE_USER_SITE", False)
    monkeypatch.syspath_prepend(str(folder))
    return folder


def test_our_own_is_installed() -> None:
    assert "numeric_identity" in [one.name for one in registry.installed()]


def test_plugins_are_listed_by_name_and_not_imported(packages: Path) -> None:
    write_distribution(packages, "later", {"zeta": "later:Z"}, summary="About zeta.", code=EXPLODES)
    write_distribution(packages, "Early_Bird", {"alpha": "Early_Bird:A"}, version="2.1", code=EXPLODES)

    assert registry.installed() == (
        PluginInfo("alpha", "early-bird", "2.1", "", "uq_tui.validators"),
        PluginInfo("zeta", "later", "1.0", "About zeta.", "uq_tui.validators"),
    )


def test_groups_are_apart(packages: Path) -> None:
    write_distribution(packages, "looker", {"crossref": "looker:L"}, group=CITATION_CHECKERS)

    assert registry.installed() == ()
    assert registry.find("crossref", CITATION_CHECKERS).package == "looker"


def test_one_name_in_two_packages_names_both(packages: Path) -> None:
    write_distribution(packages, "one", {"units": "one:A"})
    write_distribution(packages, "two", {"units": "two:A"})

    (info,) = registry.installed()
    assert "one and two" in info.problem
    with pytest.raises(PluginError, match="one and two"):
        registry.find("units")


@pytest.mark.parametrize("name", ["Units", "1st", "a b", "uni.ts", "x" * 65])
def test_a_malformed_name_is_a_problem(packages: Path, name: str) -> None:
    write_distribution(packages, "odd", {name: "odd:A"})

    (info,) = registry.installed()
    assert "lower-case" in info.problem
    with pytest.raises(PluginError, match="can't be used"):
        registry.find(name)


def test_an_unknown_name_is_told_with_what_is_installed(packages: Path) -> None:
    write_distribution(packages, "one", {"units": "one:A"})

    with pytest.raises(PluginError, match="'unit'") as caught:
        registry.find("unit")
    assert caught.value.hint == "Installed are: units."


def test_a_distribution_that_is_installed_twice_counts_once(
    packages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    second = tmp_path / "user-packages"
    write_distribution(packages, "one", {"units": "one:A"}, version="2.0")
    write_distribution(second, "one", {"units": "one:A"}, version="1.0")
    monkeypatch.setattr(site, "getsitepackages", lambda: [str(packages), str(second)])
    sys.path.append(str(second))

    assert [(one.version, one.problem) for one in registry.installed()] == [("2.0", "")]


def test_a_folder_that_is_no_site_packages_is_no_place(packages: Path, tmp_path: Path) -> None:
    planted = tmp_path / "planted"
    write_distribution(planted, "stranger", {"units": "stranger:A"})
    sys.path.insert(0, str(planted))

    assert registry.installed() == ()


LIST = "from uq_tui.plugins import registry; print([one.name for one in registry.installed()])"


def test_neither_the_current_folder_nor_pythonpath_is_a_place(tmp_path: Path) -> None:
    python, packages = make_environment(tmp_path / "environment")
    hostile = tmp_path / "hostile"
    write_distribution(packages, "good", {"good": "good:A"})
    write_distribution(hostile, "stranger", {"planted": "stranger:A"}, code=EXPLODES)

    done = subprocess.run(
        [str(python), "-c", LIST],
        cwd=hostile,
        env={"PYTHONPATH": str(hostile)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.strip() == "['good']"
