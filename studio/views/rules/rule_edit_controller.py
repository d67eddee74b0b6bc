"""What the commands, the form, the YAML and the menus of the Rules workspace do to the documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QInputDialog, QMenu

from collector.located_yaml.diagnostics import QuickFix
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.rules.backtest.threshold_advice import ThresholdAlternative
from collector.rules.conditions.image_matches import ImageMatches
from collector.rules.grammar.model import DGARA, INJECTION, WAYMARK, Group, Injection, Rule
from collector.rules.grammar.rule_reader import read_rules
from collector.rules.suggest.rule_proposals import RuleProposal
from collector.rules.suggest.suggestions import Suggestion
from rule_editor.document.completion.completions import Completion
from rule_editor.document.rules.condition_slots import ConditionPath
from rule_editor.document.rules.rule_document import RuleDocument
from rule_editor.widgets.menu_text import menu_text
from rule_editor.widgets.rule_form.condition_paths import walk
from studio.bridge.rule_documents import MergeConflicts
from studio.commands.commander import Handler
from studio.views.rules import completion_vocabulary as words
from studio.views.rules import rule_templates as templates
from studio.views.rules.document_pane import BOTH, FORM, YAML
from studio.views.rules.list_entries import GROUP, is_anomaly
from studio.views.rules.matrix_export import export_matrix
from studio.views.rules.quick_fixes import offer_quick_fixes
from studio.views.rules.region_images import save_region_image
from studio.views.rules.screen_pane import LIVE, RECORDED

if TYPE_CHECKING:
    from studio.views.rules.workspace import RulesWorkspace

_TYPING = "typing"
_VIEWS = (FORM, BOTH, YAML)
_OF_RULE = ("rules.rename", "rules.duplicate", "rules.delete")
_OF_ANOMALY = (
    "anomaly.rename",
    "anomaly.duplicate",
    "anomaly.add-language",
    "anomaly.add-button-form",
    "anomaly.delete",
)
"""What the menu of an entry of the list offers."""


class RuleDeeds(QObject):
    """Every change goes to a document; what follows is told by the book. Errors become a message."""

    def __init__(self, workspace: RulesWorkspace) -> None:
        super().__init__(workspace)
        self._home = workspace
        self._shell = workspace.shell
        self._semantics = ""
        self._opened: dict[str, str] = {}
        self._handle()
        workspace.book.opened.connect(self._remember)

    def _handle(self) -> None:
        home = self._home
        deeds: dict[str, Handler] = {
            "rules.new": self.new,
            "rules.open-file": self.open_file,
            "rules.duplicate": self.duplicate,
            "rules.propose": self.propose,
            "rules.backtest": home.read_recorded,
            "rules.compare": self.compare,
            "rules.fix": self.fix,
            "rules.switch-semantics": self.switch_semantics,
            "rules.rename": lambda: self.rename(home.kind, home.rule_id),
            "rules.delete": lambda: self.delete(home.kind, home.rule_id),
            "rules.add-condition": lambda: self.offer_conditions(()),
            "rules.previous-state": lambda: home.stage.stepped.emit(-1),
            "rules.next-state": lambda: home.stage.stepped.emit(1),
            "rules.next-fire": self.next_fire,
            "rules.toggle-live": self.switch_source,
            "rules.switch-editor": self.switch_view,
            "rules.find": home.list.filter.setFocus,
            "rules.undo": self.undo,
            "rules.redo": self.redo,
        }
        for command, deed in deeds.items():
            self._shell.commander.handle(command, deed)

    # -- semantics -----------------------------------------------------------
    @property
    def semantics(self) -> str:
        """``waymark`` or ``dgara``: as the person chose, else as the project says."""
        project = self._shell.library.project
        return self._semantics or (project.semantics if project is not None else WAYMARK)

    def switch_semantics(self) -> None:
        """Read the rules the other way, without changing the project."""
        self._semantics = DGARA if self.semantics == WAYMARK else WAYMARK
        self._home.show_semantics()
        self._home.read_recorded()

    # -- edits ---------------------------------------------------------------
    def edit(self, change: Callable[[RuleDocument, str], object]) -> bool:
        """Change the document of the rule on show; False when it could not be, which has been told."""
        document = self._home.document
        if document is None:
            return False
        try:
            change(document, self._home.rule_id)
        except UserError as error:
            self._shell.toasts.show_error(error)
            self._home.show_again()
            return False
        return True

    @Slot(str, object)
    def set_field(self, key: str, value: object) -> None:
        if key == "id":
            self._rename_to(str(value))
        else:
            self.edit(lambda document, rule_id: document.set_field(rule_id, key, value))

    @Slot(object, str, object)
    def set_condition_field(self, path: ConditionPath, key: str, value: object) -> None:
        self.edit(lambda document, rule_id: document.set_condition_field(rule_id, path, key, value))

    @Slot(object)
    def delete_condition(self, path: ConditionPath) -> None:
        self.edit(lambda document, rule_id: document.delete_condition(rule_id, path))

    @Slot(object, object, int)
    def move_condition(self, path: ConditionPath, parent: ConditionPath, index: int) -> None:
        self.edit(lambda document, rule_id: document.move_condition(rule_id, path, parent, index))

    @Slot(object, str)
    def set_group_kind(self, path: ConditionPath, kind: str) -> None:
        self.edit(lambda document, rule_id: document.set_group(rule_id, path, kind))

    @Slot(int, str, object)
    def set_action_field(self, index: int, key: str, value: object) -> None:
        self.edit(lambda document, rule_id: document.set_action_field(rule_id, index, key, value))

    @Slot(int)
    def delete_action(self, index: int) -> None:
        self.edit(lambda document, rule_id: document.delete_action(rule_id, index))

    @Slot()
    def add_action(self) -> None:
        injection = Injection(interference_id=templates.first_anomaly(self._home))
        self.edit(lambda document, rule_id: document.add_action(rule_id, injection))

    @Slot(int, int, str)
    def type_text(self, start: int, end: int, text: str) -> None:
        self.edit(lambda document, _rule_id: document.replace(start, end, text, merge_key=_TYPING))

    def completions(self, offset: int) -> Sequence[Completion]:
        """What may be written at a character of the YAML."""
        return words.completions(self._home, offset)

    # -- fixes ---------------------------------------------------------------
    @Slot(object)
    def apply_fix(self, fix: QuickFix) -> None:
        self.edit(lambda document, _rule_id: document.apply_fix(fix))

    def fix(self) -> None:
        """The fix of the cursor's line, else the first the rule has."""
        if self._home.kind == GROUP:
            self._home.desk.deeds.fix()
            return
        document = self._home.document
        found = self._home.findings.of(document) if document is not None else ()
        own = [one for one in found if one.rule_id == self._home.rule_id]
        offer_quick_fixes(self._home.pane.yaml, own, self._shell.toasts)

    # -- undo ----------------------------------------------------------------
    def undo(self) -> None:
        self._home.book.undo()
        self._home.set_context()

    def redo(self) -> None:
        self._home.book.redo()
        self._home.set_context()

    @Slot()
    def _remember(self) -> None:
        self._opened = {kind: document.text for kind, document in self._home.book.documents.items()}

    def saved_rule(self) -> Rule | None:
        """The rule on show as it was when its file was opened."""
        text = self._opened.get(self._home.kind, "")
        return read_rules(text, kind=self._home.kind).rule(self._home.rule_id)

    def compare(self) -> None:
        """Mark, or stop marking, where the rule does something else than when the file was opened."""
        self._home.compared = not self._home.compared
        self._home.show_again()

    # -- rules ---------------------------------------------------------------
    @Slot()
    def new(self) -> None:
        """Ask for a kind and a template, and add the rule."""
        menu = self._menu()
        for title, make in templates.templates(self._home):
            menu.addAction(title).setData(make)
        if self._home.book.anomalies is not None:
            self._home.desk.deeds.fill_menu(menu.addMenu(_("Anomaly")))
        menu.triggered.connect(self._made)
        menu.popup(self._home.toolbar.mapToGlobal(self._home.toolbar.rect().bottomLeft()))

    def _made(self, action: QAction) -> None:
        if callable(action.data()):
            self.add_rule(action.data()())

    def add_rule(self, rule: Rule) -> None:
        """Add a rule to the file of its kind, behind the rule on show, and show it."""
        document = self._home.book.documents.get(rule.kind)
        if document is None:
            self._shell.toasts.show("warn", _("No file of this kind of rule is open"))
            return
        taken = {rule.id for rule in document.rules}
        rule = replace(rule, id=templates.free_id(rule.id, taken))
        after = self._home.rule_id if self._home.kind == rule.kind and self._home.rule_id in taken else None
        try:
            document.add_rule(rule, after)
        except UserError as error:
            self._shell.toasts.show_error(error)
            return
        self._home.show_rule(rule.kind, rule.id)
        self._home.list.view.setFocus()  # and not whatever a vanished button leaves it to

    def open_file(self, path: str = "") -> None:
        """Edit a file that is in no project; without a path ask for one."""
        if path:
            self._home.open_files([*self._home.files, Path(path)])
            return
        dialog = QFileDialog(self._home, _("Open rule file"), "", "YAML (*.yaml *.yml)")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self.open_file)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def duplicate(self) -> None:
        made: list[str] = []
        self.edit(lambda document, rule_id: made.append(document.duplicate_rule(rule_id)))
        if made:
            self._home.show_rule(self._home.kind, made[0])

    @Slot(str, str)
    def delete(self, kind: str, rule_id: str) -> None:
        if is_anomaly(kind):
            self._home.desk.deeds.delete(rule_id)
            return
        document = self._home.book.documents.get(kind)
        if document is None or not rule_id:
            return
        try:
            document.delete_rule(rule_id)
        except UserError as error:
            self._shell.toasts.show_error(error)
            return
        self._shell.toasts.show("ok", _("Deleted {id}", id=rule_id), action=_("Undo"), act=self.undo)

    @Slot(str, str)
    def rename(self, kind: str, rule_id: str) -> None:
        """Ask for another id."""
        if is_anomaly(kind):
            self._home.desk.deeds.rename(rule_id)
            return
        if kind not in self._home.book.documents or not rule_id:
            return
        self._home.show_rule(kind, rule_id)
        dialog = QInputDialog(self._home)
        dialog.setWindowTitle(_("Rename rule"))
        dialog.setLabelText(_("New id; tasks that name the rule follow"))
        dialog.setTextValue(rule_id)
        dialog.textValueSelected.connect(self._rename_to)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _rename_to(self, new_id: str) -> None:
        old, kind = self._home.rule_id, self._home.kind
        if not new_id or new_id == old:
            return
        if self.edit(lambda _document, rule_id: self._home.book.rename(kind, rule_id, new_id)):
            templates.rename_in_tasks(self._shell.library, kind, old, new_id)
            self._home.show_rule(kind, new_id)

    @Slot(str, str, QPoint)
    def open_menu(self, kind: str, rule_id: str, at: QPoint) -> None:
        """What can be done with a rule or an anomaly of the list."""
        if not is_anomaly(kind) and kind not in self._home.book.documents:
            return
        self._home.show_rule(GROUP if is_anomaly(kind) else kind, rule_id)
        menu = self._menu()
        for command in _OF_ANOMALY if is_anomaly(kind) else _OF_RULE:
            row = self._shell.commander.registry[command]
            action = menu.addAction(row.label)
            action.setData(command)
            action.setEnabled(self._shell.commander.enabled(command))
        menu.triggered.connect(self._command_chosen)
        menu.popup(at)

    def _command_chosen(self, action: QAction) -> None:
        self._shell.commander.run(action.data())

    def take_theirs(self, conflicts: MergeConflicts) -> None:
        """Settle every conflict with what the other program wrote."""
        for one in conflicts.found:
            conflicts.document.take_theirs(one)

    # -- conditions ----------------------------------------------------------
    @Slot(object)
    def offer_conditions(self, parent: ConditionPath) -> None:
        """A menu of all kinds of condition, for the group at ``parent``."""
        menu = self._menu()
        for title, condition in templates.conditions(self._home.stage.state):
            menu.addAction(menu_text(title)).setData((parent, condition))
        menu.triggered.connect(self._condition_made)
        form = self._home.pane.form
        box = form.groups.get(parent)
        spot = (
            box.mapToGlobal(QPoint(box.width() // 2, 28))
            if box is not None
            else form.mapToGlobal(QPoint(40, 40))
        )
        menu.popup(spot)

    def _condition_made(self, action: QAction) -> None:
        parent, condition = action.data()
        rule = self._home.rule
        if rule is not None:
            self.edit(lambda document, rule_id: document.add_condition(rule_id, parent, condition))

    @Slot(object)
    def add_suggested(self, suggestion: Suggestion) -> None:
        """Add what was chosen in the menu at a node: to the rule on show, or to a new one."""
        condition = suggestion.condition
        if isinstance(condition, ImageMatches):
            if suggestion.region is None or self._home.stage.shown is None:
                self._shell.toasts.show("info", _("Pictures are cut from recorded states"))
                return
            folder = self._shell.library.project.folder if self._shell.library.project is not None else None
            name = save_region_image(
                self._shell.tasks, folder, self._home.stage.shown.image, suggestion.region
            )
            condition = replace(condition, image=name)
        rule = self._home.rule
        if rule is None:
            self.add_rule(templates.rule_around(self._home, condition))
            return
        parent = self._parent_of_chosen(rule)
        self.edit(lambda document, rule_id: document.add_condition(rule_id, parent, condition))

    def _parent_of_chosen(self, rule: Rule) -> ConditionPath:
        """The group a new condition goes into: that of the chosen condition, else the top one."""
        chosen = self._home.chosen or ()
        found = dict(walk(rule.conditions)).get(chosen)
        return chosen if isinstance(found, Group) else chosen[:-1]

    @Slot(object)
    def take_advice(self, advice: ThresholdAlternative) -> None:
        """Write the threshold the explanation offered."""
        rule = self._home.rule
        if rule is None:
            return
        for path, condition in walk(rule.conditions):
            if condition == advice.condition:
                self.set_condition_field(path, "match_threshold", advice.threshold)
                return

    # -- proposals -----------------------------------------------------------
    def propose(self) -> None:
        """Ask for success rules and injection points of the trajectory on show, else of the first."""
        shown, corpus = self._home.stage.shown, self._home.corpus
        if shown is not None:
            self._home.tests.propose(shown.trajectory, templates.first_anomaly(self._home))
        elif corpus is not None and corpus.trajectories:
            self._home.tests.propose(corpus.trajectories[0], templates.first_anomaly(self._home))

    @Slot(object)
    def offer_proposals(self, found: list[RuleProposal]) -> None:
        """A menu of what a trajectory proposes."""
        if not found:
            self._shell.toasts.show(
                "info", _("This trajectory tells nothing at its end that it did not before")
            )
            return
        menu = self._menu()
        kind = ""
        for one in found:
            if one.rule.kind != kind:
                kind = one.rule.kind
                heading = menu.addAction(_("Injection rules") if kind == INJECTION else _("Success rules"))
                heading.setEnabled(False)
            action = menu.addAction(menu_text(f"{one.score}  {templates.cut(one.title)}"))
            action.setToolTip(one.reason)
            action.setData(one)
        menu.setToolTipsVisible(True)
        menu.triggered.connect(self._proposal_chosen)
        bar = self._home.toolbar
        menu.popup(bar.mapToGlobal(bar.rect().bottomLeft()))

    def _proposal_chosen(self, action: QAction) -> None:
        one = action.data()
        self.add_rule(one.rule)
        added = self._home.rule
        shown = self._home.stage.shown
        if added is not None and shown is not None:
            templates.name_in_task(self._shell.library, shown.trajectory.task_id, added)

    # -- looking -------------------------------------------------------------
    def next_fire(self) -> None:
        """Show the next state, in any trajectory, on which the rule fires."""
        position = self._home.verdicts.next_fire()
        if position is None:
            self._shell.toasts.show("info", _("The rule fires nowhere"))
        else:
            self._home.go(position)

    def switch_source(self) -> None:
        self._home.stage.source_chosen.emit(RECORDED if self._home.stage.is_live else LIVE)

    def switch_view(self) -> None:
        pane = self._home.front
        pane.set_view(_VIEWS[(_VIEWS.index(pane.view) + 1) % len(_VIEWS)])

    @Slot()
    def export(self) -> None:
        """Ask for a file and write the matrix."""
        dialog = QFileDialog(self._home, _("Save the matrix"), "backtest.csv", "CSV (*.csv)")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.fileSelected.connect(self._export_to)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _export_to(self, path: str) -> None:
        export_matrix(self._shell.tasks, path, self._home.matrix.rows.shown, self._shell.toasts)

    def _menu(self) -> QMenu:
        menu = QMenu(self._home)
        menu.aboutToHide.connect(menu.deleteLater)
        return menu
