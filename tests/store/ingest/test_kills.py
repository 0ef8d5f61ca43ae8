"""Imports that end in the middle: killed, or on a full disk. Imported again, it is as if nothing had happened."""

import multiprocessing
import random
import time
from pathlib import Path

import pytest

from store.ingest.importer import import_file
from store.ingest.under_way import Progress
from store.workspace import Workspace
from tests.new_workspace import new_workspace
from tests.shared import shared_file
from tests.store.ingest import importing_process
from tests.store.soundness import assert_sound, contents
from uq_tui.errors import NotFoundError, StoreError

KILLS = 4
"""Of each workspace."""
_PAGE = 4096
_LATEST_S = 0.05
"""After the last row told that is waited for: a turn takes about as long."""

_processes = multiprocessing.get_context("forkserver")
_processes.set_forkserver_preload([importing_process.__name__])


def _dump(folder: Path, posts: int) -> Path:
    """A folder of a dump: each third post is an answer to the one before it, and each has a comment."""
    folder.mkdir()
    rows, comments = [], []
    for key in range(1, posts + 1):
        body = f"&lt;p&gt;word{key} {f'more{key} ' * 50}&lt;/p&gt;"
        kind = f'2" ParentId="{key - 1}' if key % 3 == 0 else f'1" Title="Title {key}" Tags="|one|tag{key % 7}|'
        rows.append(f'<row Id="{key}" PostTypeId="{kind}" Score="{key % 30}" Body="{body}" />')
        comments.append(f'<row Id="{key}" PostId="{key}" Text="remark{key}" />')
    for name, lines in (("Posts", rows), ("Comments", comments)):
        text = "\n".join((f"<{name.lower()}>", *lines, f"</{name.lower()}>"))
        (folder / f"{name}.xml").write_text(text, encoding="utf-8")
    return folder


def _imported(path: Path, file: Path) -> Path:
    ws = new_workspace(path)
    try:
        import_file(ws, file)
    finally:
        ws.close()
    return path


def test_an_import_goes_on_from_wherever_the_disk_was_full(tmp_path: Path) -> None:
    dump = _dump(tmp_path / "math.stackexchange.com", 150)
    whole = _imported(tmp_path / "whole", dump)
    ws = new_workspace(tmp_path / "broken")
    ended = 0
    try:
        empty, full = (path.stat().st_size // _PAGE for path in (ws.path, whole))
        for eighths in range(1, 7):
            _limit(ws, empty + (full - empty) * eighths // 8)
            try:
                import_file(ws, dump)
            except StoreError as error:
                ended += "the disk is full" in error.message
            assert_sound(ws.path)
        _limit(ws, 2 * full)
        import_file(ws, dump)
    finally:
        ws.close()
    assert ended >= 4
    assert_sound(ws.path)
    assert contents(ws.path) == contents(whole)


def test_a_dump_of_which_a_file_vanishes_says_what_came_in(tmp_path: Path, workspace: Workspace) -> None:
    dump = _dump(tmp_path / "math.stackexchange.com", 6)

    def take_away(at: Progress) -> None:
        if at.rows:
            (dump / "Comments.xml").unlink(missing_ok=True)

    with pytest.raises(NotFoundError, match=r"of 6 rows read came in: 6 new, 0 changed[.].*Comments[.]xml"):
        import_file(workspace, dump, on_progress=take_away)
    assert_sound(workspace.path)


def _limit(ws: Workspace, pages: int) -> None:
    ws.write(lambda db: db.exec_driver_sql(f"PRAGMA max_page_count = {pages}").scalar_one())


@pytest.mark.long
@pytest.mark.shared
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    "name",
    [
        "data/se-dump-quantumcomputing-2018",
        "data/deepseek-math-v2-human-rated-proofs/IMO-ProofBench-Advanced.jsonl",
        "data/open-proof-corpus/test.parquet",
    ],
)
def test_an_import_that_is_killed_goes_on(tmp_path: Path, name: str, seed: int) -> None:
    source = shared_file(name)
    chance = random.Random(f"{name} {seed}")
    file = tmp_path / "quantumcomputing.stackexchange.com"
    file.symlink_to(source)
    whole = _imported(tmp_path / "whole", file)
    rows = _told(new_workspace(tmp_path / "counted"), file)
    path = new_workspace(tmp_path / "killed")
    path.close()
    for _ in range(KILLS):
        _kill_while_importing(path.path, file, chance.choice(rows), chance.uniform(0, _LATEST_S))
        assert_sound(path.path)
    again = Workspace.open(path.path)
    import_file(again, file)
    report = import_file(again, file)
    again.close()
    assert (report.new, report.changed) == (0, 0)
    assert_sound(again.path)
    assert contents(again.path) == contents(whole)


def _told(ws: Workspace, file: Path) -> list[int]:
    """What an import tells of its rows."""
    told: list[int] = []
    try:
        import_file(ws, file, on_progress=lambda at: told.append(at.rows))
    finally:
        ws.close()
    return told


def _kill_while_importing(workspace: Path, file: Path, rows: int, later_s: float) -> None:
    here, there = _processes.Pipe(duplex=False)
    process = _processes.Process(target=importing_process.import_and_tell, args=(workspace, file, there))
    process.start()
    there.close()
    try:
        while here.recv() < rows:
            pass
        time.sleep(later_s)  # not to wait for anything: a moment between two that are told
    except EOFError:
        pass
    process.kill()
    process.join()
    here.close()
