"""A push button with text, icon and shortcut, in several kinds."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from studio.theme import theme
from studio.theme.mirroring import painter_of, upright
from studio.widgets.controls.hover_button import HoverButton
from studio.widgets.painting import draw_text, key_width, text_width

KINDS = ("plain", "outlined", "primary", "danger", "link", "recording")
_FILLS = {"primary": "accent-fill", "danger": "err-fill", "recording": "err-weak"}
_GAP, _SIDE, _COMPACT_SIDE, _LEAST_SIDE, _ICON = 8, 10, 5, 2, 16


class Button(HoverButton):
    """``plain`` is text and icon; ``outlined`` starts something outside the view; ``primary`` is the one
    filled button of a view; ``danger`` destroys; ``link`` is a word in a sentence."""

    def __init__(
        self,
        text: str = "",
        icon: str = "",
        kind: str = "plain",
        *,
        key: str = "",
        small: bool = False,
        opens: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._icon_name, self._kind, self._key, self._small = icon, kind, key, small
        self._opens = opens
        self._key_room = key
        self._key_shown = True
        self._text_room: tuple[str, ...] = ()
        self._twin: Button | None = None
        self._compact = False
        self.setText(text)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor if kind == "link" else Qt.CursorShape.ArrowCursor)
        theme.changed.connect(self.update)

    @property
    def kind(self) -> str:
        """Set the kind: one of KINDS."""
        return self._kind

    def set_face(self, text: str, icon: str = "", kind: str | None = None, key: str | None = None) -> None:
        """Change text and tooltip, as from Pause to Resume."""
        self._icon_name = icon
        self._kind = self._kind if kind is None else kind
        self._key = self._key if key is None else key
        self.setText(text)
        self.updateGeometry()
        self.update()

    def set_key(self, key: str, room_for: str = "") -> None:
        """Change the chord that the button shows; the button is wide enough for ``room_for``, too."""
        if (key, room_for) != (self._key, self._key_room):
            self._key, self._key_room = key, room_for
            self.updateGeometry()
            self.update()

    def set_compact(self, compact: bool) -> None:
        """Show icon and chord without the text, where there is no room; a button without icon keeps it."""
        if compact != self._compact:
            self._compact = compact
            self.updateGeometry()
            self.update()

    def set_key_shown(self, shown: bool) -> None:
        """Hide the chord, where there is no room for it; the tooltip still has it."""
        if shown != self._key_shown:
            self._key_shown = shown
            self.updateGeometry()
            self.update()

    def set_text_room(self, *texts: str) -> None:
        """Reserve the width of each of these texts, so that nothing moves when it shows another."""
        self._text_room = texts
        self.updateGeometry()

    def take_turns_with(self, other: Button) -> None:
        """Be as wide as the button that is shown in this place in turns with this one, and the other way."""
        self._twin, other._twin = other, self
        self.updateGeometry()

    @property
    def width_with_key(self) -> int:
        """The width of the size hint while the chord is shown."""
        return self._width(with_key=True)

    @property
    def is_compact(self) -> bool:
        """Whether the text is hidden to save room."""
        return self._compact and bool(self._icon_name)

    @property
    def icon_name(self) -> str:
        """Set the icon before the text; empty for none."""
        return self._icon_name

    @property
    def key(self) -> str:
        """Set the chord that the button shows."""
        return self._key

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        height = theme.size("button_small" if self._small else "button")
        if self._kind == "link":
            return QSize(text_width(self.text(), "name") + 8, height)
        return QSize(max(self._width(with_key=self._key_shown), height), height)

    def _width(self, *, with_key: bool) -> int:
        own = self._own_width(with_key=with_key)
        return max(own, self._twin._own_width(with_key=with_key)) if self._twin is not None else own

    def _own_width(self, *, with_key: bool) -> int:
        shown_key = self._key if with_key else ""
        spare = max(0, key_width(self._key_room) - key_width(shown_key)) if shown_key else 0
        if self._text_room and self._shown_text:
            widest = max(text_width(text, "name") for text in (*self._text_room, self.text()))
            spare += widest - text_width(self.text(), "name")
        side = _COMPACT_SIDE if self.is_compact else _SIDE
        return self._content_width(shown_key) + spare + 2 * side

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return self.sizeHint()

    @property
    def _shown_text(self) -> str:
        return "" if self.is_compact else self.text()

    @property
    def _shown_key(self) -> str:
        return self._key if self._key_shown else ""

    def _content_width(self, key: str) -> int:
        parts = []
        if self._icon_name:
            parts.append(_ICON)
        if self._shown_text:
            parts.append(text_width(self._shown_text, "name"))
        if key:
            parts.append(key_width(key))
        if self._opens:
            parts.append(_ICON)
        return sum(parts) + _GAP * max(0, len(parts) - 1)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_background(painter)
        self._paint_content(painter)

    def _paint_background(self, painter: QPainter) -> None:
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        fill = self._fill()
        painter.setPen(Qt.PenStyle.NoPen)
        if fill:
            painter.setBrush(theme.color(fill))
            painter.drawRoundedRect(QRectF(self.rect()), 4, 4)
            if self._kind in ("primary", "danger") and self.isEnabled() and (self._hovered or self.isDown()):
                shade = theme.color("text" if not self.isDown() else "glyph")
                shade.setAlpha(28)
                painter.setBrush(shade)
                painter.drawRoundedRect(QRectF(self.rect()), 4, 4)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self._kind == "outlined":
            painter.setPen(QPen(theme.color("line-2" if self.isEnabled() else "line"), 1))
            painter.drawRoundedRect(box, 4, 4)
        if self.hasFocus():
            painter.setPen(QPen(theme.color("on-fill" if self._kind == "primary" else "accent"), 2))
            inset = 3.0 if self._kind == "primary" else 1.0
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), 4, 4)

    def _fill(self) -> str:
        if not self.isEnabled():
            return ""
        if self._kind in _FILLS:
            return _FILLS[self._kind]
        if self._kind == "link":
            return ""
        if self.isChecked():
            return "accent-weak"
        if self.isDown():
            return "bg-4"
        if self._hovered:
            return "bg-3"
        return "bg-2" if self._kind == "outlined" else ""

    def _tone(self) -> str:
        if not self.isEnabled():
            return "line-2"
        if self._kind in ("primary", "danger"):
            return "on-fill"
        return {"link": "accent", "recording": "err"}.get(self._kind, "text")

    def _paint_content(self, painter: QPainter) -> None:
        tone = self._tone()
        spare = self.width() - self._content_width(self._shown_key)
        x = max(_LEAST_SIDE, spare // 2) if self._kind != "link" else 4
        if self._icon_name:
            theme.draw_icon(painter, self._icon_name, QPoint(x, (self.height() - _ICON) // 2), _ICON, tone)
            x += _ICON + _GAP
        if self._shown_text:
            # A toolbar without enough space makes its buttons smaller than their size hint.
            width = text_width(self._shown_text, "name") + min(0, spare - 2 * _LEAST_SIDE)
            place = QRect(x, 0, width + 2, self.height())
            draw_text(painter, place, self._shown_text, "name", tone)
            x += width + _GAP
        if self._shown_key:
            self._paint_key(painter, x, tone)
            x += key_width(self._key) + _GAP
        if self._opens:
            theme.draw_icon(painter, "chevd", QPoint(x, (self.height() - _ICON) // 2), _ICON, tone)

    def _paint_key(self, painter: QPainter, x: int, tone: str) -> None:
        box = QRectF(x + 0.5, self.height() / 2 - 8, key_width(self._key) - 1, 16)
        border = theme.color("on-fill" if tone == "on-fill" else "line-2")
        if tone == "on-fill":
            border.setAlpha(150)
        painter.setPen(QPen(border, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box, 3, 3)
        painter.setFont(theme.font("caption"))
        painter.setPen(theme.color(tone if tone in ("on-fill", "line-2") else "text-2"))
        with upright(painter, box):
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self._key)
