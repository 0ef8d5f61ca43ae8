"""The process that imports and runs one plug-in, once. Only `uq_tui.plugins.running` starts it.

Standard input is one JSON object: `group`, `name`, `method`, `arguments` and the limits. Standard output is one JSON
object: `{"result": ...}` or `{"problem": TEXT}`. What the plug-in prints goes to standard error.
"""

import dataclasses
import json
import os
import signal
import sys
import traceback
from typing import Any

from uq_tui.errors import PluginError
from uq_tui.plugins.limits import limit_cpu, limit_files, limit_memory
from uq_tui.plugins.registry import load

_GRACE_S = 5
"""Seconds over the time limit after which the process ends itself, should its parent be gone."""


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Do what is asked, in the form that is written."""
    try:
        plugin = load(request["name"], request["group"])
        result = getattr(plugin, request["method"])(*request["arguments"])
        return {"result": dataclasses.asdict(result) if dataclasses.is_dataclass(type(result)) else result}
    except PluginError as error:
        return {"problem": error.message}
    except Exception as error:  # the boundary to foreign code: it raises whatever it likes
        traceback.print_exc()
        return {"problem": f"{type(error).__name__}: {error}" if str(error) else type(error).__name__}


def main() -> None:
    """Serve the one request."""
    sys.dont_write_bytecode = True
    request = json.loads(sys.stdin.buffer.read())
    limits = request["limits"]
    signal.alarm(int(limits["seconds"]) + _GRACE_S)
    limit_memory(limits["memory_bytes"])
    limit_cpu(limits["cpu_seconds"])
    limit_files(limits["file_bytes"])
    with os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="ascii") as out:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a plug-in prints is no result
        told = answer(request)
        try:
            written = json.dumps(told)
        except (TypeError, ValueError, RecursionError) as error:
            written = json.dumps({"problem": f"its result can't be written as JSON: {error}"})
        out.write(written)


if __name__ == "__main__":
    main()
