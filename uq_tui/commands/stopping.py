"""Stopping long jobs in this process: Ctrl-C asks for it, and what is done by then stays."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def stoppable() -> Iterator[threading.Event]:
    """Within the block, Ctrl-C sets the event; once more breaks off as usual."""
    stop = threading.Event()

    def ask(number: int, frame: Any) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    if threading.current_thread() is not threading.main_thread():
        yield stop  # signals are for the main thread
        return
    before = signal.signal(signal.SIGINT, ask)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
