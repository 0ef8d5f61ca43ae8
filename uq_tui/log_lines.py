"""How lines of log files are written: people read them in a terminal, too."""

import logging

from uq_tui.text import clean

FORMAT = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"


class CleanFormatter(logging.Formatter):
    """Cleans what is logged, and indents all lines of a record after its first: no message passes for another."""

    def format(self, record: logging.LogRecord) -> str:
        """The record's lines."""
        return clean(super().format(record)).replace("\n", "\n    ")
