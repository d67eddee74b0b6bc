"""Add, copy, rename and delete rules; what the rule list and its menu ask for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path as FilePath

from PySide6.QtCore import QObject, QPoint, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QWidget

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.rules.grammar.model import Rule
from rule_editor.widgets.popup_menu import PopupMenu
from rule_editor.widgets.rule_list import RuleList
from studio.bridge.rules.rule_names import ANOMALY_KIND, file_of_group, kind_of_group, rule_group
from studio.commands.commander import Commander
from studio.views.conditions.popup_menus import ask_for_text, open_below
from studio.views.rules.anomalies.anomaly_library_controller import AnomalyLibraryController
from studio.views.rules.rule_edit_controller import RuleEditController
from studio.views.rules.rule_templates import free_id, rule_templates
from studio.views.rules.session import RulesSession
from studio.widgets.window_frame.toasts import Toasts
from studio.widgets.window_frame.toolbar import Toolbar

_RULE_COMMANDS = ("rules.rename", "rules.duplicate", "rules.delete")
_ANOMALY_COMMANDS = (
    "anomaly.rename",
    "anomaly.duplicate",
    "anomaly.add-language",
    "anomaly.add-button-form",
    "anomaly.delete",
)
"""The commands in the menu of a list entry."""


class RuleListController(QObject):
    """Handles the list; what it does to an anomaly, ``anomalies`` does."""

    def __init__(
        self, session: RulesSession, rule_list: RuleList, edits: RuleEditController,
        anomalies: AnomalyLibraryController, toolbar: Toolbar, commander: Commander, toasts: Toasts,
        host: QWidget,
    ) -> None:  # fmt: skip
        """``host`` is the parent of dialogs; the menu of new rules opens below ``toolbar``."""
        super().__init__(host)
        self._session, self._list, self._edits, self._anomalies = session, rule_list, edits, anomalies
        self._toolbar, self._commander, self._toasts, self._host = toolbar, commander, toasts, host
        rule_list.chosen.connect(self._select)
        rule_list.rename_wanted.connect(self.rename)
        rule_list.delete_wanted.connect(self.delete)
        rule_list.menu_wanted.connect(self.open_menu)
        rule_list.add_wanted.connect(self.offer_new)
        commander.handle("rules.new", self.offer_new)
        commander.handle("rules.open-file", self.open_file)
        commander.handle("rules.duplicate", self.duplicate)
        commander.handle("rules.rename", lambda: self.rename(self._group, session.rule_id))
        commander.handle("rules.delete", lambda: self.delete(self._group, session.rule_id))

    @property
    def _group(self) -> str:
        """The list group of the selected rule or anomaly."""
        return rule_group(self._session.kind, self._session.file)

    @Slot(str, str)
    def _select(self, group: str, entry_id: str) -> None:
        self._session.select(kind_of_group(group), entry_id, file_of_group(group))

    # -- adding --------------------------------------------------------------
    @Slot()
    def offer_new(self) -> None:
        """Open a menu of templates for rules, and for anomalies."""
        menu = PopupMenu(self._host)
        for title, make_rule in rule_templates(self._session):
            menu.addAction(title).setData(make_rule)
        if self._session.anomaly_document is not None:
            self._anomalies.fill_menu(menu.addMenu(_("Anomaly")))
        menu.triggered.connect(self._template_chosen)
        open_below(menu, self._toolbar)

    def _template_chosen(self, action: QAction) -> None:
        new = action.data()() if callable(action.data()) else None
        if isinstance(new, Rule):  # the menu of anomalies handles its own entries
            self.add_rule(new)

    def add_rule(self, rule: Rule) -> Rule | None:
        """Add a rule to the file of its kind, behind the selected rule, and select it.

        Of several files of the kind it goes to that of the selected rule, else to the first. Return it with
        the id it got; None when it could not be added.
        """
        session = self._session
        is_same_kind = session.kind == rule.kind
        document = session.document if is_same_kind else session.documents.documents.get(rule.kind)
        if document is None:
            self._toasts.show("warn", _("No file of this kind of rule is open"))
            return None
        taken = {existing.id for existing in session.documents.rules_of(rule.kind)}
        rule = replace(rule, id=free_id(rule.id, taken))
        after = session.rule_id if is_same_kind and session.rule_id in document.parsed.by_key else None
        try:
            document.add_rule(rule, after)
        except UserError as error:
            self._toasts.show_error(error)
            return None
        session.select(rule.kind, rule.id, document.path)
        self._list.view.setFocus()  # a button that disappears would pass the focus to any widget
        return rule

    def open_file(self, path: str = "") -> None:
        """Edit a file that belongs to no project; ask for it when ``path`` is empty."""
        if path:
            self._session.open_files([*self._session.files, FilePath(path)])
            return
        dialog = QFileDialog(self._host, _("Open rule file"), "", "YAML (*.yaml *.yml)")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self.open_file)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def duplicate(self) -> None:
        """Copy the selected rule, and select the copy."""
        new_ids: list[str] = []
        self._session.edit(lambda document, rule_id: new_ids.append(document.duplicate_rule(rule_id)))
        if new_ids:
            self._session.select(self._session.kind, new_ids[0], self._session.file)

    # -- renaming and deleting -----------------------------------------------
    @Slot(str, str)
    def delete(self, group: str, entry_id: str) -> None:
        """Delete a rule or an anomaly; a message offers to undo it."""
        if kind_of_group(group) == ANOMALY_KIND:
            self._anomalies.delete(entry_id)
            return
        document = self._session.documents.file(file_of_group(group))
        if document is None or not entry_id:
            return
        try:
            document.delete_rule(entry_id)
        except UserError as error:
            self._toasts.show_error(error)
            return
        self._toasts.show(
            "ok",
            _("Deleted {id}", id=entry_id),
            action=_("Undo"),
            act=self._session.history.undo,
            for_now=True,
        )

    @Slot(str, str)
    def rename(self, group: str, entry_id: str) -> None:
        """Ask for another id of a rule or an anomaly."""
        if kind_of_group(group) == ANOMALY_KIND:
            self._anomalies.rename(entry_id)
        elif self._session.documents.file(file_of_group(group)) is not None and entry_id:
            self._select(group, entry_id)
            label = _("New id; tasks and experiments that name the rule follow")
            ask_for_text(self._host, _("Rename rule"), label, entry_id, self._edits.rename_to)

    @Slot(str, str, QPoint)
    def open_menu(self, group: str, entry_id: str, at: QPoint) -> None:
        """Open the menu of commands for a rule or an anomaly."""
        kind = kind_of_group(group)
        if kind != ANOMALY_KIND and self._session.documents.file(file_of_group(group)) is None:
            return
        self._select(group, entry_id)
        menu = PopupMenu(self._host)
        for command in _ANOMALY_COMMANDS if kind == ANOMALY_KIND else _RULE_COMMANDS:
            action = menu.addAction(self._commander.registry[command].label)
            action.setData(command)
            action.setEnabled(self._commander.enabled(command))
        menu.triggered.connect(self._command_chosen)
        menu.popup(at)

    def _command_chosen(self, action: QAction) -> None:
        self._commander.run(action.data())
