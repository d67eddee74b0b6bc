"""One thing that follows an answer: chosen from a menu, with the words or seconds it needs."""

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
from rule_editor.widgets.anomaly_form.inputs import ChoiceInput, LineInput, bring_into_view
from rule_editor.widgets.kit import Kit

_MOST_SECONDS = 3600


class FollowUpRow(QWidget):
    """``changed`` when it is another one, ``removed`` when it is to go; ``following`` is what it says."""

    changed = Signal()
    removed = Signal()

    def __init__(self, kit: Kit, following: NamedFollowUp) -> None:
        super().__init__()
        self.following = following
        self.kind = ChoiceInput(_("What follows"), [(one.id, one.label) for one in CHOICES], small=True)
        self.kind.setMaxVisibleItems(len(CHOICES) + 1)
        first = next(at for at, one in enumerate(CHOICES) if one.section != SETTINGS)
        self.kind.insertSeparator(first)
        self.text = LineInput(_("Shell command"), code=True, small=True)
        self.seconds = QSpinBox()
        self.seconds.setRange(1, _MOST_SECONDS)
        self.seconds.setSuffix(_(" s"))
        self.seconds.setFixedWidth(72)
        self.seconds.setProperty("small", True)
        self.seconds.setKeyboardTracking(False)
        self.seconds.setAccessibleName(_("Seconds the page stays"))
        remove = kit.button("", "x", small=True)
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
        self.stops: list[QWidget] = [self.kind, self.seconds, remove, self.text]
        """Where Tab stops, in order."""
        self._show()
        self.kind.picked.connect(self._picked)
        self.text.edited.connect(self._typed)
        self.seconds.valueChanged.connect(self._timed)
        remove.clicked.connect(self.removed)

    def _show(self) -> None:
        one = self.following
        self.kind.show_choice(one.choice)
        self.seconds.blockSignals(True)
        self.seconds.setValue(one.seconds)
        self.seconds.blockSignals(False)
        self.seconds.setVisible(one.choice == PROGRESS)
        self.text.setVisible(one.choice in (SHELL, NOTHING))
        told = _("Shell command") if one.choice == SHELL else _("What the log says")
        self.text.setAccessibleName(told)
        self.text.setPlaceholderText(told)
        self.text.show_text(one.text)
        self.setToolTip(one.text)

    def _picked(self, choice: str) -> None:
        # What a known choice runs is a good beginning for a command of one's own.
        self._become(chosen_follow_up(choice, self.following.text if choice == SHELL else ""))
        if choice == SHELL:
            self.text.setFocus()
            bring_into_view(self)

    def _typed(self, text: str) -> None:
        self._become(NamedFollowUp(self.following.choice, text, description=self.following.description))

    def _timed(self, seconds: int) -> None:
        self._become(chosen_follow_up(PROGRESS, seconds=seconds))

    def _become(self, following: NamedFollowUp) -> None:
        self.following = following
        self._show()
        self.changed.emit()
