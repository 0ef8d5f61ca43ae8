"""A gateway process without LiteLLM: `python -P -m tests.fakes.gateway_stub`. What it does stands in the last message.

- `pid`: replies its process number
- `long`: replies 3 MB of awkward characters
- `die`: ends; `tell and die`: ends after some text; `die early`, as a model id, ends it at `Prepare`
- `wait`: tells some text, and more when it is cancelled
- `babble`: says what is no answer
- `deaf`: from now on it neither obeys nor ends with its input
"""

import os
import signal
import sys

from uq_tui.engine.gateways.protocol import (
    CODEC,
    Answer,
    Cancel,
    Cancelled,
    Complete,
    Done,
    Prepare,
    Ready,
    Text,
    Unusable,
    Usable,
)
from uq_tui.engine.spec import Price, Reply

LONG = '∀ε>0 \\frac{\n}\t"ö" \ud83d' * 150_000
NO_SUCH = "nobody/nothing"


def say(answer: Answer) -> None:
    sys.stdout.buffer.write(CODEC.encode(answer))
    sys.stdout.buffer.flush()


def reply(n: int, text: str) -> Done:
    return Done(n, Reply(text, "", "stop", tokens_in=1, tokens_out=2, cost_usd=None))


def prepare(request: Prepare, prepared: int) -> None:
    model = request.model.choice.id
    if model == "die early":
        os._exit(3)
    if model == NO_SUCH:
        say(Unusable(request.n, "No such model.", "Choose another."))
    else:
        say(Usable(request.n, model, "", ("seed",), price=Price(float(prepared), 1.0)))


def complete(request: Complete) -> None:
    match request.messages[-1].content:
        case "pid":
            say(reply(request.n, str(os.getpid())))
        case "long":
            say(reply(request.n, LONG))
        case "die":
            os._exit(3)
        case "tell and die":
            say(Text(request.n, "Hm. ", "It "))
            say(Text(request.n, "", "holds"))
            os._exit(3)
        case "wait" | "deaf":
            say(Text(request.n, "", "Wait."))
        case "babble":
            sys.stdout.buffer.write(b"hello\n")
            sys.stdout.buffer.flush()


def main() -> None:
    say(Ready())
    prepared = 0
    for line in sys.stdin.buffer:
        request = CODEC.decode(line)
        if isinstance(request, Prepare):
            prepared += 1
            prepare(request, prepared)
        elif isinstance(request, Complete):
            complete(request)
            if request.messages[-1].content == "deaf":
                while True:
                    signal.pause()
        elif isinstance(request, Cancel):
            say(Text(request.n, "", " Enough."))
            say(Cancelled(request.n))


if __name__ == "__main__":
    main()
