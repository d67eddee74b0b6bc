"""What a widget says: the texts of its labels, as a person reads them."""

from __future__ import annotations

from PySide6.QtWidgets import QFormLayout, QLabel, QLayoutItem, QWidget


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
    assert form is not None
    names = [form.itemAt(row, QFormLayout.ItemRole.LabelRole) for row in range(form.rowCount())]
    values = [form.itemAt(row, QFormLayout.ItemRole.FieldRole) for row in range(form.rowCount())]
    return {_text_of(name): _text_of(value) for name, value in zip(names, values, strict=True)}


def _text_of(item: QLayoutItem | None) -> str:
    label = item.widget() if item is not None else None
    return label.text() if isinstance(label, QLabel) else ""
