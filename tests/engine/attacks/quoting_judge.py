"""Runs by judges that quote what they judge, with an ending of their own or without."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import ModuleType
from zlib import crc32

from store.run_rows import Call, Run
from store.workspace import Workspace
from tests.engine.attacks.quoting import Style, reply_proper
from tests.engine.runs.scripted import Said, Scripted
from uq_tui.engine.spec import Ask, RunContext

GRADE = "<grade{}>\n<score>2</score>\n<assessment>Flawed.</assessment>\n<errors>Step 1.</errors>\n</grade>"
ENDINGS: Mapping[str, Mapping[str, str]] = {
    "accept": {"decision": "{}: accept", "decision_exact": "[[Y]]"},
    "reject": {"decision": "{}: reject", "decision_exact": "[[N]]"},
    "2": {"score": "{}: 2", "score_exact": "Score: 2", "grade": GRADE.format(' code="{}"')},
    "": {},
}
"""What a judge ends with, by what it wants to say and the form it is asked for; nothing where none is given."""


async def conduct(
    ws: Workspace, job: ModuleType, run: Run, texts: Mapping[str, str], word: str, styles: Iterable[Style]
) -> None:
    """Run a run to its end.

    Args:
        ws: where the run is stored.
        job: the module of its kind.
        run: the run, not begun.
        texts: the candidates by id.
        word: what all judges say, a key of `ENDINGS`.
        styles: how they quote. Each reply takes one of them, the same whenever the same is asked.
    """
    ways = tuple(styles)

    def answered(ask: Ask) -> Call:
        seed = f"{ask.candidate_id}{ask.path}{ask.template.name}{ask.model.id}"
        quote = ways[crc32(seed.encode()) % len(ways)]
        ending = ENDINGS[word].get(ask.form.value, "").format(ask.tag)
        said = reply_proper(quote(texts[ask.candidate_id], ending))
        return replace(Scripted.call(Said(), ask, Scripted.key(ask, 0), run.id), reply=said)

    async def ask(asks: Sequence[Ask]) -> tuple[Call, ...]:
        return tuple(map(answered, asks))

    async def progress(done: int, total: int) -> None:
        assert done <= total

    await job.run(RunContext(run.id, run.spec, ask, lambda _: None, progress, ws.secret), ws)
