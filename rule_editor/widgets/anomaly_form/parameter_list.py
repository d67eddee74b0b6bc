"""The parameters of an anomaly: name, type, value and bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from collector.anomalies.grammar import FLAG, INTEGER, NUMBER, TEXT, TYPES
from collector.anomalies.model import AnomalyParameter
from collector.located_yaml.yaml_patch.patch import YamlPatch
from collector.model.companion.activities import STYLE
from collector.model.i18n import N_, _
from rule_editor.document.anomalies import anomaly_edits as edits
from rule_editor.widgets.form_inputs import ChoiceInput, LineInput, bring_into_view
from rule_editor.widgets.toolkit import Toolkit

TYPE_TITLES = {TEXT: N_("text"), INTEGER: N_("whole number"), NUMBER: N_("number"), FLAG: N_("yes or no")}
_EMPTY = {TEXT: "", INTEGER: 0, NUMBER: 0.0, FLAG: False}
_BOUND = 64


def value_of(kind: str, text: str) -> object:
    """The value of a typed text; None when the text is no value of the type ``kind``."""
    text = text.strip() if kind != TEXT else text
    try:
        if kind == INTEGER:
            return int(text)
        if kind == NUMBER:
            return float(text)
    except ValueError:
        return None
    if kind == FLAG:
        return {"true": True, "false": False}.get(text.lower())
    return text


def text_of(value: object) -> str:
    """The text for a value, as a person types it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) else str(value)


class ParameterRow(QWidget):
    """One parameter; of a ``fixed`` one, which the dialog defines, only the value can change."""

    edit_wanted = Signal(object)
    draft_changed = Signal()

    def __init__(self, toolkit: Toolkit, parameter: AnomalyParameter, *, fixed: bool) -> None:
        super().__init__()
        self._parameter = parameter
        self.name = LineInput(_("Name of the parameter"), code=True, small=True)
        self.name.setReadOnly(fixed)
        self.kind = ChoiceInput(
            _("Type of {name}", name=parameter.name),
            [(kind, _(TYPE_TITLES[kind])) for kind in TYPES],
            small=True,
        )
        self.value = LineInput(_("Value of {name}", name=parameter.name), small=True)
        self.lowest = self._bound(_("Lowest value of {name}", name=parameter.name), _("min"))
        self.highest = self._bound(_("Highest value of {name}", name=parameter.name), _("max"))
        self._lay_out(toolkit, fixed=fixed)
        self.name.edited.connect(self._renamed)
        self.kind.picked.connect(self._type_picked)
        self.value.edited.connect(self._valued)
        self.value.textEdited.connect(self.draft_changed)
        self.lowest.edited.connect(partial(self._bounded, "minimum"))
        self.highest.edited.connect(partial(self._bounded, "maximum"))
        self.show_parameter(parameter)

    def _bound(self, name: str, hint: str) -> LineInput:
        line = LineInput(name, small=True)
        line.setFixedWidth(_BOUND)
        line.setAlignment(Qt.AlignmentFlag.AlignRight)
        line.setPlaceholderText(hint)
        return line

    def _lay_out(self, toolkit: Toolkit, *, fixed: bool) -> None:
        remove = toolkit.button("", "x", small=True)
        remove.setToolTip(_("Remove this parameter"))
        remove.setAccessibleName(_("Remove the parameter {name}", name=self._parameter.name))
        remove.clicked.connect(self._remove)
        first, second = QHBoxLayout(), QHBoxLayout()
        first.addWidget(self.name, 1)
        first.addWidget(self.kind, 1)
        self.kind.setVisible(not fixed)
        (first if fixed else second).addWidget(self.value, 1)
        second.addWidget(self.lowest)
        second.addWidget(self.highest)
        first.addWidget(remove)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for row in (first, second):
            row.setSpacing(4)
            column.addLayout(row)
        self.tab_stops: list[QWidget] = [self.name, self.kind, remove, self.value, self.lowest, self.highest]
        """The widgets in tab order."""
        if fixed:
            meaning = STYLE[self._parameter.name][1] if self._parameter.name in STYLE else ""
            self.name.setToolTip(_(meaning) if meaning else _("A parameter of this dialog"))

    def show_parameter(self, parameter: AnomalyParameter) -> None:
        """Show the values; a field being typed in keeps its text."""
        self._parameter = parameter
        self.name.show_text(parameter.name)
        self.kind.show_choice(parameter.type)
        self.value.show_text(text_of(parameter.value))
        for line, bound in ((self.lowest, parameter.lowest), (self.highest, parameter.highest)):
            line.setVisible(parameter.type in (INTEGER, NUMBER) and not self.name.isReadOnly())
            line.show_text("" if bound is None else text_of(bound))

    @property
    def typed_value(self) -> tuple[str, object]:
        """Name and typed value; the value of the file when the text is no value."""
        typed = value_of(self._parameter.type, self.value.text())
        return self._parameter.name, self._parameter.value if typed is None else typed

    # -- input --------------------------------------------------------
    def _ask(self, change: Callable[[YamlPatch], None]) -> None:
        self.edit_wanted.emit(change)

    def _renamed(self, name: str) -> None:
        old, new = self._parameter.name, name.strip()
        if new and new != old:
            self._ask(lambda patch: edits.rename_parameter(patch, old, new))
        else:
            self.name.show_text(old)

    def _type_picked(self, kind: str) -> None:
        name, value = self._parameter.name, value_of(kind, self.value.text())
        new = _EMPTY[kind] if value is None else value

        def change(patch: YamlPatch) -> None:
            edits.set_parameter_key(patch, name, "type", kind)
            edits.set_parameter_key(patch, name, "value", new)

        self._ask(change)

    def _valued(self, text: str) -> None:
        name, kind, value = self._parameter.name, self._parameter.type, value_of(self._parameter.type, text)
        if value is None:
            self.value.show_text(text_of(self._parameter.value))
        else:
            self._ask(lambda patch: edits.set_parameter(patch, name, value, kind))

    def _bounded(self, key: str, text: str) -> None:
        name, value = self._parameter.name, value_of(self._parameter.type, text) if text.strip() else None
        self._ask(lambda patch: edits.set_parameter_key(patch, name, key, value))

    def _remove(self) -> None:
        name = self._parameter.name
        self._ask(lambda patch: edits.set_parameter(patch, name, None))


