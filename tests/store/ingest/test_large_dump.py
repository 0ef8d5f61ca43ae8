"""A dump of 2 GiB is imported within 200 MB: rows come and go, and nothing is kept of them."""

import os
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

BYTES = 2 * 1024**3
MOST_RESIDENT = 200 * 1_000_000

IMPORT = """
import sys
from pathlib import Path
from store.ingest.posts_xml import import_posts
from store.workspace import Workspace

ws = Workspace.open(Path(sys.argv[2]))
report = import_posts(ws, Path(sys.argv[1]), site="math")
ws.close()
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(report.read, report.new, report.rejected_total, int(peak.split()[1]) * 1024)
"""


def lines(total: int) -> Iterator[str]:
    """A Posts.xml of so many bytes: questions, answers to earlier ones, and some that come before their question."""
    chance = random.Random(8)
    words = ["".join(chance.choices("abcdefghiklmnoprstu", k=chance.randrange(2, 9))) for _ in range(20_000)]
    bodies = ["&lt;p&gt;" + " ".join(chance.choices(words, k=size)) + "&lt;/p&gt;" for size in range(20, 3_000, 25)]
    yield "<posts>\n"
    written = number = 0
    while written < total:
        number += 1
        if number % 3 == 1:
            about = f'PostTypeId="1" Title="T{number}" AcceptedAnswerId="{number + 1}" Tags="|{words[number % 999]}|"'
        else:
            asked = number - number % 3 + (4 if number % 100 == 0 else -2)
            about = f'PostTypeId="2" ParentId="{max(asked, 1)}"'
        line = f'<row Id="{number}" {about} Body="{number} {bodies[number % len(bodies)]}" />\n'
        written += len(line)
        yield line
    yield f'<row Id="{number + 1 - number % 3 + 3}" PostTypeId="1" Title="last" Body="last" />\n</posts>\n'


def feed(pipe: Path, total: int) -> None:
    """Write the file into a pipe, as far as somebody reads it."""
    with pipe.open("w") as file:
        file.writelines(lines(total))


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read from /proc")
def test_memory_is_bounded_whatever_the_size(tmp_path: Path) -> None:
    pipe, workspace = tmp_path / "Posts.xml", tmp_path / "large.db"
    os.mkfifo(pipe)
    feeding = threading.Thread(target=feed, args=(pipe, BYTES))
    feeding.start()
    try:
        command = [sys.executable, "-c", IMPORT, str(pipe), str(workspace)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        feeding.join()
    finally:
        workspace.unlink(missing_ok=True)
    read, new, rejected, peak = map(int, done.stdout.split())
    assert read == new > BYTES / 20_000
    assert rejected == 0
    assert peak < MOST_RESIDENT
