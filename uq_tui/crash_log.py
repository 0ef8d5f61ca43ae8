"""Where the details of an unexpected error are kept; the user is told the file, never shown a traceback."""

import os
import time
import traceback
from pathlib import Path

from uq_tui import paths
from uq_tui.text import clean


def keep_traceback(error: BaseException) -> Path:
    """Write the error's traceback to a new log file, 0600. Raises OSError when that isn't possible."""
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    path = paths.log_dir() / f"error-{stamp}-{os.getpid()}.log"
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as log:
        log.write(clean("".join(traceback.format_exception(error))))
    return path
