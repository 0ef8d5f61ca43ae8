"""Which plug-ins are installed, read from the metadata of distributions; none is imported for it.

Only distributions in a site-packages folder of this Python count. The current folder, PYTHONPATH and folders that a
program adds to its path are no place for plug-ins: whoever can write there must not get code to run. An editable
install counts, since its metadata lie in site-packages and somebody installed it.
"""

import re
import site
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, EntryPoint, distributions
from pathlib import Path

from uq_tui.errors import PluginError
from uq_tui.plugins.spec import VALIDATORS, PluginInfo

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,63}")
_LONGEST = 200
"""Characters of a summary or of a malformed name that are kept."""


def installed(group: str = VALIDATORS) -> tuple[PluginInfo, ...]:
    """The plug-ins of a group by name, those with a problem too.

    Reads the metadata of every distribution, which takes about 0.1 s.
    """
    found: dict[str, list[PluginInfo]] = {}
    for distribution, entry in _entries(group):
        found.setdefault(entry.name, []).append(_described(distribution, entry))
    return tuple(_only(found[name]) for name in sorted(found))


def find(name: str, group: str = VALIDATORS) -> PluginInfo:
    """The plug-in of that name.

    Raises:
        PluginError: it isn't installed, or has a problem.
    """
    all_of_group = installed(group)
    info = next((one for one in all_of_group if one.name == name), None)
    if info is None:
        usable = ", ".join(one.name for one in all_of_group if not one.problem)
        raise PluginError(
            f"No plug-in named {name[:_LONGEST]!a} is installed in the group {group}.",
            hint=f"Installed are: {usable}." if usable else "None is installed in this group.",
        )
    if info.problem:
        raise PluginError(
            f"The plug-in {info.name[:_LONGEST]!a} can't be used: {info.problem}",
            hint="Uninstall one of the packages, or install a corrected one.",
        )
    return info


def load(name: str, group: str) -> object:
    """Import a plug-in and return what its entry point names; a class is made without arguments.

    This runs the plug-in's code, so only the limited child process may call it.

    Raises:
        PluginError: as `find`. Whatever the import raises comes through.
    """
    find(name, group)
    loaded: object = next(entry for _, entry in _entries(group) if entry.name == name).load()
    return loaded() if isinstance(loaded, type) else loaded


def site_folders() -> tuple[str, ...]:
    """The site-packages folders of this Python that are on its path, in the order of the path."""
    places = site.getsitepackages()
    if site.ENABLE_USER_SITE:
        places.append(site.getusersitepackages())
    real = {Path(place).resolve() for place in places}
    return tuple(folder for folder in sys.path if folder and Path(folder).resolve() in real)


def _entries(group: str) -> Iterator[tuple[Distribution, EntryPoint]]:
    """Each entry point with its distribution. Of one that is installed twice the first counts, as for imports."""
    seen: set[str] = set()
    for distribution in distributions(path=list(site_folders())):
        package = _package(distribution)
        if package in seen:
            continue
        seen.add(package)
        for entry in distribution.entry_points:
            if entry.group == group:
                yield distribution, entry


def _package(distribution: Distribution) -> str:
    """The distribution's name in its normal form; damaged metadata may have none."""
    return re.sub(r"[-_.]+", "-", _field(distribution, "Name") or "unnamed").lower()


def _field(distribution: Distribution, name: str) -> str:
    return str(distribution.metadata[name]) if name in distribution.metadata else ""


def _described(distribution: Distribution, entry: EntryPoint) -> PluginInfo:
    problem = ""
    if not _NAME.fullmatch(entry.name):
        problem = "its name is not a lower-case letter and up to 63 more of them, digits, - and _."
    elif not entry.value.strip():
        problem = "its entry point names nothing."
    return PluginInfo(
        name=entry.name,
        package=_package(distribution),
        version=_field(distribution, "Version") or "unknown",
        summary=_field(distribution, "Summary")[:_LONGEST],
        group=entry.group,
        problem=problem,
    )


def _only(claims: list[PluginInfo]) -> PluginInfo:
    """The one plug-in of a name; with several, one that says which packages claim it."""
    first = claims[0]
    if len(claims) == 1:
        return first
    packages = " and ".join(sorted(claim.package for claim in claims))
    return PluginInfo(
        first.name, packages, "", "", first.group, f"{len(claims)} entry points have this name, in {packages}."
    )
