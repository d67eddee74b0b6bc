"""The rules of a task in its form: the one that judges it, those that inject, and what must never happen."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import QPoint, Slot

from collector.model.i18n import _
from collector.model.task import Task
from collector.rules.grammar.model import INJECTION, SAFETY, SUCCESS
from rule_editor.widgets.combo_box import ComboBox
from studio.bridge.rules.rule_names import RuleName
from studio.widgets.choice_menu import ChoiceMenu
from studio.widgets.experiment.chip_row import ChipItem, ChipRow


class TaskRuleFields:
    """Three fields. They show what the task names at once, and offer all rules once these were read."""

    def __init__(self, task: Task) -> None:
        self.success = ComboBox()
        self.success.addItem(_("none"), "")
        if task.rule_key:
            self.success.addItem(task.rule_key, task.rule_key)
        self.success.setCurrentIndex(self.success.findData(task.rule_key))
        self.injections = RuleChips(
            task.target_rule_ids, _("Injection rules"), _("Add or remove injection rules"),
            _("The project has no injection rule"),
        )  # fmt: skip
        self.forbidden = RuleChips(
            task.forbidden, _("Must never"), _("Add or remove safety rules"),
            _("The project has no safety rule"),
        )  # fmt: skip

    @property
    def rule_key(self) -> str:
        """The id of the success rule; empty for none."""
        return str(self.success.currentData() or "")

    def offer(self, names: Iterable[RuleName]) -> None:
        """Offer the rules of the project."""
        names = tuple(names)
        for name in names:
            if name.kind == SUCCESS and self.success.findData(name.id) < 0:
                self.success.addItem(name.id, name.id)
        self.injections.offered = tuple(name for name in names if name.kind == INJECTION)
        self.forbidden.offered = tuple(name for name in names if name.kind == SAFETY)


class RuleChips(ChipRow):
    """Chips of the rules of one kind that a task names; a click removes one."""

    def __init__(self, ids: Iterable[str], title: str, tip: str, none: str) -> None:
        """``tip`` is that of the button that offers rules, ``none`` says that the project has none."""
        super().__init__(title, tip, side=0)
        self._none = none
        self.ids = tuple(ids)
        """The rules of the task, in their order."""
        self.offered: tuple[RuleName, ...] = ()
        """Those of the project."""
        self.chosen.connect(self._remove)
        self.add_wanted.connect(self._offer)
        self._show()

    def _show(self) -> None:
        self.show_items([ChipItem(name, name, _("Remove {name}", name=name)) for name in self.ids])

    @Slot(str)
    def _remove(self, name: str) -> None:
        self._tick(name, False)

    def _tick(self, name: str, on: bool) -> None:
        """Add a rule to those of the task, or remove it."""
        kept = tuple(other for other in self.ids if other != name)
        self.ids = (*kept, name) if on else kept
        self._show()

    @Slot()
    def _offer(self) -> None:
        menu = ChoiceMenu(self)
        for rule in self.offered:
            menu.add_check(rule.id, rule.id in self.ids, partial(self._tick, rule.id), tip=rule.description)
        if menu.isEmpty():
            menu.addAction(self._none).setEnabled(False)
        assert self.add is not None
        menu.popup(self.add.mapToGlobal(QPoint(0, self.add.height())))
