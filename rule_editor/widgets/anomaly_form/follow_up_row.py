"""One follow-up of an answer: a choice of the menu, with its text or seconds."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSpinBox, QVBoxLayout, QWidget

from collector.model.i18n import _
from rule_editor.document.anomalies.follow_up_choices import (
    CHOICES,
    NOTHING,
    PROGRESS,
    SETTINGS,
    SHELL,
    NamedFollowUp,
    chosen_follow_up,
)
from rule_editor.widgets.form_inputs import ChoiceInput, LineInput, bring_into_view
from rule_editor.widgets.toolkit import Toolkit

_MOST_SECONDS = 3600


class FollowUpRow(QWidget):
    """Edits ``follow_up``; emits ``changed`` and ``removed``."""

    changed = Signal()
    removed = Signal()

    def __init__(self, toolkit: Toolkit, follow_up: NamedFollowUp) -> None:
        super().__init__()
        self.follow_up = follow_up
        self.kind = ChoiceInput(
            _("What follows"), [(choice.id, choice.label) for choice in CHOICES], small=True
        )
        self.kind.setMaxVisibleItems(len(CHOICES) + 1)
        first = next(at for at, choice in enumerate(CHOICES) if choice.section != SETTINGS)
        self.kind.insertSeparator(first)
        self.text = LineInput(_("Shell command"), code=True, small=True)
        self.seconds = QSpinBox()
        toolkit.align_spin_box(self.seconds)
        self.seconds.setRange(1, _MOST_SECONDS)
        self.seconds.setSuffix(_(" s"))
        self.seconds.setFixedWidth(72)
        self.seconds.setProperty("small", True)
        self.seconds.setKeyboardTracking(False)
        self.seconds.setAccessibleName(_("Seconds the page stays"))
        remove = toolkit.button("", "x", small=True)
        remove.setAccessibleName(_("Remove what follows"))
        remove.setToolTip(_("Remove what follows"))
        head = QHBoxLayout()
        head.setSpacing(6)
        head.addWidget(self.kind, 1)
        head.addWidget(self.seconds)
        head.addWidget(remove)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(self.text)
        self.tab_stops: list[QWidget] = [self.kind, self.seconds, remove, self.text]
        """The widgets in tab order."""
        self._show()
        self.kind.picked.connect(self._picked)
        self.text.edited.connect(self._typed)
        self.seconds.valueChanged.connect(self._timed)
        remove.clicked.connect(self.removed)

    def _show(self) -> None:
        follow_up = self.follow_up
        self.kind.show_choice(follow_up.choice)
        self.seconds.blockSignals(True)
        self.seconds.setValue(follow_up.seconds)
        self.seconds.blockSignals(False)
        self.seconds.setVisible(follow_up.choice == PROGRESS)
        self.text.setVisible(follow_up.choice in (SHELL, NOTHING))
        name = _("Shell command") if follow_up.choice == SHELL else _("What the log says")
        self.text.setAccessibleName(name)
        self.text.setPlaceholderText(name)
        self.text.show_text(follow_up.text)
        self.setToolTip(follow_up.text)

    def _picked(self, choice: str) -> None:
        # The command of the choice before is a start for a new shell command.
        self._set_follow_up(chosen_follow_up(choice, self.follow_up.text if choice == SHELL else ""))
        if choice == SHELL:
            self.text.setFocus()
            bring_into_view(self)

    def _typed(self, text: str) -> None:
        self._set_follow_up(
            NamedFollowUp(self.follow_up.choice, text, description=self.follow_up.description)
        )

    def _timed(self, seconds: int) -> None:
        self._set_follow_up(chosen_follow_up(PROGRESS, seconds=seconds))

    def _set_follow_up(self, follow_up: NamedFollowUp) -> None:
        self.follow_up = follow_up
        self._show()
        self.changed.emit()
