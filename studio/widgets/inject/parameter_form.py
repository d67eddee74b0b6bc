"""A form for the parameters of an anomaly: one field each, limited to its type and range."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QDoubleSpinBox, QFormLayout, QLineEdit, QSpinBox, QWidget

from collector.anomalies.model import Anomaly, AnomalyParameter
from collector.model.companion.activities import FLAG, INTEGER, NUMBER
from studio.widgets.controls import Label, Switch
from studio.widgets.controls.fields import dress_spin_box
from studio.widgets.inject.anomaly_entries import parameter_words, shown_parameters

_LOWEST, _HIGHEST = -(2**31), 2**31 - 1
_LABEL_WIDTH, _FIELD_WIDTH = 110, 120


class ParameterForm(QWidget):
    """Fields for parameters; ``changed`` is emitted when a value was edited."""

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
        return {name: field for name, (_parameter, field) in self._fields.items()}

    def show_anomaly(self, anomaly: Anomaly | None) -> None:
        """Show the parameters of another anomaly, with their default values."""
        while self._rows.rowCount():
            self._rows.removeRow(0)
        self._fields = {}
        if anomaly is None:
            return
        known = {parameter.name: parameter for parameter in anomaly.parameters}
        for name in shown_parameters(anomaly):
            self._add(known[name])

    def _add(self, parameter: AnomalyParameter) -> None:
        field = self._field(parameter)
        title = parameter.description or parameter_words(parameter.name)
        field.setAccessibleName(title)
        field.setToolTip(parameter.name)
        label = Label(title, "body", "text-2", wrap=True)
        label.setFixedWidth(_LABEL_WIDTH)
        self._rows.addRow(label, field)
        self._fields[parameter.name] = (parameter, field)

    def _field(self, parameter: AnomalyParameter) -> QWidget:
        if parameter.type == FLAG:
            switch = Switch(parameter.name, on=bool(parameter.value))
            switch.toggled.connect(self._edited)
            return switch
        if parameter.type == INTEGER:
            whole = QSpinBox()
            whole.setRange(round(_edge(parameter.lowest, _LOWEST)), round(_edge(parameter.highest, _HIGHEST)))
            whole.setValue(int(parameter.value))
            whole.valueChanged.connect(self._edited)
            return _spin(whole)
        if parameter.type == NUMBER:
            number = QDoubleSpinBox()
            number.setDecimals(2)
            number.setSingleStep(0.1)
            number.setRange(_edge(parameter.lowest, _LOWEST), _edge(parameter.highest, _HIGHEST))
            number.setValue(float(parameter.value))
            number.valueChanged.connect(self._edited)
            return _spin(number)
        line = QLineEdit(str(parameter.value))
        line.setProperty("small", True)
        line.setCursorPosition(0)
        line.textEdited.connect(self._edited)
        return line

    @Slot()
    def _edited(self) -> None:
        self.changed.emit()

    def values(self) -> dict[str, object]:
        """Return the values that differ from the defaults, by name."""
        values = {name: (parameter, _value(field)) for name, (parameter, field) in self._fields.items()}
        return {name: value for name, (parameter, value) in values.items() if value != parameter.value}


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
