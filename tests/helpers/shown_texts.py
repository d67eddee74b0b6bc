"""What a widget says: the texts of its labels, as a person reads them."""

from __future__ import annotations

from PySide6.QtWidgets import QFormLayout, QLabel, QWidget


def shown_texts(widget: QWidget) -> list[str]:
    """The texts of the labels that would be seen if ``widget`` were; empty ones are left out."""
    labels = widget.findChildren(QLabel)
    return [label.text() for label in labels if label.isVisibleTo(widget) and label.text()]


def says(widget: QWidget, words: str) -> bool:
    """Whether a label in ``widget`` shows these words, alone or among others."""
    return any(words in text for text in shown_texts(widget))


def form_rows(widget: QWidget) -> dict[str, str]:
    """The values of the form in ``widget``, by their names."""
    form = widget.findChild(QFormLayout)
    rows = {}
    for row in range(form.rowCount()):
        name = form.itemAt(row, QFormLayout.ItemRole.LabelRole).widget()
        value = form.itemAt(row, QFormLayout.ItemRole.FieldRole).widget()
        assert isinstance(name, QLabel)
        assert isinstance(value, QLabel)
        rows[name.text()] = value.text()
    return rows
