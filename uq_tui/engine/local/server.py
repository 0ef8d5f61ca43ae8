"""One GGUF model behind an OpenAI-compatible server on loopback, as a process of its own.

Started by `local_keeper` as `python -P -m uq_tui.engine.local.server`. Standard input brings one JSON line with the
settings, the key among them, and then stays open: when it ends, the keeper is gone, and so is this process. Standard
output takes one JSON line, `{"port": N}` or `{"error": "..."}`, and then stays open too. Standard error is the log; all
that the model library prints goes there.
"""

import json
import os
import sys
import threading
from typing import Any, BinaryIO

from uq_tui.engine.child import die_with_parent, end_when_closed, step_back

_SPARE_THREADS = 16
"""Requests that wait for a slot hold a thread each, and counting tokens must not wait behind them."""
PROMPT_CACHE_MIB = 512
"""Memory for prompts that were worked through. Without it the turns of several candidates, asked in rounds, push each
other out of the slots, and every turn works through its whole conversation again."""


def main() -> None:
    """Serve until the keeper goes."""
    settings = json.loads(sys.stdin.buffer.readline())
    answer = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    die_with_parent()
    step_back()
    end_when_closed(0)
    try:
        server = _serve(**settings)
    except (ImportError, RuntimeError, ValueError, OSError) as error:
        _say(answer, {"error": f"{type(error).__name__}: {error}"})
        os._exit(1)
    _say(answer, {"port": int(server.listening_address.rpartition(":")[2])})
    threading.Event().wait()


def _serve(gguf: str, slots: int, context: int, threads: int, key: str) -> Any:
    """A server on a free port, listening when this returns.

    Args:
        slots: how many requests are worked on at once.
        context: tokens of each slot. The library's setting is the sum of all slots.
    """
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = gguf
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [key]
    params.n_parallel = slots
    params.n_ctx = slots * context
    params.n_threads_http = 4 * slots + _SPARE_THREADS
    params.cpuparams.n_threads = threads
    params.cpuparams_batch.n_threads = threads
    params.ui = False
    params.endpoint_slots = False
    params.cors_origins = ""
    params.cors_origins_explicit = True
    params.cors_methods = ""
    params.cors_headers = ""
    params.cors_credentials = False
    params.cache_ram_mib = PROMPT_CACHE_MIB
    return xllamacpp.Server(params)


def _say(answer: BinaryIO, what: dict[str, object]) -> None:
    answer.write(json.dumps(what).encode() + b"\n")
    answer.flush()


if __name__ == "__main__":
    main()
