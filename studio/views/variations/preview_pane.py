"""The preview of a combination: chosen screens of the phone, before and after, beside each other."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from collector.model.i18n import _
from studio.bridge.variations.pictures import DrawnPair, DrawnPairs
from studio.theme import theme
from studio.widgets.controls import Button, Label, surface
from studio.widgets.painting import draw_screen_image, draw_text

FIRST_SCREENS = ("shop", "todo", "calendar/agenda")
"""Shown until a person chooses others."""
_MARGIN, _GAP, _RADIUS, _CAPTION, _WIDEST = 20, 16, 12, 22, 250


class _Pair(QWidget):
    """One screen before and after."""

    def __init__(self) -> None:
        super().__init__()
        self._pair: DrawnPair | None = None
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_pair(self, pair: DrawnPair) -> None:
        self._pair = pair
        same = _("the same") if pair.same else _("different")
        self.setAccessibleName(f"{pair.screen}: {same}")
        self._fit()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._fit()

    @property
    def _sizes(self) -> list[QSize]:
        """Of the pictures as they are painted."""
        if self._pair is None:
            return []
        width = min(_WIDEST, max(60, (self.width() - _GAP) // 2))
        most = QSize(width, 10_000)
        keep = Qt.AspectRatioMode.KeepAspectRatio
        return [image.size().scaled(most, keep) for image in (self._pair.before, self._pair.after)]

    def _fit(self) -> None:
        tall = max((size.height() for size in self._sizes), default=0)
        if self.height() != tall + _CAPTION:
            self.setFixedHeight(tall + _CAPTION)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        if self._pair is None:
            return
        painter = QPainter(self)
        sizes = self._sizes
        left = (self.width() - sum(size.width() for size in sizes) - _GAP) / 2
        titles = (self._pair.screen, _("the same") if self._pair.same else "")
        for image, size, title in zip((self._pair.before, self._pair.after), sizes, titles, strict=True):
            caption = QRectF(left, 0, size.width(), _CAPTION - 4).toRect()
            draw_text(painter, caption, title, "caption", "text-2")
            draw_screen_image(painter, QRectF(left, _CAPTION, size.width(), size.height()), image, _RADIUS)
            left += size.width() + _GAP


class VariationPreview(QWidget):
    """Emits ``screens_changed`` when other screens are chosen."""

    screens_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.screens: tuple[str, ...] = FIRST_SCREENS
        self._known: tuple[str, ...] = FIRST_SCREENS
        self.choose = Button(_("Screens"), "phone", small=True, opens=True)
        self._name = Label("", "code", "text-2", cut=True)
        self._note = Label("", "body", "text-2", wrap=True)
        self._note.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._pairs: list[_Pair] = []
        self._rows = QVBoxLayout()
        self._lay_out()
        self.choose.clicked.connect(self._offer)

    def _lay_out(self) -> None:
        bar = surface("panel", "bottom")
        bar.setFixedHeight(theme.size("device_header"))
        row = QHBoxLayout(bar)
        row.setContentsMargins(12, 0, 8, 0)
        row.setSpacing(8)
        row.addWidget(Label(_("Before and after"), "heading"))
        row.addWidget(self._name, 1)
        row.addWidget(self.choose)
        stage = surface("canvas")
        inner = QVBoxLayout(stage)
        inner.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        inner.setSpacing(_GAP)
        inner.addWidget(self._note)
        self._rows.setSpacing(_GAP)
        inner.addLayout(self._rows)
        inner.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(stage)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(area, 1)

    def offer_screens(self, names: Sequence[str]) -> None:
        """The screens that can be chosen."""
        self._known = tuple(names)

    def _offer(self) -> None:
        menu = QMenu(self)
        for name in self._known:
            action = menu.addAction(name)
            action.setCheckable(True)
            action.setChecked(name in self.screens)
        menu.triggered.connect(self._toggle)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.choose.mapToGlobal(self.choose.rect().bottomLeft()))

    def _toggle(self, action: QAction) -> None:
        chosen = {*self.screens} ^ {action.text()}
        self.show_screens(tuple(name for name in self._known if name in chosen))

    def show_screens(self, screens: Sequence[str]) -> None:
        """Choose the screens to draw."""
        self.screens = tuple(screens)
        self.screens_changed.emit()

    def show_waiting(self) -> None:
        """Say that pictures are being drawn, while there are none."""
        if not self._pairs:
            self._say(_("Drawing..."))

    def show_drawn(self, drawn: DrawnPairs) -> None:
        """Show pictures, or why there are none."""
        while len(self._pairs) > len(drawn.pairs):
            pair = self._pairs.pop()
            pair.hide()
            pair.deleteLater()
        while len(self._pairs) < len(drawn.pairs):
            added = _Pair()
            self._pairs.append(added)
            self._rows.addWidget(added)
        for shown, values in zip(self._pairs, drawn.pairs, strict=True):
            shown.show_pair(values)
        self._name.setText(drawn.name)
        self._name.setToolTip(drawn.name)
        none = "" if drawn.pairs else _("Choose a screen to see it")
        self._say(drawn.problem or none)

    def _say(self, text: str) -> None:
        self._note.setText(text)
        self._note.setVisible(bool(text))
