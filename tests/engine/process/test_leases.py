from store import runs
from tests.engine.process.fakes import Bench, new_run, until
from uq_tui.engine.leases import Leases


async def test_a_run_has_one_holder(desk: Bench) -> None:
    run = new_run(desk.ws)
    ours, theirs = Leases(desk.ws, "ours", print), Leases(desk.ws, "theirs", print)

    assert await ours.claim(run.id)
    assert not await theirs.claim(run.id)
    await ours.release(run.id)
    assert await theirs.claim(run.id)

    await ours.close()
    await theirs.close()


async def test_releasing_what_is_not_held_does_nothing(desk: Bench) -> None:
    run = new_run(desk.ws)
    ours, theirs = Leases(desk.ws, "ours", print), Leases(desk.ws, "theirs", print)
    assert await theirs.claim(run.id)

    await ours.release(run.id)

    assert not await ours.claim(run.id)
    await theirs.close()
    await ours.close()


async def test_a_claim_is_renewed(desk: Bench) -> None:
    run = new_run(desk.ws)
    lost: list[str] = []
    leases = Leases(desk.ws, "ours", lost.append, renew_seconds=0.001)
    assert await leases.claim(run.id)
    first = lease_until(desk, run.id)

    await until(lambda: lease_until(desk, run.id) > first)

    assert lost == []
    await leases.close()


async def test_a_run_that_was_taken_is_reported_once(desk: Bench) -> None:
    run = new_run(desk.ws)
    lost: list[str] = []
    leases = Leases(desk.ws, "ours", lost.append, renew_seconds=0.001)
    assert await leases.claim(run.id)
    runs.release(desk.ws, run.id, "ours")
    assert runs.claim(desk.ws, run.id, "theirs")

    await until(lambda: lost)
    await leases.release(run.id)

    assert lost == [run.id]
    assert not runs.claim(desk.ws, run.id, "third")
    await leases.close()


def lease_until(desk: Bench, run_id: str) -> float:
    with desk.ws.read() as conn:
        found = conn.exec_driver_sql("SELECT lease_until FROM run WHERE id = ?", (run_id,)).scalar_one()
    return float(found)
