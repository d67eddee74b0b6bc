"""The parameters of an anomaly as fields of their types, kept within their ranges."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QDoubleSpinBox, QFormLayout, QLineEdit, QSpinBox, QWidget

from collector.anomalies import grammar
from collector.anomalies.model import Anomaly, AnomalyParameter
from studio.widgets.controls import Label, Switch
from studio.widgets.controls.fields import dress_spin_box
from studio.widgets.inject.anomaly_entries import parameter_words, shown_parameters

_LOWEST, _HIGHEST = -(2**31), 2**31 - 1
_LABEL_WIDTH, _FIELD_WIDTH = 110, 120


class ParameterForm(QWidget):
    """``changed`` when a value is another one; values that are the library's own are not given."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = QFormLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setHorizontalSpacing(16)
        self._rows.setVerticalSpacing(6)
        self._fields: dict[str, tuple[AnomalyParameter, QWidget]] = {}

    @property
    def fields(self) -> dict[str, QWidget]:
        """The field of each parameter on show."""
        return {name: field for name, (_one, field) in self._fields.items()}

    def show_anomaly(self, anomaly: Anomaly | None) -> None:
        """Fields for another anomaly, with the values of its library."""
        while self._rows.rowCount():
            self._rows.removeRow(0)
        self._fields = {}
        if anomaly is None:
            return
        known = {parameter.name: parameter for parameter in anomaly.parameters}
        for name in shown_parameters(anomaly):
            self._add(known[name])

    def _add(self, one: AnomalyParameter) -> None:
        field = self._field(one)
        title = one.description or parameter_words(one.name)
        field.setAccessibleName(title)
        field.setToolTip(one.name)
        label = Label(title, "body", "text-2", wrap=True)
        label.setFixedWidth(_LABEL_WIDTH)
        self._rows.addRow(label, field)
        self._fields[one.name] = (one, field)

    def _field(self, one: AnomalyParameter) -> QWidget:
        if one.type == grammar.FLAG:
            switch = Switch(one.name, on=bool(one.value))
            switch.toggled.connect(self._edited)
            return switch
        if one.type == grammar.INTEGER:
            whole = QSpinBox()
            whole.setRange(round(_edge(one.lowest, _LOWEST)), round(_edge(one.highest, _HIGHEST)))
            whole.setValue(int(one.value))
            whole.valueChanged.connect(self._edited)
            return _spin(whole)
        if one.type == grammar.NUMBER:
            number = QDoubleSpinBox()
            number.setDecimals(2)
            number.setSingleStep(0.1)
            number.setRange(_edge(one.lowest, _LOWEST), _edge(one.highest, _HIGHEST))
            number.setValue(float(one.value))
            number.valueChanged.connect(self._edited)
            return _spin(number)
        line = QLineEdit(str(one.value))
        line.setProperty("small", True)
        line.setCursorPosition(0)
        line.textEdited.connect(self._edited)
        return line

    @Slot()
    def _edited(self) -> None:
        self.changed.emit()

    def values(self) -> dict[str, object]:
        """What the person changed, by name."""
        said = {name: (one, _value(field)) for name, (one, field) in self._fields.items()}
        return {name: value for name, (one, value) in said.items() if value != one.value}


def _spin(field: QSpinBox | QDoubleSpinBox) -> QWidget:
    field.setProperty("small", True)
    field.setFixedWidth(_FIELD_WIDTH)
    dress_spin_box(field)
    return field


def _edge(bound: float | None, otherwise: float) -> float:
    return otherwise if bound is None else bound


def _value(field: QWidget) -> object:
    if isinstance(field, Switch):
        return field.isChecked()
    if isinstance(field, QSpinBox | QDoubleSpinBox):
        field.interpretText()
        return field.value()
    assert isinstance(field, QLineEdit)
    return field.text()
