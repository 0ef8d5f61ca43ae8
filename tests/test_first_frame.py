"""The app's first frame comes before anything heavy is imported."""

import subprocess
import sys
from pathlib import Path

HEAVY = ("litellm", "openai", "sqlalchemy", "sqlmodel", "xllamacpp", "sympy", "markdown_it")

PROBE = """
import asyncio, sys
from pathlib import Path
from uq_tui.cli import main  # what the console script imports
from uq_tui.app import UqApp

class Probed(UqApp):
    def _open(self):  # what comes after the first frame
        found = sorted(name for name in {heavy!r} if name in sys.modules)
        sys.__stdout__.write(" ".join(found))
        self.exit()

async def show():
    async with Probed(Path({workspace!r})).run_test():
        await asyncio.sleep(0.1)

asyncio.run(show())
"""


def test_no_heavy_module_is_imported_by_the_first_frame(tmp_path: Path) -> None:
    probe = PROBE.format(heavy=HEAVY, workspace=str(tmp_path / "w.uq.sqlite"))
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def test_the_probe_sees_a_heavy_module_that_is_imported(tmp_path: Path) -> None:
    probe = "import sqlalchemy\n" + PROBE.format(heavy=HEAVY, workspace=str(tmp_path / "w.uq.sqlite"))
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("sqlalchemy", "", 0)