class ParameterList(QWidget):
    """Rows of parameters, kept while only values change."""

    edit_wanted = Signal(object)
    draft_changed = Signal()

    def __init__(self, toolkit: Toolkit) -> None:
        super().__init__()
        self._toolkit = toolkit
        self.rows: list[ParameterRow] = []
        self._shape: tuple[object, ...] = ()
        self._fixed: tuple[tuple[str, str], ...] = ()
        self.menu: QMenu | None = None
        """The parameters that are offered, while a person chooses one."""
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        head = QHBoxLayout()
        head.addWidget(toolkit.label(_("Parameters"), "heading"))
        head.addStretch(1)
        self.add_button = toolkit.button(_("Parameter"), "plus", small=True)
        self.add_button.clicked.connect(self._ask_which)
        head.addWidget(self.add_button)
        column.addLayout(head)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(6)
        column.addLayout(self._rows)

    def show_parameters(
        self, parameters: Sequence[AnomalyParameter], fixed: Sequence[tuple[str, str]] | None
    ) -> None:
        """Show parameters; ``fixed`` are name and type of those the dialog defines, None for free names."""
        self._fixed = tuple(fixed or ())
        shape = (fixed is None, *((parameter.name, parameter.type) for parameter in parameters))
        if shape != self._shape:
            self._shape = shape
            for row in self.rows:
                row.hide()
                row.deleteLater()
            self.rows = [self._row(parameter, fixed=fixed is not None) for parameter in parameters]
        for row, parameter in zip(self.rows, parameters, strict=True):
            row.show_parameter(parameter)
        names = {parameter.name for parameter in parameters}
        self.add_button.setVisible(fixed is None or any(name not in names for name, _kind in self._fixed))
        self.setVisible(bool(parameters) or fixed is None or bool(self._fixed))

    @property
    def tab_stops(self) -> list[QWidget]:
        """The widgets in tab order."""
        return [self.add_button, *(stop for row in self.rows for stop in row.tab_stops)]

    def _row(self, parameter: AnomalyParameter, *, fixed: bool) -> ParameterRow:
        row = ParameterRow(self._toolkit, parameter, fixed=fixed)
        row.edit_wanted.connect(self.edit_wanted)
        row.draft_changed.connect(self.draft_changed)
        self._rows.addWidget(row)
        return row

    def _ask_which(self) -> None:
        """Offer the parameters that the dialog defines; a new name needs no choice."""
        free = self._free
        if len(free) < 2:
            self._add(*(free[0] if free else (self._new_name, TEXT)))
            return
        menu = self.menu = QMenu(self)
        for name, kind in free:
            meaning = STYLE[name][1] if name in STYLE else ""
            action = menu.addAction(f"{name}\t{_(meaning)}" if meaning else name)
            action.triggered.connect(partial(self._add, name, kind))
        menu.popup(self.add_button.mapToGlobal(self.add_button.rect().bottomLeft()))

    @property
    def _free(self) -> list[tuple[str, str]]:
        """Name and type of the parameters that the dialog defines and the anomaly does not have."""
        taken = {row.typed_value[0] for row in self.rows}
        return [(name, kind) for name, kind in self._fixed if name not in taken]

    @property
    def _new_name(self) -> str:
        taken, number = {row.typed_value[0] for row in self.rows}, 1
        while f"value_{number}" in taken:
            number += 1
        return f"value_{number}"

    def _add(self, name: str, kind: str, _checked: bool = False) -> None:
        value = _EMPTY[kind]
        self.edit_wanted.emit(lambda patch: edits.add_parameter(patch, name, kind, value))
        if self.rows:
            bring_into_view(self.rows[-1])
