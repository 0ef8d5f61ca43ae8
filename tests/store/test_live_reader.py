"""Reading that the next reading interrupts."""

import threading

import pytest
from sqlalchemy import Connection

from store.live_reader import LiveReader, OvertakenError
from store.workspace import Workspace

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


def test_what_is_read_is_returned(workspace: Workspace) -> None:
    reader = LiveReader(workspace)
    assert [reader.run(lambda db: db.exec_driver_sql("SELECT 7").scalar()) for _ in range(2)] == [7, 7]


@pytest.mark.parametrize("by_running", [True, False])
def test_newer_work_interrupts_older(workspace: Workspace, by_running: bool) -> None:
    reader = LiveReader(workspace)
    began, ended = threading.Event(), threading.Event()

    def read(db: Connection) -> None:
        began.set()
        db.exec_driver_sql(ENDLESS).scalar()

    def older() -> None:
        with pytest.raises(OvertakenError):
            reader.run(read)
        ended.set()

    thread = threading.Thread(target=older)
    thread.start()
    assert began.wait(20)
    if by_running:
        assert reader.run(lambda db: db.exec_driver_sql("SELECT 1").scalar()) == 1
    else:
        reader.interrupt()
    assert ended.wait(20)
    thread.join()


def test_work_that_was_overtaken_between_two_statements_ends_too(workspace: Workspace) -> None:
    reader = LiveReader(workspace)

    def read(db: Connection) -> int:
        reader.interrupt()
        return 1

    with pytest.raises(OvertakenError):
        reader.run(read)
    with workspace.read() as db:  # its connection goes back without the handler
        assert db.exec_driver_sql("SELECT 1").scalar() == 1


def test_faults_pass(workspace: Workspace) -> None:
    def read(db: Connection) -> None:
        raise KeyError("x")

    with pytest.raises(KeyError):
        LiveReader(workspace).run(read)
