"""Add conditions to the selected rule: from a menu of all kinds, or from a suggestion for a node."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from collector.model.errors import UserError
from collector.rules.grammar.model import Condition, Group, Rule
from collector.rules.suggest.suggestions import Suggestion
from rule_editor.document.rules.condition_slots import ConditionPath
from rule_editor.widgets.menu_text import menu_text
from rule_editor.widgets.popup_menu import PopupMenu
from rule_editor.widgets.rule_form.condition_paths import walk
from rule_editor.widgets.rule_form.form import RuleForm
from studio.bridge import JobRunner
from studio.commands.commander import Commander
from studio.views.conditions.condition_starters import condition_starters
from studio.views.conditions.region_images import ready_condition
from studio.views.rules.rule_list_controller import RuleListController
from studio.views.rules.rule_templates import rule_around
from studio.views.rules.session import RulesSession
from studio.widgets.window_frame.toasts import Toasts


class ConditionController(QObject):
    """Adds conditions; without a rule, ``rules`` begins one."""

    def __init__(
        self, session: RulesSession, form: RuleForm, rules: RuleListController, commander: Commander,
        runner: JobRunner, toasts: Toasts, host: QWidget,
    ) -> None:  # fmt: skip
        super().__init__(host)
        self._host = host
        self._session, self._form, self._rules = session, form, rules
        self._runner, self._toasts = runner, toasts
        form.condition_wanted.connect(self.offer_conditions)
        commander.handle("rules.add-condition", lambda: self.offer_conditions(()))

    @Slot(object)
    def offer_conditions(self, parent: ConditionPath) -> None:
        """Open a menu of all kinds of condition, for the group at ``parent``."""
        menu = PopupMenu(self._host)
        for title, condition in condition_starters(self._session.state):
            menu.addAction(menu_text(title)).setData((parent, condition))
        menu.triggered.connect(self._starter_chosen)
        box = self._form.groups.get(parent)
        if box is not None:
            menu.popup(box.mapToGlobal(QPoint(box.width() // 2, 28)))
        else:
            menu.popup(self._form.mapToGlobal(QPoint(40, 40)))

    def _starter_chosen(self, action: QAction) -> None:
        parent, condition = action.data()
        if self._session.rule is not None:
            self._add(parent, condition)

    @Slot(object)
    def add_suggestion(self, suggestion: Suggestion) -> None:
        """Add the condition chosen for a node: to the selected rule, or to a new one."""
        session = self._session
        try:
            condition = ready_condition(suggestion, self._runner, session.folder, session.recorded)
        except UserError as error:
            self._toasts.show_error(error)
            return
        rule = self._session.rule
        if rule is None:
            self._rules.add_rule(rule_around(self._session, condition))
        else:
            self._add(self._group_of_chosen(rule), condition)

    def _add(self, parent: ConditionPath, condition: Condition) -> None:
        self._session.edit(lambda document, rule_id: document.add_condition(rule_id, parent, condition))

    def _group_of_chosen(self, rule: Rule) -> ConditionPath:
        """Return the group of the chosen condition; the top one when none is chosen."""
        chosen = self._session.condition or ()
        is_group = isinstance(dict(walk(rule.conditions)).get(chosen), Group)
        return chosen if is_group else chosen[:-1]
