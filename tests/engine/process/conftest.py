from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engine.process.fakes import Bench, bench


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Bench]:
    made = bench(tmp_path)
    yield made
    made.ws.close()
