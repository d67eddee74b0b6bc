"""Toasts at the bottom right of the workspace: what happened, why, what to do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from collector.model.errors import UserError, in_one_line
from collector.model.i18n import _, join_sentences
from studio.theme import theme
from studio.theme.tokens import tokens
from studio.widgets.controls import Button, Label
from studio.widgets.icon_button import IconButton
from studio.widgets.window_frame.notification_log import NotificationLog

_WIDTH, _MARGIN, _GAP, _MOST = 288, 12, 8, 4
_RESTING = 5
_LONGEST_WHAT, _LONGEST_WHY = 200, 360
"""Characters of a toast; the list of notifications has the whole text."""
_ICONS = {"ok": "state-ok", "warn": "state-warn", "err": "state-err", "info": "state-info"}


@dataclass(frozen=True)
class Remark:
    """What a toast says after its error, the words of its button, and what the button does."""

    words: str = ""
    action: str = ""
    act: Callable[[], object] | None = None


class _StateIcon(QLabel):
    def __init__(self, icon: str) -> None:
        super().__init__()
        self._icon_name = icon
        self._renew()
        theme.changed.connect(self._renew)

    def _renew(self) -> None:
        self.setPixmap(theme.pixmap(self._icon_name, 16, "text", self.devicePixelRatioF()))


class Toast(QFrame):
    """One message. An error stays until it is closed, others for six seconds after the pointer leaves.

    A pointer that rests on it lets it stay five times as long: nobody may be there to move it.
    """

    closed = Signal(object)

    def __init__(
        self, state: str, what: str, why: str, action: str, act: Callable[[], object] | None, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setProperty("surface", "float")
        self.setFixedWidth(_WIDTH)
        self.setAccessibleName(f"{what}. {why}" if why else what)
        self._act = act
        self.cause = what
        """What it is about: another toast about it takes its place, and :meth:`Toasts.end` closes it."""
        self._stay_ms = tokens().group("duration_ms")["toast_stay"]
        self.timer = QTimer(self, singleShot=True, interval=self._stay_ms)
        self.timer.timeout.connect(self.close_toast)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 8, 8, 8)
        row.setSpacing(8)
        top = Qt.AlignmentFlag.AlignTop
        row.addWidget(_StateIcon(_ICONS[state]), alignment=top)
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(Label(_shortened(what, _LONGEST_WHAT), "name", wrap=True))
        if why:
            words.addWidget(Label(_shortened(why, _LONGEST_WHY), "body", "text-2", wrap=True))
        row.addLayout(words, 1)
        if action:
            button = Button(action, kind="outlined" if state == "err" else "link")
            button.clicked.connect(self._do)
            # Beside the words it would leave them no width.
            words.addSpacing(4)
            words.addWidget(button, alignment=Qt.AlignmentFlag.AlignLeft)
        close = IconButton("x", _("Close"), size=24)
        close.clicked.connect(self.close_toast)
        row.addWidget(close, alignment=top)
        self.stays = state == "err"
        """Whether it is an error, which does not close in time."""
        if not self.stays:
            self.timer.start()

    def has_words_of(self, other: Toast) -> bool:
        """Whether it says the same as another."""
        return self.accessibleName() == other.accessibleName()

    def close_toast(self) -> None:
        """Close the toast."""
        self.timer.stop()
        self.closed.emit(self)

    def enterEvent(self, event: QEnterEvent) -> None:  # noqa: N802 - Qt's name
        if not self.stays:
            self.timer.start(_RESTING * self._stay_ms)
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        if not self.stays:
            self.timer.start(self._stay_ms)
        super().leaveEvent(event)

    def _do(self) -> None:
        if self._act is not None:
            self._act()
        self.close_toast()


def _said(error: Exception) -> tuple[str, str]:
    """What happened, and why and what to do."""
    if isinstance(error, UserError):
        return error.what, join_sentences(error.why, error.to_do)
    return _("Something went wrong in the studio"), in_one_line(error)


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 3].rstrip() + "..."


class Toasts(QObject):
    """Stacks at most four toasts over a host widget; the oldest is closed first. GUI thread only.

    ``log`` keeps what they said.
    """

    def __init__(self, host: QWidget) -> None:
        super().__init__(host)
        self._host = host
        self._area: Callable[[], QRect] = host.rect
        self._shown: list[Toast] = []
        self.log = NotificationLog(self)
        self.remark_of_bug: Callable[[Exception], Remark] = lambda _error: Remark()
        """What is said after an error that is a bug."""
        host.installEventFilter(self)

    def keep_within(self, area: Callable[[], QRect]) -> None:
        """Set the area of the host for toasts, so that they do not cover panels and the timeline."""
        self._area = area

    def show(
        self,
        state: str,
        what: str,
        why: str = "",
        *,
        action: str = "",
        act: Callable[[], object] | None = None,
        cause: str = "",
        for_now: bool = False,
    ) -> Toast:
        """Show a toast; ``state`` is ok, info, warn or err; ``act`` is called when ``action`` is pressed.

        An error stays until it is closed, until another has its ``cause`` or words, or until :meth:`end`.
        Without a cause it is about ``what``. The list of messages keeps the button, unless it is ``for_now``:
        what it does would be something else later, as an undo.
        """
        kept = ("", None) if for_now else (action, act)
        message = self.log.add(state, what, why, *kept)
        press = act if act is None or for_now else partial(self.log.press, message.number)
        toast = Toast(state, what, why, action, press, self._host)
        toast.cause = cause or what
        toast.closed.connect(self._drop)
        if state == "err":
            for same in [each for each in self._shown if each.stays and each.has_words_of(toast)]:
                same.close_toast()
            self.end(toast.cause)
        self._shown.append(toast)
        while len(self._shown) > _MOST:
            self._shown[0].close_toast()
        toast.show()
        self._place()
        return toast

    def show_error(self, error: Exception, cause: str = "") -> Toast:
        """Show a UserError with its three parts, or any other exception as a bug, as Python names it.

        ``cause`` is as of :meth:`show`.
        """
        what, why = _said(error)
        remark = Remark() if isinstance(error, UserError) else self.remark_of_bug(error)
        return self.show(
            "err", what, join_sentences(why, remark.words), cause=cause, action=remark.action, act=remark.act
        )

    def end(self, cause: str) -> None:
        """Close the errors about something that is in order now, or has another error."""
        for toast in [toast for toast in self._shown if toast.stays and toast.cause == cause]:
            toast.close_toast()

    @Slot(object)
    def end_error(self, error: Exception) -> None:
        """Close an error that :meth:`show_error` showed without a cause, and that is over."""
        self.end(_said(error)[0])

    @Slot()
    def end_all(self) -> None:
        """Close all errors: what they were about is no longer in the window."""
        for toast in [toast for toast in self._shown if toast.stays]:
            toast.close_toast()

    @property
    def width(self) -> int:
        """Width that toasts take at the right of their area, with the margin."""
        return _WIDTH + _MARGIN

    @property
    def shown(self) -> list[Toast]:
        """The texts of the toasts, oldest first."""
        return list(self._shown)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def place(self) -> None:
        """Lay the toasts out again, after their area changed."""
        self._place()

    def _drop(self, toast: Toast) -> None:
        if toast in self._shown:
            self._shown.remove(toast)
            toast.hide()
            toast.deleteLater()
            self._place()

    def _place(self) -> None:
        area = self._area()
        bottom = area.bottom() + 1 - _MARGIN
        left = max(_MARGIN, area.right() + 1 - _WIDTH - _MARGIN)
        for toast in reversed(self._shown):
            # The size hint of wrapped text assumes another width than the text gets.
            height = max(toast.heightForWidth(_WIDTH), toast.minimumSizeHint().height())
            toast.setGeometry(left, bottom - height, _WIDTH, height)
            # Older toasts without room wait until a newer one closes.
            toast.setVisible(toast is self._shown[-1] or bottom - height >= area.top() + _MARGIN)
            toast.raise_()
            bottom -= height + _GAP
