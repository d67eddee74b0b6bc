"""The Rules workspace: its parts know nothing of each other, what one tells this hands to the others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from collector.located_yaml.diagnostics import Severity
from collector.model.i18n import _
from collector.rules.backtest.backtest import BackTestResult
from collector.rules.backtest.corpus import Corpus
from collector.rules.grammar.model import INJECTION, STATE, SUCCESS, Rule
from collector.store.layout import LIBRARY_FILE
from rule_editor.document.rules.condition_slots import ConditionPath
from rule_editor.document.rules.rule_document import RuleDocument
from rule_editor.widgets.condition_menu import ConditionMenu
from rule_editor.widgets.matrix.panel import BackTestPanel
from rule_editor.widgets.rule_form.condition_paths import walk
from rule_editor.widgets.rule_list import RuleList, RuleListEntry, RuleState
from studio.bridge.library import Snapshot
from studio.bridge.rule_backtests import RuleBackTests, ShownState
from studio.bridge.rule_documents import DocumentChanged, MergeConflicts, RuleDocuments
from studio.views.rules.anomaly_presenter import AnomalyDesk
from studio.views.rules.bottom_panel import BACKTEST, REHEARSAL, RulesBottomPanel
from studio.views.rules.diagnostic_badges import DiagnosticTally
from studio.views.rules.document_pane import DocumentPane
from studio.views.rules.kit import STUDIO_KIT
from studio.views.rules.list_entries import GROUP, anomalies_of, group_of, is_anomaly
from studio.views.rules.live import LiveScreen
from studio.views.rules.node_menu import NodeMenuController
from studio.views.rules.rehearsal.controller import RehearsalController
from studio.views.rules.rule_diagnostics import RuleDiagnostics, count_of, entry_of, told
from studio.views.rules.rule_edit_controller import RuleDeeds
from studio.views.rules.rule_evaluation import Verdicts
from studio.views.rules.rule_pane import RulePane
from studio.views.rules.screen_pane import LIVE, ScreenPane
from studio.views.services import WindowServices
from studio.views.workspace import Workspace
from studio.widgets.controls import Label

_MATRIX_HEIGHT = 236
_SCREEN, _NARROW_SCREEN, _RULE = 440, 388, 850


class RulesWorkspace(Workspace):
    """``kind`` and ``rule_id`` name the rule on show; both are empty while there is none."""

    scope = "rules"

    def __init__(self, shell: WindowServices) -> None:
        super().__init__(shell)
        self.book = RuleDocuments(shell.tasks, self)
        self.tests = RuleBackTests(shell.tasks, self)
        self.list = RuleList(STUDIO_KIT)
        self.stage = ScreenPane()
        self.pane = RulePane(STUDIO_KIT)
        self.below = RulesBottomPanel()
        self.matrix = BackTestPanel(STUDIO_KIT, lead=self.below.make_switch())
        self.menu = ConditionMenu(STUDIO_KIT, self)
        self.live = LiveScreen(self.stage, self)
        self.findings = RuleDiagnostics(shell.tasks, self.tests, self)
        self.files: tuple[Path, ...] = ()
        """Files that are edited instead of the project's own."""
        self.kind = self.rule_id = ""
        self.chosen: ConditionPath | None = None
        """The condition the form, the YAML and the screen single out."""
        self.results: dict[tuple[str, str], BackTestResult] = {}
        self.compared = False
        self.desk = AnomalyDesk(self)
        self._screens, self._panes = QStackedWidget(), QStackedWidget()
        self._noted: RuleDocument | None = None
        """Whose diagnostics stand in the YAML."""
        self._going_to: int | None = None
        """Position asked for and not shown yet."""
        self.set_left(self.list, "rules_list")
        self.set_centre(self._centre())
        self.deeds = RuleDeeds(self)
        self.rehearsal = RehearsalController(self)
        self.below.add_page(BACKTEST, self.matrix)
        self.below.add_page(REHEARSAL, self.rehearsal.panel)
        self.set_below(self.below)
        self.below.setMinimumHeight(120)
        self._down.setSizes([600, _MATRIX_HEIGHT])
        self.verdicts = Verdicts(self)
        self.clicking = NodeMenuController(self)
        self._semantics = Label("", "body", "text-2")
        self._problems = DiagnosticTally()
        self.toolbar.facts.addWidget(self._semantics)
        self.toolbar.facts.addWidget(self._problems)
        self._connect_parts()
        self._connect_services()
        self.show_semantics()
        self.show_rule("", "")

    def _centre(self) -> QWidget:
        across = QSplitter(Qt.Orientation.Horizontal)
        across.setHandleWidth(1)
        across.setChildrenCollapsible(False)
        self.stage.setMinimumWidth(_NARROW_SCREEN)
        for stack, rule, anomaly in (
            (self._screens, self.stage, self.desk.preview), (self._panes, self.pane, self.desk.pane),
        ):  # fmt: skip
            stack.addWidget(rule)
            stack.addWidget(anomaly)
            across.addWidget(stack)
        across.setSizes([_SCREEN, _RULE])
        across.setStretchFactor(0, 1)
        across.setStretchFactor(1, 2)
        return across

    def _connect_parts(self) -> None:
        deeds, form, yaml = self.deeds, self.pane.form, self.pane.yaml
        self.list.chosen.connect(self._rule_chosen)
        self.list.rename_wanted.connect(deeds.rename)
        self.list.delete_wanted.connect(deeds.delete)
        self.list.menu_wanted.connect(deeds.open_menu)
        self.list.add_wanted.connect(deeds.new)
        form.field_edited.connect(deeds.set_field)
        form.condition_edited.connect(deeds.set_condition_field)
        form.condition_removed.connect(deeds.delete_condition)
        form.condition_moved.connect(deeds.move_condition)
        form.condition_wanted.connect(deeds.offer_conditions)
        form.condition_chosen.connect(self._condition_chosen)
        form.group_edited.connect(deeds.set_group_kind)
        form.action_edited.connect(deeds.set_action_field)
        form.action_removed.connect(deeds.delete_action)
        form.action_wanted.connect(deeds.add_action)
        form.anomaly_wanted.connect(self.desk.open)
        self.pane.propose_wanted.connect(deeds.propose)
        yaml.typed.connect(deeds.type_text)
        yaml.fix_chosen.connect(deeds.apply_fix)
        yaml.moved.connect(self._cursor_moved)
        yaml.provider = deeds.completions
        self.stage.stepped.connect(self._step)
        self.stage.source_chosen.connect(self._source_chosen)
        self.menu.chosen.connect(deeds.add_suggested)
        self.tests.proposed.connect(deeds.offer_proposals)
        self.matrix.cell_opened.connect(self.go)
        self.matrix.exported.connect(deeds.export)
        self.matrix.explain.tried.connect(deeds.take_advice)

    def _connect_services(self) -> None:
        book, tests = self.book, self.tests
        book.opened.connect(self._book_opened)
        book.changed.connect(self._document_changed)
        book.conflicted.connect(self._conflicted)
        self.findings.changed.connect(self._found)
        tests.ready.connect(self._corpus_ready)
        tests.shown.connect(self._shown)
        for service in (book, tests):
            service.failed.connect(self.shell.toasts.show_error)
        library = self.shell.library
        library.opened.connect(self._project_opened)
        library.changed.connect(self._project_changed)
        self.shell.devices.current_changed.connect(self.live.set_phone)
        self.live.set_phone(self.shell.devices.current)
        self._project_opened(library.snapshot)

    # -- what is known -------------------------------------------------------
    @property
    def document(self) -> RuleDocument | None:
        """The file of the rule on show."""
        return self.book.documents.get(self.kind)

    @property
    def rule(self) -> Rule | None:
        """The rule on show as it is now."""
        return self.book.rule(self.kind, self.rule_id)

    @property
    def front(self) -> DocumentPane:
        """The pane on show, of a rule or of an anomaly."""
        return self.desk.pane if self.kind == GROUP else self.pane

    @property
    def corpus(self) -> Corpus | None:
        return self.tests.corpus

    # -- project -------------------------------------------------------------
    @Slot(object)
    def _project_opened(self, snapshot: Snapshot | None) -> None:
        self.results = {}
        self.stage.show_nothing()
        self.matrix.set_result(None)
        if self.files:
            self.read_recorded()
        else:
            self.book.open_project(snapshot.folder if snapshot is not None else None)

    def open_files(self, files: Sequence[Path]) -> None:
        """Edit these files instead of the project's own."""
        self.files = tuple(files)
        self.book.open_files(self.files)

    @Slot(object)
    def _project_changed(self, _snapshot: Snapshot) -> None:
        self.read_recorded()

    def read_recorded(self) -> None:
        """Read what the project has recorded, and try every rule on it."""
        library = self.shell.library
        project = library.project
        document = self.book.documents.get(STATE)
        states = document.rules if document is not None else ()
        semantics = self.deeds.semantics
        self.tests.load(project, library.tasks if project is not None else (), states, semantics)

    @Slot()
    def _book_opened(self) -> None:
        self.rehearsal.rehearsals.stop()
        self.rehearsal.rehearsals.clear()
        self.set_context()
        self.show_first()
        self._lint()
        self.read_recorded()

    # -- which rule ----------------------------------------------------------
    def show_first(self) -> None:
        """Put the first rule there is on show."""
        first = next(
            (
                (kind, document.rules[0].id)
                for kind, document in self.book.documents.items()
                if document.rules
            ),
            None,
        )
        if first is None and self.desk.unread:
            first = GROUP, Path(LIBRARY_FILE).name
        self.show_rule(*(first or (next(iter(self.book.documents), ""), "")))

    @Slot(str, str)
    def _rule_chosen(self, kind: str, rule_id: str) -> None:
        self.show_rule(GROUP if is_anomaly(kind) else kind, rule_id, follow=True)

    def show_rule(self, kind: str, rule_id: str, *, follow: bool = True) -> None:
        """Put a rule or an anomaly on show; ``follow`` moves the YAML's cursor to it."""
        self.desk.pane.form.finish_typing()
        self.kind, self.rule_id, self.chosen = kind, rule_id, None
        for stack in (self._screens, self._panes):
            stack.setCurrentIndex(int(kind == GROUP))
        self.below.setVisible(kind != GROUP or self.below.page == REHEARSAL)
        if kind == GROUP:
            self.desk.show(follow=follow)
            self._fill_list()
            self.set_context()
            return
        document = self.document
        self.pane.show_content(any_rule=document is not None and bool(document.text.strip()))
        if document is not None:
            self.pane.yaml.set_text(document.text)
            place = document.place_of(rule_id) if rule_id else None
            if follow and place is not None:
                self.pane.yaml.go_to(place.start)
        self._show_rule()

    def _show_rule(self) -> None:
        """The rule on show has other values, or is another one."""
        rule, document = self.rule, self.document
        self.pane.form.show_rule(rule, anomalies_of(self.book.offered))
        self.pane.form.set_chosen(self.chosen)
        if document is not None and (document is not self._noted or self.findings.knows(document)):
            # Else what was found before stays beside its lines: it comes anew in a moment.
            self.pane.yaml.set_diagnostics(self.findings.of(document))
            self._noted = document
        self._fill_list()
        self._show_head()
        self.set_context()
        self.verdicts.renew()

    def _show_head(self) -> None:
        rule, document = self.rule, self.document
        if rule is None or document is None:
            self.pane.show_head("", RuleState.CLEAN, 0, 0)
            return
        found = self.findings.of(document)
        entry = entry_of(rule, found, self.results)
        self.pane.show_head(rule.id, entry.state, *count_of(found, rule.id))

    def _fill_list(self) -> None:
        groups = [(INJECTION, _("Injection rules")), (SUCCESS, _("Success rules")),
                  (STATE, _("Essential states")), *self.desk.groups()]  # fmt: skip
        entries: list[RuleListEntry] = []
        for document in self.book.documents.values():
            found = self.findings.of(document)
            entries += [entry_of(rule, found, self.results) for rule in document.rules]
        entries += self.desk.entries()
        self.list.set_entries(
            [group for group in groups if any(entry.group == group[0] for entry in entries)], entries
        )
        anomaly = self.desk.anomaly
        category = anomaly.category if anomaly is not None else ""
        self.list.set_current(group_of(category) if self.kind == GROUP else self.kind, self.rule_id)
        every = [one for document in self.book.documents.values() for one in self.findings.of(document)]
        every += self.findings.of(self.book.anomalies) if self.book.anomalies is not None else []
        errors = sum(one.severity is Severity.ERROR for one in every)
        warnings = sum(one.severity is Severity.WARNING for one in every)
        self._problems.set_counts(errors, warnings)
        self._problems.setToolTip(told(every))

    def set_context(self) -> None:
        """Say which commands have something to work on."""
        self.shell.commander.set_context(
            rules__open=bool(self.book.documents),
            rule__selected=self.rule is not None,
            rules__recorded=self.corpus is not None and len(self.corpus) > 0,
            rules__undoable=bool(self.book.undo_name),
            rules__redoable=bool(self.book.redo_name),
            **self.desk.context(),
        )
        self.rehearsal.renew_commands()

    @Slot(object)
    def _document_changed(self, changed: DocumentChanged) -> None:
        document = changed.document
        if document is self.book.anomalies:
            self.desk.document_changed()
            if self.kind != GROUP:
                self._show_rule()
            self._fill_list()
            self.set_context()
            self._lint()
            return
        if isinstance(document, RuleDocument) and document is self.document:
            self.pane.yaml.set_text(document.text)
            self._keep_rule(document)
            if self.chosen is not None and self.rule is not None:
                paths = {path for path, _condition in walk(self.rule.conditions)}
                self.chosen = self.chosen if self.chosen in paths else None
            self._show_rule()
        else:
            self._fill_list()
            self.set_context()
        self.rehearsal.renew()
        self._lint()
        self.verdicts.renew_all()

    def _keep_rule(self, document: RuleDocument) -> None:
        """A rule that was renamed or taken away gives its place to what stands at the cursor now."""
        if document.file.rule(self.rule_id) is None:
            at = document.rule_at(self.pane.yaml.offset)
            first = document.rules[0].id if document.rules else ""
            self.rule_id = at or first

    def _lint(self) -> None:
        documents = list(self.book.documents.values())
        tasks = self.shell.library.tasks if not self.files else ()
        self.findings.look(documents, self.deeds.semantics, tasks, self.book.anomalies)

    @Slot()
    def _found(self) -> None:
        document = self.document
        if document is not None:
            self.pane.yaml.set_diagnostics(self.findings.of(document))
        self._fill_list()
        self._show_head()
        if self.kind == GROUP:
            self.desk.show_found()

    @Slot(object)
    def _conflicted(self, conflicts: MergeConflicts) -> None:
        names = ", ".join(one.rule_id for one in conflicts.found)
        self.shell.toasts.show(
            "warn", _("Somebody else changed {rules} too", rules=names), _("Yours is kept"),
            action=_("Take theirs"), act=lambda: self.deeds.take_theirs(conflicts),
        )  # fmt: skip

    # -- which condition -----------------------------------------------------
    @Slot(object)
    def _condition_chosen(self, path: ConditionPath) -> None:
        self.chosen = path
        document = self.document
        place = document.place_of(self.rule_id, path) if document is not None else None
        if place is not None and not self.pane.yaml.hasFocus():
            self.pane.yaml.go_to(place.start)
        self.verdicts.light()

    @Slot(int)
    def _cursor_moved(self, offset: int) -> None:
        document = self.document
        if document is None or not self.pane.yaml.hasFocus():
            return
        at = document.condition_at(offset)
        rule_id = at[0] if at is not None else document.rule_at(offset)
        if rule_id and rule_id != self.rule_id:
            self.show_rule(self.kind, rule_id, follow=False)
        self.chosen = at[1] if at is not None and at[1] else None
        self.pane.form.set_chosen(self.chosen)
        self.verdicts.light()

    # -- which screen --------------------------------------------------------
    @Slot(object)
    def _corpus_ready(self, corpus: Corpus | None) -> None:
        self.set_context()
        if corpus is None or not len(corpus):
            self.matrix.set_result(None)
            if self.live.phone is not None:
                self.live.show()
            return
        if self.rehearsal.shown is None and (not self.stage.is_live or self.live.phone is None):
            shown = self.stage.shown
            self.go(min(shown.position, len(corpus) - 1) if shown is not None else 0)
        self.verdicts.renew()
        self.verdicts.renew_all()
        self._lint()

    @Slot(int)
    def _step(self, by: int) -> None:
        if self.rehearsal.shown is not None:
            self.rehearsal.step(by)
            return
        shown, corpus = self.stage.shown, self.corpus
        here = self._going_to if self._going_to is not None else shown.position if shown is not None else None
        if here is None or corpus is None:
            return
        trajectory, _index = corpus.locate(here)
        if here + by in corpus.positions_of(trajectory):
            self.go(here + by)

    def go(self, position: int) -> None:
        """Show a recorded state; quick steps count from where the last one leads, not from what is seen."""
        self._going_to = position
        self.tests.show(position)

    @Slot(str)
    def _source_chosen(self, source: str) -> None:
        if source == LIVE:
            self.live.show()
        elif self.corpus is not None and len(self.corpus):
            shown = self.stage.shown
            self.go(shown.position if shown is not None else 0)
        else:
            self.stage.show_nothing()

    @Slot(object)
    def _shown(self, shown: ShownState) -> None:
        self._going_to = None
        self.stage.show_recorded(shown)
        self.matrix.set_current(shown.position)
        self.verdicts.judge()
        if (rule := self.rule) is not None:
            self.tests.tell(rule, shown.position)

    def show_results(self, results: dict[tuple[str, str], BackTestResult]) -> None:
        """How often each rule fires, for the list."""
        self.results = results
        self._fill_list()
        self._show_head()

    # -- asked for by commands ------------------------------------------------
    def show_again(self) -> None:
        """Show the rule as it is in its document: what was typed into the form did not become it."""
        document = self.document
        if document is not None:
            self.pane.yaml.set_text(document.text)
        self._show_rule()

    def show_semantics(self) -> None:
        """Say how rules are read."""
        self._semantics.setText(_("Semantics: {name}", name=self.deeds.semantics))

    # -- life ----------------------------------------------------------------
    def activate(self) -> None:
        self.list.view.setFocus()

    def deactivate(self) -> None:
        self.rehearsal.rehearsals.stop()  # nothing is injected behind a person's back
        self.book.save()

    def close_workspace(self) -> None:
        self.rehearsal.rehearsals.stop()
        self.live.close()
        self.tests.close()
        self.book.close()
