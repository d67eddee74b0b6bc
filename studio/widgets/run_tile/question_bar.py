"""The bar above the results in which a person answers what an agent asks its user."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from collector.model.i18n import _, ngettext
from collector.model.user_reply import LONGEST_REPLY
from collector.run.progress import WorkerProgress
from rule_editor.widgets.field_names import name_field
from studio.widgets.controls import Button, Label
from studio.widgets.run_tile.tile_text import name_of, seconds_left

_TICK_MS = 250


class QuestionBar(QFrame):
    """Shows the question whose time ends first; hidden while nobody asks.

    ``clock`` gives seconds since the epoch.
    """

    answered = Signal(str, str)
    """The worker, and what the person answers; an empty text leaves the question unanswered."""

    def __init__(self, clock: Callable[[], float] = time.time, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("surface", "panel")
        self.setProperty("edge", "bottom")
        self._clock = clock
        self._asked: tuple[str, str, float] = ("", "", 0.0)
        """Worker, question and the end of its time, as they are shown."""
        self.who = Label("", "caption", "text-2")
        self.question = Label("", "body", "text", wrap=True)
        self.question.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.left = Label("", "caption", "text-2")
        self.field = QLineEdit()
        self.field.setMaxLength(LONGEST_REPLY)
        self.field.setPlaceholderText(_("Answer as the user of the phone"))
        name_field(self.field, _("Answer"))
        self.send = Button(_("Answer"), kind="primary", small=True)
        self.leave = Button(_("No answer"), small=True)
        self.leave.setToolTip(_("Tell the agent that nobody answers"))
        self._lay_out()
        self.field.returnPressed.connect(self._send)
        self.field.textChanged.connect(self._typed)
        self.send.clicked.connect(self._send)
        self.leave.clicked.connect(self._leave)
        self._ticker = QTimer(self, interval=_TICK_MS)
        self._ticker.timeout.connect(self._show_left)
        self.hide()
        self._typed()

    def _lay_out(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(2)
        head = QHBoxLayout()
        head.setSpacing(12)
        head.addWidget(self.who)
        head.addStretch()
        head.addWidget(self.left)
        words.addLayout(head)
        words.addWidget(self.question)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.field, 1)
        row.addWidget(self.send)
        row.addWidget(self.leave)
        words.addSpacing(4)
        words.addLayout(row)
        column = QHBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 10)
        column.setSpacing(10)
        column.addLayout(words, 1)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    @property
    def worker(self) -> str:
        """The worker whose agent is answered; empty while nobody asks."""
        return self._asked[0]

    def show_workers(self, workers: Iterable[WorkerProgress]) -> None:
        """Show what the agents ask now. A question that stays keeps what was typed."""
        asking = sorted((item for item in workers if item.question), key=lambda item: item.answer_by)
        shown = next((item for item in asking if item.name == self.worker), asking[0] if asking else None)
        now = ("", "", 0.0) if shown is None else (shown.name, shown.question, shown.answer_by)
        if now != self._asked:
            self._asked = now
            self.field.clear()
        if shown is not None:
            self._show_question(shown, len(asking) - 1)
        self.setVisible(shown is not None)
        if shown is not None and not self._ticker.isActive():
            self._ticker.start()
        elif shown is None:
            self._ticker.stop()

    def _show_question(self, shown: WorkerProgress, others: int) -> None:
        who = _("{agent} asks on {phone}", agent=shown.agent, phone=name_of(shown))
        if others:
            more = ngettext("{count} more agent asks", "{count} more agents ask", others)
            who = f"{who} · {more}"
        self.who.setText(who)
        self.question.setText(shown.question)
        self.setAccessibleName(f"{who}: {shown.question}")
        self._show_left()

    @Slot()
    def _show_left(self) -> None:
        seconds = seconds_left(self._asked[2], self._clock())
        self.left.setText(ngettext("{count} second left", "{count} seconds left", seconds))

    @Slot()
    def _typed(self) -> None:
        self.send.setEnabled(bool(self.field.text().strip()))

    @Slot()
    def _send(self) -> None:
        if text := self.field.text().strip():
            self.answered.emit(self.worker, text)

    @Slot()
    def _leave(self) -> None:
        self.answered.emit(self.worker, "")

    def focus(self) -> None:
        """Let the person type the answer."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
