"""Show how well the last step was captured, and whether the next state has been captured."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from collector.model.i18n import _, ngettext
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.captions.step_text import SKEWED_SHARE, is_stale
from studio.widgets.controls.button import Button
from studio.widgets.info_card import CardRow, InfoCard, draw_card
from studio.widgets.painted_items import Role
from studio.widgets.painting import draw_text, text_width

_OLD_FRAME_MS = 250
_NONE = "–"


@dataclass(frozen=True, slots=True)
class CaptureFacts:
    """Capture quality of one step; None where a value is not known yet."""

    step: int
    """Number of the step, from 1."""
    frame_age_ms: float | None = None
    settle_ms: float | None = None
    tree_age_ms: float | None = None
    skew: float | None = None
    """Share of the screen, 0 to 1, that changed between tree and touch."""
    redaction: str = ""
    """What is redacted before it is saved, as in ``passwords``; empty for nothing."""
    secure: bool = False


class CaptureCard(InfoCard):
    """Five rows: frame, settle, tree, skew, redaction."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=208, row_height=24, value_left=72)
        self.setAccessibleName(_("Capture"))
        self.set_head(_("Capture"))
        self.show_capture(None)

    def show_capture(self, facts: CaptureFacts | None) -> None:
        """Show the capture of a step; None before the first step."""
        shown = facts or CaptureFacts(0)
        self.set_head(_("Capture"), _("step {number}", number=shown.step) if facts else "")
        skew = _("{percent} % changed", percent=round(shown.skew * 100)) if shown.skew is not None else _NONE
        frame = CardRow(_("Frame"), _("hidden by the app"), "state-info")
        if not shown.secure:
            age = _NONE
            if shown.frame_age_ms is not None:
                age = _("{milliseconds} ms old", milliseconds=round(shown.frame_age_ms))
            frame = CardRow(_("Frame"), age, _state(shown.frame_age_ms, _OLD_FRAME_MS))
        self.set_rows(
            (
                frame,
                CardRow(_("Settle"), _seconds(shown.settle_ms), _state(shown.settle_ms, float("inf"))),
                CardRow(_("Tree"), _seconds(shown.tree_age_ms), _tree_state(shown)),
                CardRow(_("Skew"), skew, _state(shown.skew, SKEWED_SHARE)),
                CardRow(_("Redaction"), shown.redaction or _("none"), "state-ok" if shown.redaction else ""),
            )
        )


def _state(value: float | None, limit: float) -> str:
    if value is None:
        return ""
    return "state-ok" if value <= limit else "state-warn"


def _tree_state(facts: CaptureFacts) -> str:
    if facts.tree_age_ms is None:
        return ""
    return "state-warn" if is_stale(facts.tree_age_ms, facts.skew) else "state-ok"


def _seconds(milliseconds: float | None) -> str:
    if milliseconds is None:
        return _NONE
    return _("{seconds} s", seconds=f"{milliseconds / 1000:.2f}")


class CapturePill(QWidget):
    """A dot and a sentence: when the next state has been captured, and whether the phone is elsewhere."""

    bring_asked = Signal()
    """The phone is to be brought to where the steps end."""

    spoken_role = Role.StaticText

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text, self._detail, self._tone = "", "", "ok"
        self._next_place = ""
        self._elsewhere: int | None = None
        self._usual = ("", "", "ok")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.bring = Button(_("Bring the phone there"), kind="link", small=True, parent=self)
        self.bring.clicked.connect(self.bring_asked)
        self.show_ready()
        theme.changed.connect(self.update)

    @property
    def text(self) -> str:
        return " ".join(filter(None, (self._text, self._detail)))

    def show_ready(self, *, is_first: bool = True) -> None:
        """Show that the recording runs and nothing was done yet."""
        words = _("Ready for your first action") if is_first else _("Ready for your next action")
        self._show(words, "", "ok")

    def show_captured(self, seconds: float, nodes: int) -> None:
        """Show that the next state was captured, ``seconds`` after the action."""
        count = ngettext("{count} node", "{count} nodes", nodes)
        self._show(_("Next state captured"), f"{_('{seconds} s', seconds=f'{seconds:.1f}')} · {count}", "ok")

    def show_waiting(self, *, by_hand: bool = False) -> None:
        """Show that a state is being captured; ``by_hand`` marks an action on the phone itself."""
        self._show(_("Capturing the next state"), _("on the phone") if by_hand else "", "text-3")

    def show_paused(self) -> None:
        """Show that actions reach the phone and are not recorded."""
        self._show(_("Paused"), _("your actions are not recorded"), "text-3")

    def show_typing(self, keys: int) -> None:
        """Show the count of typed keys, which become one step with the next other action."""
        count = ngettext("{count} key so far, one step", "{count} keys so far, one step", keys)
        self._show(_("Typing"), count, "text-3")

    def show_problem(self, sentence: str) -> None:
        self._show(sentence, "", "warn")

    def show_next_place(self, sentence: str) -> None:
        """Show where the next action goes, in place of all else; empty when it goes to the end."""
        self._next_place = sentence
        self._show(*self._usual)

    def show_elsewhere(self, number: int | None) -> None:
        """Show, with a button, that the phone is not where step ``number`` begins; None when it is there."""
        self._elsewhere = number
        self._show(*self._usual)

    def _show(self, text: str, detail: str, tone: str) -> None:
        self._usual = (text, detail, tone)
        elsewhere = self._elsewhere
        if tone == "warn":  # a problem is never covered
            pass
        elif self._next_place:
            text, tone = self._next_place, "warn"
            detail = _("the phone is not there") if elsewhere is not None else ""
        elif elsewhere is not None:
            text, detail = _("The phone is not where step {number} begins", number=elsewhere), ""
            tone = "warn"
        self._text, self._detail, self._tone = text, detail, tone
        self.bring.setVisible(elsewhere is not None)
        self.setAccessibleName(self.text)
        self.updateGeometry()
        self.resize(self.sizeHint())
        self._place_button()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        detail = text_width(self._detail) + 8 if self._detail else 0
        return QSize(25 + text_width(self._text, "name") + detail + 14 + self._button_room, 24)

    @property
    def _button_room(self) -> int:
        return self.bring.sizeHint().width() + 8 if self._elsewhere is not None else 0

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._place_button()

    def _place_button(self) -> None:
        size = self.bring.sizeHint()
        height = min(size.height(), self.height() - 2)
        self.bring.setGeometry(
            self.width() - 8 - size.width(), (self.height() - height) // 2, size.width(), height
        )

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        draw_card(painter, self.rect())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color(self._tone))
        painter.drawEllipse(QPointF(14, self.height() / 2), 4, 4)
        rest = QRect(25, 0, self.width() - 25 - 8 - self._button_room, self.height())
        used = draw_text(painter, rest, self._text, "name")
        draw_text(painter, rest.adjusted(used + 8, 0, 0, 0), self._detail, "body", "text-2")
