"""What machines found about one candidate: references, claims of audits, scores of judges, what came of runs elsewhere.

The answer stands beside it.
"""

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList, Static

from store.elsewhere import FoundElsewhere
from store.judge_rows import Score, Scoring
from store.rows import Candidate
from uq_tui.engine.protocol import Event
from uq_tui.key_map import key_shown
from uq_tui.screens.following import FollowingScreen
from uq_tui.screens.judge import JudgeModal, LookUpModal
from uq_tui.state.desk import Desk
from uq_tui.state.findings import audited, citing, elsewhere, judging
from uq_tui.state.findings.audited import Audited, Flaw
from uq_tui.state.findings.judging import JudgeEditor
from uq_tui.state.findings.screen import FindingsState, Section
from uq_tui.state.reviewing.blind import HIDDEN
from uq_tui.text import clean_line
from uq_tui.widgets import finding_lines, marks
from uq_tui.widgets.document import Document
from uq_tui.widgets.finding_list import Entry, FindingList
from uq_tui.widgets.finding_text import FindingText, Place
from uq_tui.widgets.key_footer import PANE_KEYS, KeyFooter
from uq_tui.widgets.title_bar import TitleBar
from uq_tui.words import Reading, RunKind

REDRAW_S = 0.1
"""Seconds between redraws of what events have changed."""
TITLES = {
    Section.CITATIONS: "Citations",
    Section.AUDIT: "Audit",
    Section.JUDGES: "Judges",
    Section.ELSEWHERE: "Elsewhere",
}


