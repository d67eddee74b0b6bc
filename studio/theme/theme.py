"""The current theme: colours, fonts and icons for painters, and the switch between schemes."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, QPoint, QPointF, QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from studio.theme import fonts, icons, style_sheet
from studio.theme.mirroring import upright
from studio.theme.plain_text_style import PlainTextStyle
from studio.theme.tokens import SCHEMES, parse_color, tokens

SYSTEM = "system"
_ICON_RATIOS = frozenset({1.0, 2.0})
"""Pixel ratios in which each icon is made, beside those of the screens; Qt scales to others."""
_CACHED_PIXMAPS = 2048
DIRECTED_ICONS = frozenset({
    "chevl", "chevr", "enter", "undo", "redo", "skipn", "skipp", "panel-left", "panel-left-open",
    "panel-right", "panel-right-open",
})  # fmt: skip
"""Icons that point the way of reading: where that is mirrored, so are they."""


def _colors(texts: Mapping[str, str]) -> dict[str, QColor]:
    return {name: QColor(*parse_color(text)) for name, text in texts.items()}


class Theme(QObject):
    """Colours, fonts and icons of the current scheme. Use it on the GUI thread only.

    ``changed`` is emitted after a switch; whoever caches drawings drops them then.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._scheme = "dark"
        self._requested = SYSTEM
        self._motion = True
        self._all = {scheme: _colors(tokens().colors(scheme)) for scheme in SCHEMES}
        self._overlay = _colors(tokens().overlays())
        self._pixmaps: dict[tuple[str, str, int, float], QPixmap] = {}
        self._app: QApplication | None = None
        self._window: QWidget | None = None
        """What carries the style sheet; None: the application does."""

    # -- switching ---------------------------------------------------------
    def install(self, app: QApplication, scheme: str = SYSTEM, *, motion: bool = True) -> None:
        """Style the application; ``scheme`` is ``dark``, ``light`` or ``system``."""
        if self._app is not app:
            app.setStyle(PlainTextStyle())
            app.styleHints().colorSchemeChanged.connect(self._system_changed)
        self._app = app
        self._window = None
        self._motion = motion
        self.use(scheme)

    def use(self, scheme: str) -> None:
        """Switch to ``dark``, ``light`` or the scheme of the ``system``."""
        before, self._requested = self._scheme, scheme
        self._scheme = self._system_scheme() if scheme == SYSTEM else scheme
        if self._scheme != before:
            self._pixmaps.clear()
        if self._app is not None:
            self._app.setPalette(self._palette())
            if self._app.font() != self.font("body"):
                self._app.setFont(self.font("body"))
            self._apply_sheet(self._app)
        self.changed.emit()

    def dress(self, window: QWidget) -> None:
        """Style ``window`` and all that gets a place in it, instead of the whole application.

        While the application has a style sheet, Qt styles a widget and all inside it again at each parent
        that it gets, which is most of the time that a workspace takes to build. Without one, what is built
        is styled once, when it gets its place in the window. Only widgets without a parent lack the style.
        """
        self._window = window
        if self._app is not None:
            self._app.setStyleSheet("")
            self._apply_sheet(self._app)

    def _apply_sheet(self, app: QApplication) -> None:
        styled = self._window if self._window is not None and isValid(self._window) else app
        sheet = style_sheet.render(self._all[self._scheme])
        if styled.styleSheet() != sheet:  # Qt would style every widget again
            styled.setStyleSheet(sheet)

    @property
    def has_motion(self) -> bool:
        """Whether animation is allowed."""
        return self._motion

    def set_motion(self, on: bool) -> None:
        """Allow or forbid animation."""
        self._motion = on

    @Slot()
    def _system_changed(self) -> None:
        if self._requested == SYSTEM and self._system_scheme() != self._scheme:
            self.use(SYSTEM)

    def _system_scheme(self) -> str:
        hints = QApplication.styleHints()
        return "light" if hints.colorScheme() == Qt.ColorScheme.Light else "dark"

    @property
    def scheme(self) -> str:
        """The current scheme: ``dark`` or ``light``."""
        return self._scheme

    # -- colours, fonts, icons ----------------------------------------------
    def color(self, name: str) -> QColor:
        """Colour of a token such as ``accent-weak``. Raises KeyError."""
        return QColor(self._all[self._scheme][name])

    def overlay(self, name: str) -> QColor:
        """Colour drawn over phone pixels, the same in both schemes."""
        return QColor(self._overlay[name])

    def size(self, name: str) -> int:
        """A length of the ``size`` tokens, in logical pixels."""
        return tokens().size(name)

    def radius(self, name: str) -> int:
        """Radius of the corners of a ``card``, ``control``, ``badge`` or ``menu``, in logical pixels."""
        return int(tokens().group("radius")[name])

    def duration(self, name: str) -> int:
        """Milliseconds of an animation; 0 when motion is off."""
        return int(tokens().group("duration_ms")[name]) if self._motion else 0

    def font(self, role: str = "body") -> QFont:
        """Font of a role: body, name, heading, caption, title, instruction, code, ..."""
        return fonts.font(role, on_dark=self._scheme == "dark")

    def pixmap(self, name: str, size: int = 16, tone: str = "text-2", ratio: float = 1.0) -> QPixmap:
        """An icon as a pixmap of ``size`` logical pixels; ``state-*`` icons ignore ``tone``."""
        key = (name, tone, size, ratio)
        pixmap = self._pixmaps.get(key)
        if pixmap is None:
            if len(self._pixmaps) > _CACHED_PIXMAPS:
                self._pixmaps.clear()
            text = icons.svg(name, self._all[self._scheme], tone, size)
            pixmap = self._pixmaps[key] = icons.render(text, size, ratio)
        return pixmap

    def icon(self, name: str, tone: str = "text-2", size: int = 16) -> QIcon:
        """An icon for actions and item views; make it again after ``changed``."""
        icon = QIcon()
        for ratio in sorted(_ICON_RATIOS | {screen.devicePixelRatio() for screen in QApplication.screens()}):
            icon.addPixmap(self.pixmap(name, size, tone, ratio))
            icon.addPixmap(self.pixmap(name, size, "line-2", ratio), QIcon.Mode.Disabled)
        return icon

    def draw_icon(
        self, painter: QPainter, name: str, at: QPoint | QPointF, size: int = 16, tone: str = "text-2"
    ) -> None:
        """Draw an icon with its top left corner at ``at``, sharp on the painter's device."""
        pixmap = self.pixmap(name, size, tone, painter.device().devicePixelRatioF())
        if name in DIRECTED_ICONS:
            painter.drawPixmap(QPointF(at), pixmap)
            return
        with upright(painter, QRectF(at.x(), at.y(), size, size)):
            painter.drawPixmap(QPointF(at), pixmap)

    def draw_icon_in(
        self, painter: QPainter, name: str, rect: QRect, size: int = 16, tone: str = "text-2"
    ) -> None:
        """Draw an icon in the middle of ``rect``."""
        left = rect.x() + (rect.width() - size) // 2
        top = rect.y() + (rect.height() - size) // 2
        self.draw_icon(painter, name, QPoint(left, top), size, tone)

    def _palette(self) -> QPalette:
        colors = self._all[self._scheme]
        palette = QPalette()
        role = QPalette.ColorRole
        for roles, name in (
            ((role.Window,), "bg-1"),
            ((role.Base,), "bg-1"),
            ((role.AlternateBase, role.Button, role.ToolTipBase), "bg-2"),
            ((role.WindowText, role.Text, role.ButtonText, role.ToolTipText, role.BrightText), "text"),
            ((role.PlaceholderText,), "text-3"),
            ((role.Highlight,), "accent-fill"),
            ((role.HighlightedText,), "on-fill"),
            ((role.Link, role.LinkVisited, role.Accent), "accent"),
            ((role.Light, role.Midlight, role.Mid), "line"),
            ((role.Dark, role.Shadow), "line-2"),
        ):
            for color_role in roles:
                palette.setColor(color_role, colors[name])
        for color_role in (role.WindowText, role.Text, role.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, color_role, colors["line-2"])
        return palette


def repolish(widget: QWidget) -> None:
    """Apply the style sheet again after a dynamic property of ``widget`` changed."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)
    widget.update()


theme = Theme()
