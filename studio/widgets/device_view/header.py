"""The header over the phone: mode, overlays and zoom."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from collector.model.i18n import N_, _
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.controls import Button, SegmentedControl
from studio.widgets.device_view.highlight import Overlay
from studio.widgets.device_view.view import DeviceView, MirrorMode
from studio.widgets.icon_button import IconButton
from studio.widgets.painting import draw_key, draw_text, key_width, text_width

OVERLAYS = (
    (Overlay.NODES, "form", N_("Boxes of all nodes")),
    (Overlay.TRACE, "swipe", N_("Action of the step")),
    (Overlay.TARGET, "target", N_("Target node")),
    (Overlay.RULES, "rules", N_("Rule hits")),
    (Overlay.STATES, "flag", N_("Essential states")),
    (Overlay.INJECTED, "zap", N_("Injected dialog")),
)
_SIDE, _GAP, _BEFORE_ZOOM = 8, 4, 17
_MODES = {MirrorMode.INTERACT.name: MirrorMode.INTERACT, MirrorMode.INSPECT.name: MirrorMode.INSPECT}


class DeviceHeader(QWidget):
    """Controls of one device view. Where there is no room, zoom is left to keys, wheel and Fit."""

    def __init__(self, view: DeviceView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view = view
        # The chosen segment has the colour of the phone's frame.
        self.switch = SegmentedControl(
            [
                (MirrorMode.INTERACT.name, _("Interact"), "hand"),
                (MirrorMode.INSPECT.name, _("Inspect"), "inspect"),
            ],
            {MirrorMode.INTERACT.name: "ok", MirrorMode.INSPECT.name: "accent"},
        )
        self.overlays: dict[Overlay, IconButton] = {}
        self.owner = Button(_("In use"), "lock", "outlined", small=True)
        self.owner.hide()
        self.zoom_out = IconButton("minus", _("Smaller"), size=24)
        self.fit = Button(small=True)
        self.fit.setToolTip(_("Fit the screen into the view"))
        self.zoom_in = IconButton("plus", _("Larger"), size=24)
        self.actual = Button("1:1", small=True)
        self.actual.setToolTip(_("One device pixel a screen pixel"))
        self._lay_out()
        self._connect()
        self._show_mode(view.mode)
        self._show_zoom()
        self._show_overlays()

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(_SIDE, 0, _SIDE, 0)
        row.setSpacing(_GAP)
        row.addWidget(self.switch)
        row.addWidget(self.owner)
        row.addStretch(1)
        for overlay, icon, name in OVERLAYS:
            button = IconButton(icon, _(name), size=24, checkable=True)
            self.overlays[overlay] = button
            row.addWidget(button)
        row.addSpacing(_BEFORE_ZOOM)
        for widget in (self.zoom_out, self.fit, self.zoom_in, self.actual):
            row.addWidget(widget)

    def _connect(self) -> None:
        self.switch.chosen.connect(self._choose_mode)
        self._view.mode_changed.connect(self._show_mode)
        self._view.zoom_changed.connect(self._show_zoom)
        self.zoom_out.clicked.connect(self._view.zoom_out)
        self.zoom_in.clicked.connect(self._view.zoom_in)
        self.fit.clicked.connect(self._view.fit)
        self.actual.clicked.connect(self._view.actual_size)
        for button in self.overlays.values():
            button.clicked.connect(self._clicked)
        self._view.overlays_changed.connect(self._show_overlays)
        theme.changed.connect(self.update)

    @Slot(str)
    def show_owner(self, sentence: str) -> None:
        """Show that another program has the phone, with a sentence that names it; hide it when empty."""
        self.owner.setVisible(bool(sentence))
        self.owner.setToolTip(sentence)
        self._show_what_fits()
        self.update()

    @Slot(str)
    def _choose_mode(self, name: str) -> None:
        self._view.set_mode(_MODES[name])

    @Slot(object)
    def _show_mode(self, mode: MirrorMode) -> None:
        self.switch.set_current(mode.name)

    @Slot()
    def _clicked(self) -> None:
        for overlay, button in self.overlays.items():
            self._view.set_overlay(overlay, button.isChecked())

    @Slot()
    def _show_overlays(self) -> None:
        for overlay, button in self.overlays.items():
            button.setChecked(bool(self._view.overlays & overlay))

    @Slot()
    def _show_zoom(self) -> None:
        percent = round(self._view.transform.scale * 100)
        fitted = self._view.is_fitted
        self.fit.set_face(_("Fit {percent} %", percent=percent) if fitted else f"{percent} %")
        self._show_what_fits()

    @property
    def _zoom_buttons(self) -> tuple[QWidget, ...]:
        return self.zoom_out, self.zoom_in, self.actual

    def _least_width(self, *, with_zoom: bool) -> int:
        """Logical pixels that the controls need."""
        shown: list[QWidget] = [self.switch, *self.overlays.values(), self.fit]
        if not self.owner.isHidden():
            shown.append(self.owner)
        if with_zoom:
            shown += self._zoom_buttons
        return 2 * _SIDE + _BEFORE_ZOOM + sum(widget.sizeHint().width() + _GAP for widget in shown)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(self._least_width(with_zoom=False), theme.size("device_header"))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._show_what_fits()

    def _show_what_fits(self) -> None:
        fits = self.width() >= self._least_width(with_zoom=True)
        for button in self._zoom_buttons:
            button.setVisible(fits)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(super().sizeHint().width(), theme.size("device_header"))

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.update()  # what is painted stands beside buttons that moved
        return done

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        self.update()
        super().changeEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.fillRect(self.rect(), theme.color("bg-1"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.color("line"))
        first = self.overlays[Overlay.NODES].x()
        label = _("Overlays")
        begins = first - text_width(label) - 8
        hint = self._hint_width()
        ends = (self.switch if self.owner.isHidden() else self.owner).geometry().right()
        if begins > ends + hint + 24:
            self._paint_hint(painter, QPoint(ends + 9, 0))
        if begins > ends + 8:
            draw_text(painter, QRect(begins, 0, first - begins, self.height()), label, "body", "text-2")
        zoom = self.fit if self.zoom_out.isHidden() else self.zoom_out
        painter.fillRect(zoom.x() - 10, 9, 1, self.height() - 18, theme.color("line"))

    def _hint(self) -> tuple[str, str]:
        """Return the words before and after the key."""
        before, _key, after = _("Hold {key} to flip", key="\x00").partition("\x00")
        return before.strip(), after.strip()

    def _hint_width(self) -> int:
        before, after = self._hint()
        return text_width(before) + key_width("Alt") + text_width(after) + 16

    def _paint_hint(self, painter: QPainter, at: QPoint) -> None:
        before, after = self._hint()
        left = at.x() + draw_text(painter, QRect(at.x(), 0, 200, self.height()), before, "body", "text-2")
        left += 8 if before else 0
        draw_key(painter, QRect(left, 0, key_width("Alt"), self.height()), "Alt")
        left += key_width("Alt") + 8
        draw_text(painter, QRect(left, 0, 200, self.height()), after, "body", "text-2")
