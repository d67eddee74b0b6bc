"""The form of one rule; it shows the rule, and emits requests for edits of the document."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from collector.model.i18n import _
from collector.rules.evaluation.proof import Proof
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.model import INJECTION, SAFETY, Condition, Group, Rule
from rule_editor.document.rules.condition_slots import ConditionPath
from rule_editor.widgets.form_inputs import form_page
from rule_editor.widgets.rule_form.action_box import ActionBox, AnomalyChoice
from rule_editor.widgets.rule_form.condition_paths import negated, proof_at, walk
from rule_editor.widgets.rule_form.condition_row import ConditionRow
from rule_editor.widgets.rule_form.group_box import GroupBox
from rule_editor.widgets.toolkit import Toolkit

LABEL_WIDTH = 80
"""Width of the names of the fields, in logical pixels."""
_HIGHEST = 9999


class RuleForm(QScrollArea):
    """Emits what a person asks for; paths are those of conditions (``ConditionPath``)."""

    field_edited = Signal(str, object)
    """Key of the rule and its new value."""
    condition_edited = Signal(object, str, object)
    condition_removed = Signal(object)
    condition_moved = Signal(object, object, int)
    """Path, path of the target group, and index in that group before the move."""
    condition_chosen = Signal(object)
    condition_wanted = Signal(object)
    """Path of the group that gets a new condition."""
    group_edited = Signal(object, str)
    action_edited = Signal(int, str, object)
    action_removed = Signal(int)
    action_wanted = Signal()
    anomaly_wanted = Signal(str)
    """Id of the anomaly to edit."""

    def __init__(self, toolkit: Toolkit, parent: QWidget | None = None, *, has_fields: bool = True) -> None:
        """Without ``has_fields`` it shows conditions and actions, and its owner adds what stands around."""
        super().__init__(parent)
        self.setAccessibleName(_("Rule"))
        self._toolkit = toolkit
        self._has_fields = has_fields
        self._rule: Rule | None = None
        self._shape: tuple[object, ...] = ()
        self._chosen: ConditionPath | None = None
        self._nodes_shown = False
        self.rows: dict[ConditionPath, ConditionRow] = {}
        self.groups: dict[ConditionPath, GroupBox] = {}
        self.action_boxes: list[ActionBox] = []
        self.id_field = self._field("id", _("Id"))
        self.description = self._field("description", _("Description"))
        self.priority = QSpinBox()
        toolkit.align_spin_box(self.priority)
        self.priority.setRange(-_HIGHEST, _HIGHEST)
        self.priority.setFixedWidth(72)
        self.priority.setKeyboardTracking(False)
        self.priority.setAccessibleName(_("Priority"))
        self.priority.valueChanged.connect(self._priority_changed)
        self.once = toolkit.switch(_("Once per episode"))
        self.once.clicked.connect(self._once_changed)
        self.every_task = toolkit.switch(_("Counts for every task"))
        self.every_task.clicked.connect(self._every_task_changed)
        self._injection_only: list[QWidget] = []
        self._safety_only: list[QWidget] = []
        self._top: GroupBox | None = None
        self._lay_out()

    def _field(self, key: str, name: str) -> QLineEdit:
        line = QLineEdit()
        line.setAccessibleName(name)
        if key == "id":
            line.setProperty("role", "code")

        def emit_edit() -> None:
            if line.isModified():
                line.setModified(False)
                self.field_edited.emit(key, line.text().strip() if key == "id" else line.text())

        line.editingFinished.connect(emit_edit)
        return line

    def _lay_out(self) -> None:
        self._column = form_page(self, self._toolkit)
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(8)
        grid.setColumnMinimumWidth(0, LABEL_WIDTH)
        for row, (words, field) in enumerate(
            ((_("Id"), self.id_field), (_("Description"), self.description))
        ):
            grid.addWidget(self._toolkit.label(words, "body", "text-2"), row, 0)
            grid.addWidget(field, row, 1)
        name = self._toolkit.label(_("Priority"), "body", "text-2")
        grid.addWidget(name, 2, 0)
        line = QHBoxLayout()
        line.setSpacing(8)
        once = self._toolkit.label(_("Once per episode"), cut=True)
        line.addWidget(self.priority)
        line.addSpacing(8)
        line.addWidget(self.once)
        line.addWidget(once, 1)
        grid.addLayout(line, 2, 1)
        self._injection_only += [name, self.priority, self.once, once]
        for_all = QHBoxLayout()
        for_all.setSpacing(8)
        every_task = self._toolkit.label(_("Counts for every task"), cut=True)
        for_all.addWidget(self.every_task)
        for_all.addWidget(every_task, 1)
        grid.addLayout(for_all, 3, 1)
        self._safety_only += [self.every_task, every_task]
        if self._has_fields:
            self._column.addLayout(grid)
        self._place = QVBoxLayout()
        self._column.addLayout(self._place)
        self._column.addWidget(self._then())
        self._column.addStretch(1)

    def _then(self) -> QWidget:
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        head = QHBoxLayout()
        head.addWidget(self._toolkit.label(_("Then"), "heading"))
        head.addStretch(1)
        add = self._toolkit.button(_("Action"), "plus", small=True)
        add.clicked.connect(self.action_wanted)
        head.addWidget(add)
        column.addLayout(head)
        self._actions = QVBoxLayout()
        column.addLayout(self._actions)
        self._injection_only.append(box)
        return box

    def add_above(self, widget: QWidget) -> None:
        """Add a widget above the conditions."""
        self._column.insertWidget(self._column.indexOf(self._place), widget)

    def add_below(self, widget: QWidget) -> None:
        """Add a widget below everything, in front of the free space."""
        self._column.insertWidget(self._column.count() - 1, widget)

    # -- what is shown -------------------------------------------------------
    @property
    def rule(self) -> Rule | None:
        """The rule shown."""
        return self._rule

    def show_rule(self, rule: Rule | None, anomalies: Sequence[AnomalyChoice] = ()) -> None:
        """Show a rule; the rows stay when only values changed, so that a text being typed stays."""
        self._rule = rule
        page = self.widget()
        if page is not None:
            page.setVisible(rule is not None)
        if rule is None:
            return
        self._show_line(self.id_field, rule.id)
        self._show_line(self.description, rule.description)
        self.priority.blockSignals(True)
        self.priority.setValue(min(max(rule.priority, -_HIGHEST), _HIGHEST))
        self.priority.blockSignals(False)
        self.once.setChecked(rule.once)
        for widget in self._injection_only:
            widget.setVisible(rule.kind == INJECTION)
        self.every_task.setChecked(rule.every_task)
        for widget in self._safety_only:
            widget.setVisible(rule.kind == SAFETY)
        shape = (
            rule.kind,
            len(rule.actions),
            *(_shape(path, condition) for path, condition in walk(rule.conditions)),
        )
        if shape != self._shape:
            self._shape = shape
            self._rebuild(rule)
        for path, condition in walk(rule.conditions):
            if path in self.rows:
                self.rows[path].show_condition(condition)
            elif path in self.groups and isinstance(condition, Group):
                self.groups[path].kinds.set_current(condition.kind)
        for box, action in zip(self.action_boxes, rule.actions, strict=True):
            box.show_action(action, anomalies)

    @staticmethod
    def _show_line(line: QLineEdit, text: str) -> None:
        if not (line.hasFocus() and line.isModified()) and line.text() != text:
            line.setText(text)
            line.setCursorPosition(0)

    def show_proof(self, proof: Proof | None, view: StateView | None) -> None:
        """Tick every condition by its proof on the current screen; None when there is no screen."""
        if self._rule is None:  # the rows of the previous rule are only hidden
            return
        for path, row in self.rows.items():
            row.show_proof(proof_at(proof, path), view, wanted=not negated(self._rule.conditions, path))

    def set_chosen(self, path: ConditionPath | None) -> None:
        """Mark the chosen condition, without a signal."""
        self._chosen = path
        for own, row in self.rows.items():
            row.set_chosen(on=own == path)

    @Slot(bool)
    def show_nodes(self, shown: bool) -> None:
        """Say whether a screen beside the form shows nodes that can be clicked."""
        self._nodes_shown = shown
        for group in self.groups.values():
            group.show_nodes(shown)

    def offer(self, by_kind: dict[str, list[str]]) -> None:
        """Set the completions of the fields, by kind of field."""
        for row in self.rows.values():
            for editor in row.fields.values():
                editor.offer(by_kind.get(editor.kind, []))

    # -- building ------------------------------------------------------------
    def _rebuild(self, rule: Rule) -> None:
        if self._top is not None:
            self._top.hide()
            self._top.deleteLater()
        self.rows, self.groups = {}, {}
        for path, condition in walk(rule.conditions):
            row = self._group(condition, path) if isinstance(condition, Group) else self._row(condition, path)
            if path:
                self.groups[path[:-1]].add_row(row)
        self._top = self.groups[()]
        last: QWidget = self._top
        while isinstance(last, GroupBox) and last.rows:
            last = last.rows[-1]
        if isinstance(last, ConditionRow):
            last.end_card()
        self._place.addWidget(self._top)
        for box in self.action_boxes:
            box.hide()
            box.deleteLater()
        self.action_boxes = [self._action(index) for index in range(len(rule.actions))]
        self.set_chosen(self._chosen)

    def _group(self, group: Group, path: ConditionPath) -> GroupBox:
        box = self.groups[path] = GroupBox(self._toolkit, group, path)
        box.show_nodes(self._nodes_shown)
        box.moved.connect(self.condition_moved)
        box.kind_chosen.connect(self.group_edited)
        box.add_wanted.connect(self.condition_wanted)
        box.removed.connect(self.condition_removed)
        return box

    def _row(self, condition: Condition, path: ConditionPath) -> ConditionRow:
        row = self.rows[path] = ConditionRow(self._toolkit, condition, path)
        row.edited.connect(self.condition_edited)
        row.removed.connect(self.condition_removed)
        row.chosen.connect(self._choose)
        row.nudged.connect(self._nudge)
        return row

    def _action(self, index: int) -> ActionBox:
        box = ActionBox(self._toolkit, index)
        box.edited.connect(self.action_edited)
        box.removed.connect(self.action_removed)
        box.opened.connect(self.anomaly_wanted)
        self._actions.addWidget(box)
        return box

    # -- input --------------------------------------------------------
    def _choose(self, path: ConditionPath) -> None:
        self.set_chosen(path)
        self.condition_chosen.emit(path)

    def _nudge(self, path: ConditionPath, key: int) -> None:
        """Alt and an arrow: move up or down in the group, left out of it, right into a neighbour group."""
        parent, place = path[:-1], path[-1]
        count = len(self.groups[parent].rows)
        if key == Qt.Key.Key_Up and place > 0:
            self.condition_moved.emit(path, parent, place - 1)
        elif key == Qt.Key.Key_Down and place < count - 1:
            self.condition_moved.emit(path, parent, place + 2)
        elif key == Qt.Key.Key_Left and parent:
            self.condition_moved.emit(path, parent[:-1], parent[-1] + 1)
        elif key == Qt.Key.Key_Right:
            neighbours = ((*parent, place + 1), (*parent, place - 1))
            group = next((neighbour for neighbour in neighbours if neighbour in self.groups), None)
            if group is not None:
                self.condition_moved.emit(path, group, len(self.groups[group].rows))

    def _priority_changed(self, value: int) -> None:
        self.field_edited.emit("priority", value)

    def _once_changed(self, on: bool) -> None:
        self.field_edited.emit("once", on)

    @Slot(bool)
    def _every_task_changed(self, on: bool) -> None:
        self.field_edited.emit("every_task", on)


def _shape(path: ConditionPath, condition: Condition) -> tuple[object, ...]:
    """The properties of a condition that decide which widgets it needs."""
    return (path, type(condition), getattr(condition, "written", ""), bool(condition.min_step))
