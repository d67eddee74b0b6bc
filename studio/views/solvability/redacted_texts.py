"""Fields for texts missing from recordings because they were redacted, such as passwords."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QLineEdit, QScrollArea, QWidget

from collector.model.i18n import _
from collector.replay.redacted_text import redacted_steps
from collector.replay.solvability.plan import SolvabilityInput
from studio.views.solvability.result_table import FIRST_STEP
from studio.widgets.controls import Label

_ROW, _MOST_ROWS, _FIELD = 30, 3, 220


class RedactedTextFields(QScrollArea):
    """One field for each redacted text of the tasks on show."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._fields: dict[tuple[str, int], QLineEdit] = {}
        self._written: dict[tuple[str, int], str] = {}
        self._shown: tuple[str, ...] | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(_("Hidden texts"))

    @property
    def is_needed(self) -> bool:
        """Whether a text of these tasks is missing from its recording."""
        return bool(self._fields)

    @property
    def missing(self) -> int:
        """How many of the tasks cannot be replayed because a text is missing."""
        return len({task for (task, _at), field in self._fields.items() if not field.text()})

    @property
    def texts(self) -> dict[str, tuple[str, ...]]:
        """The texts by task, in the order they are typed; a missing one is empty."""
        texts: dict[str, tuple[str, ...]] = {}
        for (task, _at), field in self._fields.items():
            texts[task] = (*texts.get(task, ()), field.text())
        return texts

    def remember(self, texts: Mapping[str, Sequence[str]]) -> None:
        """Fill the fields with the texts of the last check."""
        self._written |= {
            (task, at): text for task, all_of in texts.items() for at, text in enumerate(all_of)
        }

    def show_tasks(self, check_input: SolvabilityInput, tasks: Sequence[str]) -> None:
        """Show fields for these tasks; texts of other tasks are kept until they are shown again."""
        task_ids = tuple(task for task in tasks if task in check_input.cases)
        if task_ids == self._shown:
            return
        self._shown = task_ids
        self._fields = {}
        body = QWidget()
        grid = QGridLayout(body)
        grid.setContentsMargins(0, 0, 4, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        for task in task_ids:
            for at, step in enumerate(redacted_steps(check_input.cases[task].goldens[0].steps)):
                field = self._field(task, at)
                words = _("{task}, step {step}: {what}", task=task, step=step.index + FIRST_STEP,
                          what=step.description)  # fmt: skip
                field.setAccessibleName(words)
                row = grid.rowCount()
                grid.addWidget(field, row, 0)
                grid.addWidget(Label(words, "body", "text-2", cut=True), row, 1)
        grid.setColumnStretch(1, 1)
        self.setWidget(body)
        self.setFixedHeight(_ROW * min(_MOST_ROWS, len(self._fields)))

    def _field(self, task: str, at: int) -> QLineEdit:
        field = self._fields[task, at] = QLineEdit(self._written.get((task, at), ""))
        field.setEchoMode(QLineEdit.EchoMode.Password)
        field.setProperty("small", True)
        field.setPlaceholderText(_("What to type"))
        field.setFixedWidth(_FIELD)
        field.textChanged.connect(self._wrote)
        return field

    @Slot()
    def _wrote(self) -> None:
        self._written |= {key: field.text() for key, field in self._fields.items()}
        self.changed.emit()