class FindingsScreen(FollowingScreen):
    """Draws from `FindingsState` alone, one section at a time; the text follows what is stood on."""

    CSS_PATH = "findings.tcss"
    AUTO_FOCUS = "#list"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-medium")]
    BINDINGS = [
        # A text that is read has some of these keys for itself; the second of each is then the one that is offered.
        Binding("t", "turn", "Sections", id="findings.sections", tooltip="Citations, audit, judges, elsewhere"),
        Binding("1", "section(0)", "Citations", id="findings.citations", tooltip="References it gives", show=False),
        Binding("2", "section(1)", "Audit", id="findings.audits", tooltip="Claims of audits", show=False),
        Binding("3", "section(2)", "Judges", id="findings.judges", tooltip="Scores of judges", show=False),
        Binding(
            "4", "section(3)", "Elsewhere", id="findings.elsewhere", tooltip="What runs elsewhere found", show=False
        ),
        Binding("j,g", "judge", "Judge", id="findings.judge", tooltip="Have a judge score this candidate"),
        Binding("e,a", "audit", "Audit", id="findings.audit", tooltip="Have the model look for flaws and quote them"),
        Binding("c", "look_up", "Look up", id="findings.look_up", tooltip="Ask the installed citation checkers"),
        Binding("k,X", "cancel", "Cancel", id="findings.cancel", tooltip="Stop judging and auditing"),
        Binding(
            "left_square_bracket",
            "older(-1)",
            "Newer audit",
            id="findings.newer",
            key_display="[",
            tooltip="Of several audits, the one after",
            show=False,
        ),
        Binding(
            "right_square_bracket",
            "older(1)",
            "Older audit",
            id="findings.older",
            key_display="]",
            tooltip="Of several audits, the one before",
            show=False,
        ),
        Binding("left", "pane(-1)", "Panes", id="findings.previous", group=PANE_KEYS, tooltip="Previous pane"),
        Binding("right", "pane(1)", "Panes", id="findings.next", group=PANE_KEYS, tooltip="Next pane"),
        Binding("escape,f", "leave", "Back", id="findings.leave", tooltip="Back to the workbench"),
    ]

    def __init__(self, desk: Desk, candidate: Candidate, header: TitleBar) -> None:
        """`header` is that of the workbench; this one goes on with what it tells."""
        self._state = FindingsState(desk, candidate)
        super().__init__(desk, self._state, header)
        self._section = Section.CITATIONS
        self._editor = JudgeEditor(desk.model)
        self._audit_run = ""
        """The run whose audit is read; empty for the newest, also when another one comes."""
        self._stood: dict[Section, str] = {}

    def compose(self) -> ComposeResult:
        yield TitleBar()
        yield Static(id="sections", markup=False)
        with Horizontal(id="columns"):
            with Vertical(id="left"):
                yield Static(id="note", markup=False)
                yield FindingList(id="list")
                yield FindingList(id="samples")
                yield Document(id="detail")
            with Vertical(id="right"):
                yield FindingText(self._desk.workspace, self._desk.engine, id="text")
        yield KeyFooter()

    def on_mount(self) -> None:
        self._begin("Findings", f"{self._state.candidate.called}  {self._header.subject}", REDRAW_S)
        self._tell_sections()

    def _receive(self, event: Event) -> None:
        self._dirty = self._state.apply(event) or self._dirty

    @work(group="draw", exclusive=True, exit_on_error=False)
    async def _draw(self) -> None:
        """Show the section, once it is recorded that it is seen."""
        self._dirty = False
        await self._state.uncover(self._section)
        self._redraw()
        self.refresh_bindings()

    # Drawing

    def _redraw(self) -> None:
        listing = self.query_one("#list", FindingList)
        entries, empty = self._entries()
        self.query_one("#note", Static).update(self._note())
        listing.border_title = Content(self._list_title())
        stand_on = [self._stood.get(self._section, "")]
        if self._section is Section.AUDIT and (shown := self._audit):
            stand_on.append(finding_lines.first_key(shown))
        listing.show(entries, empty=empty, stand_on=stand_on)
        self._show_samples()
        self._show_detail()
        self._show_text()

    def _entries(self) -> tuple[tuple[Entry, ...], str]:
        """What the section lists, and what to say where it is empty."""
        state = self._state
        match self._section:
            case Section.CITATIONS if state.citations is None:
                return (), "Looking for references…"
            case Section.CITATIONS:
                return finding_lines.citations(state.citations or (), state.checks), self._no_citations()
            case Section.AUDIT:
                shown = self._audit
                return finding_lines.audit(shown) if shown is not None else (), self._no_audit()
            case Section.JUDGES:
                return finding_lines.judges(state.scorings, state.running), self._no_scores()
            case Section.ELSEWHERE:
                return finding_lines.found_elsewhere(state.elsewhere), self._nothing_elsewhere()

    def _no_citations(self) -> str:
        if not self._state.candidate.answer.sha256:
            return "The text of this answer is not here: only verdicts on it were imported."
        return "No reference was found in this answer. Mentions in passing, such as “by Gauss”, are not listed."

    def _no_audit(self) -> str:
        if self._state.hidden:
            return f"Claims are {HIDDEN}."
        if self._state.runs(RunKind.AUDIT):
            return f"An audit is under way. {key_shown(self, 'findings.cancel')} cancels it."
        audit = key_shown(self, "findings.audit")
        return f"Not audited yet. {audit} has {self._desk.model.id} look for flaws and quote them."

    def _no_scores(self) -> str:
        if self._state.hidden:
            return f"Scores are {HIDDEN}."
        if self._state.runs(RunKind.JUDGE):
            cancel = key_shown(self, "findings.cancel")
            return f"A judge is at work; its scores appear here one by one. {cancel} cancels it."
        judge = key_shown(self, "findings.judge")
        return f"Not scored yet. {judge} chooses a judge and has {self._desk.model.id} score this answer."

    def _nothing_elsewhere(self) -> str:
        if self._state.hidden:
            return f"What runs elsewhere found is {HIDDEN}."
        return "No file has brought anything that a run elsewhere found of this answer."

    def _note(self) -> Content:
        state = self._state
        if self._section is Section.CITATIONS:
            if state.looking_up:
                return Content(f"{marks.RUNNING} Asking {clean_line(', '.join(state.checkers))}…")
            return Content(citing.LOOKED_UP if state.checks else citing.CAUTION)
        if self._section is Section.ELSEWHERE:
            return Content(elsewhere.CAUTION)
        kind = RunKind.AUDIT if self._section is Section.AUDIT else RunKind.JUDGE
        said = audited.CAUTION if self._section is Section.AUDIT else judging.CAUTION
        running = state.runs(kind)
        going = f"\n{marks.RUNNING} {running} {'run' if running == 1 else 'runs'} under way" if running else ""
        return Content.assemble(said, (going, "$text-accent"))

    def _list_title(self) -> str:
        state = self._state
        match self._section:
            case Section.CITATIONS:
                return citing.summary(state.citations).rstrip(".") if state.citations else "References"
            case Section.AUDIT if len(state.audits) > 1:
                return f"Audit {self._audit_at + 1} of {len(state.audits)}, the newest first [ ]"
            case Section.AUDIT:
                return "Audit"
            case Section.JUDGES:
                return "Judges"
            case Section.ELSEWHERE:
                return "Runs elsewhere"

    def _tell_sections(self) -> None:
        for section in Section:
            self.set_class(section is self._section, f"-{section}")
        names = [
            f"[{number} {name}]" if section is self._section else f" {number} {name} "
            for number, (section, name) in enumerate(TITLES.items(), 1)
        ]
        self.query_one("#sections", Static).update("  ".join(names))

    # What is stood on

    @property
    def _audit_at(self) -> int:
        runs = [one.audit.run_id for one in self._state.audits]
        return runs.index(self._audit_run) if self._audit_run in runs else 0

    @property
    def _audit(self) -> Audited | None:
        found = self._state.audits
        return found[self._audit_at] if found else None

    @property
    def _flaw(self) -> Flaw | None:
        key, shown = self.query_one("#list", FindingList).key, self._audit
        return next((one for one in shown.flaws if finding_lines.flaw_key(one) == key), None) if shown else None

    @property
    def _citation(self) -> citing.Citation | None:
        key = self.query_one("#list", FindingList).key
        return next((one for one in self._state.citations or () if one.key == key), None)

    @property
    def _scoring(self) -> Scoring | None:
        key = self.query_one("#list", FindingList).key
        return next((one for one in self._state.scorings if one.run_id == key), None)

    @property
    def _found_elsewhere(self) -> FoundElsewhere | None:
        key = self.query_one("#list", FindingList).key
        return next((one for one in self._state.elsewhere if one.run_id == key), None)

    @property
    def _sample(self) -> Score | None:
        key, scoring = self.query_one("#samples", FindingList).key, self._scoring
        return next((one for one in scoring.scores if finding_lines.sample_key(one) == key), None) if scoring else None

    def _show_samples(self) -> None:
        samples, scoring = self.query_one("#samples", FindingList), self._scoring
        if self._section is Section.JUDGES:
            samples.border_title = Content("Samples: Enter reads the reply" if scoring else "Samples")
            samples.show(finding_lines.samples(scoring) if scoring else (), empty="No sample yet.")

    def _show_detail(self) -> None:
        detail = self.query_one("#detail", Document)
        if self._section is Section.CITATIONS:
            citation = self._citation
            detail.border_title = "Reference"
            detail.show(citation.markdown() if citation else "", key=f"reference {citation.key}" if citation else "")
        elif self._section is Section.AUDIT:
            flaw, shown = self._flaw, self._audit
            detail.border_title = "Claim" if flaw else "Audit"
            about = flaw.markdown() if flaw else shown.markdown() if shown else ""
            detail.show(about, key=self.query_one("#list", FindingList).key)
        elif self._section is Section.ELSEWHERE:
            found = self._found_elsewhere
            detail.border_title = "Run elsewhere"
            detail.show(elsewhere.markdown(found) if found else "", key=f"elsewhere {found.run_id}" if found else "")

    def _show_text(self) -> None:
        """The answer, pointed at what is stood on; a machine's reply where that is what is stood on."""
        text = self.query_one("#text", FindingText)
        place: Place | None = None
        match self._section:
            case Section.CITATIONS:
                place = (citation.first.start, citation.first.end) if (citation := self._citation) else None
            case Section.AUDIT:
                flaw, shown = self._flaw, self._audit
                if flaw is None and shown is not None and shown.told:
                    text.show_reply(shown.audit.call_key, "Reply of the audit")
                    return
                place = (flaw.claim.start, flaw.claim.end) if flaw else None
            case Section.JUDGES:
                sample = self._sample if self._among_samples else None
                if sample is not None and sample.state is not Reading.FAILED:
                    text.show_reply(sample.call_key, f"Reply of sample {sample.sample + 1}")
                    return
        text.show_answer(self._state.candidate, self._state.authors, place)

    @property
    def _among_samples(self) -> bool:
        """Whether samples are gone through, or the reply of one is read."""
        text = self.query_one("#text", FindingText)
        return self.query_one("#samples").has_focus or (text.has_focus and bool(text.reply_key))

    # Choosing and moving

    @on(FindingList.Stood, "#list")
    def _stand(self, event: FindingList.Stood) -> None:
        self._stood[self._section] = event.key
        self._show_samples()
        self._show_detail()
        self._show_text()

    @on(FindingList.Stood, "#samples")
    def _stand_on_sample(self) -> None:
        self._show_text()

    def on_descendant_focus(self) -> None:
        """Among the samples the text is a reply, among the judges the answer."""
        if self._section is Section.JUDGES and not self.query_one("#text").has_focus:
            self._show_text()

    @on(OptionList.OptionSelected, "#list")
    def _selected(self) -> None:
        self._turn_to("samples" if self._section is Section.JUDGES else "text")

    @on(OptionList.OptionSelected, "#samples")
    def _sample_selected(self) -> None:
        self._turn_to("text")

    def action_section(self, number: int) -> None:
        self._section = tuple(Section)[number]
        self._tell_sections()
        self._turn_to("list")
        self._draw()

    def action_turn(self) -> None:
        self.action_section((tuple(Section).index(self._section) + 1) % len(Section))

    def action_older(self, by: int) -> None:
        found = self._state.audits
        at = min(max(0, self._audit_at + by), len(found) - 1)
        self._audit_run = found[at].audit.run_id if at else ""
        self._redraw()

    def action_pane(self, by: int) -> None:
        panes = ("list", "samples" if self._section is Section.JUDGES else "detail", "text")
        focused = self.focused.id if self.focused is not None else None
        at = panes.index(focused) if focused in panes else 0
        self._turn_to(panes[(at + by) % len(panes)])

    def _turn_to(self, pane: str) -> None:
        self.set_class(pane == "text", "-reading")  # what is hidden can't take the focus
        self.query_one(f"#{pane}", Widget).focus()

    def action_leave(self) -> None:
        if self.has_class("-narrow") and self.has_class("-reading"):
            self._turn_to("list")
        else:
            self.app.pop_screen()

    # Runs

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only what there is something for."""
        match action:
            case "cancel":
                return bool(self._state.running)
            case "look_up":
                ready = bool(self._state.checkers and self._state.askable) and not self._state.looking_up
                return self._section is Section.CITATIONS and ready
            case "older":
                return self._section is Section.AUDIT and len(self._state.audits) > 1
        return True

    @work(group="start", exclusive=True, exit_on_error=False)
    async def action_judge(self) -> None:
        self._state.require_open()
        self._editor.model = self._desk.model
        request = await self.app.push_screen_wait(JudgeModal(self._editor, self._state.candidate.id))
        if request is not None:
            self._state.judge(request)
            self.action_section(tuple(Section).index(Section.JUDGES))

    @work(group="start", exclusive=True, exit_on_error=False)
    async def action_audit(self) -> None:
        self._state.audit()
        self.action_section(tuple(Section).index(Section.AUDIT))

    def action_cancel(self) -> None:
        self._state.cancel()

    @work(group="look-up", exclusive=True, exit_on_error=False)
    async def action_look_up(self) -> None:
        if await self.app.push_screen_wait(LookUpModal(self._state.checkers, len(self._state.askable))):
            self._draw()  # runs once they are being asked
            await self._state.look_up()
            self._draw()
