"""Distributions in a site-packages folder, written as an installer writes them."""

import sys
import venv
from collections.abc import Mapping
from pathlib import Path


def write_distribution(
    site: Path,
    package: str,
    entries: Mapping[str, str],
    *,
    group: str = "uq_tui.validators",
    version: str = "1.0",
    summary: str = "",
    code: str = "",
) -> None:
    """A distribution with a module of its own name that holds `code`. `entries` are entry points, name to value."""
    info = site / f"{package}-{version}.dist-info"
    info.mkdir(parents=True)
    metadata = f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n"
    (info / "METADATA").write_text(metadata + (f"Summary: {summary}\n" if summary else ""), encoding="utf-8")
    lines = [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (site / f"{package}.py").write_text(code, encoding="utf-8")


def make_environment(folder: Path) -> tuple[Path, Path]:
    """An environment that sees this one's packages after its own: its interpreter and its site-packages folder.

    Plug-ins of this one aren't installed in it.
    """
    venv.create(folder, with_pip=False, symlinks=True)
    site = folder / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    own = next(path for path in sys.path if path.endswith("site-packages"))
    (site / "ours.pth").write_text(f"import site; site.addsitedir({own!r})\n", encoding="utf-8")
    return folder / "bin" / "python", site
