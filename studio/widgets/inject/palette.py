"""The palette of anomalies: search, see the preview, press Enter to inject."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal, Slot
from PySide6.QtGui import QImage, QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget
from shiboken6 import isValid

from collector.model.i18n import _, ngettext
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.controls import Button, Label, surface
from studio.widgets.inject.anomaly_details import AnomalyDetails
from studio.widgets.inject.anomaly_entries import AnomalyEntry, InjectTarget, languages_of, ordered
from studio.widgets.inject.anomaly_list import AnomalyList
from studio.widgets.inject.filter_bar import AnomalyFilterBar
from studio.widgets.key_caps import KeyCaps

_WIDTH, _HEIGHT, _LIST = 920, 640, 360
_AROUND, _BESIDE = 24, 12
_NARROWEST = 520


class InjectPalette(QFrame):
    """Opens over the window; Esc or a click elsewhere closes it and gives the focus back.

    ``phone`` returns where the shown phone lies on the parent: the palette leaves it free.
    """

    fired = Signal(object, object)
    """An anomaly and the values of its parameters that were changed."""
    preview_wanted = Signal(object, object, bool)
    """An anomaly, changed values, and whether the phone is dark: :meth:`show_preview` answers."""

    def __init__(self, parent: QWidget, phone: Callable[[], QRect] = QRect) -> None:
        super().__init__(parent)
        self._host, self._phone = parent, phone
        self._came_from: QWidget | None = None
        self._entries: list[AnomalyEntry] = []
        self._recent: list[str] = []
        self._target = InjectTarget()
        self._opened = False
        self.setProperty("surface", "float")
        self.setAccessibleName(_("Inject an anomaly"))
        self.field = QLineEdit()
        self.field.setProperty("plain", "true")
        self.field.setPlaceholderText(_("Search anomalies"))
        self.field.setAccessibleName(_("Search anomalies"))
        self.filters = AnomalyFilterBar()
        self.list = AnomalyList()
        self.details = AnomalyDetails()
        self.inject = Button(_("Inject"), "zap", "primary", key="Enter")
        self._count = Label("", "body", "text-2")
        self._reason = Label("", "body", "warn", cut=True)
        self._keys = QWidget()
        """What keys do; a reason takes its place."""
        self._build()
        self._connect()
        self.hide()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        head = surface("", "bottom")
        row = QHBoxLayout(head)
        row.setContentsMargins(36, 6, 12, 6)
        row.addWidget(self.field, 1)
        row.addWidget(self._count)
        column.addWidget(head)
        bar = surface("", "bottom")
        inner = QVBoxLayout(bar)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.addWidget(self.filters)
        column.addWidget(bar)
        body = QHBoxLayout()
        body.setSpacing(0)
        body.addWidget(self.list)
        right = surface("panel", "left")
        under = QVBoxLayout(right)
        under.setContentsMargins(1, 0, 0, 0)
        under.addWidget(self.details)
        body.addWidget(right, 1)
        column.addLayout(body, 1)
        column.addWidget(self._foot())

    def _foot(self) -> QFrame:
        foot = surface("", "top")
        row = QHBoxLayout(foot)
        row.setContentsMargins(12, 6, 8, 6)
        row.setSpacing(6)
        keys_row = QHBoxLayout(self._keys)
        keys_row.setContentsMargins(0, 0, 0, 0)
        keys_row.setSpacing(6)
        for keys, what in ((("Up", "Down"), _("choose")), (("Tab",), _("filters, parameters")),
                           (("Esc",), _("close"))):  # fmt: skip
            keys_row.addWidget(KeyCaps(keys))
            keys_row.addWidget(Label(what, "caption", "text-3"))
            keys_row.addSpacing(6)
        row.addWidget(self._keys)
        row.addWidget(self._reason, 1)
        row.addWidget(self.inject)
        self._reason.setAlignment(Qt.AlignmentFlag.AlignRight)
        return foot

    def _connect(self) -> None:
        self.field.textChanged.connect(self._search)
        self.field.installEventFilter(self)
        self._host.installEventFilter(self)
        self.filters.changed.connect(self._search)
        self.list.chosen.connect(self._row_changed)
        self.list.opened.connect(self._fire)
        self.inject.clicked.connect(self._fire)
        self.details.preview_wanted.connect(self._ask_for_preview)

    # -- what is shown -------------------------------------------------------
    def set_entries(self, entries: Sequence[AnomalyEntry]) -> None:
        """The anomalies of the libraries there are."""
        self._entries = list(entries)
        self.filters.set_languages(languages_of(self._entries))
        self._search()

    def set_recent(self, recent: Sequence[str]) -> None:
        """Ids of those used lately, the latest first."""
        self._recent = list(recent)

    @property
    def target(self) -> InjectTarget:
        return self._target

    def set_target(self, target: InjectTarget) -> None:
        """The phone in use, as it is now."""
        self._target = target
        self.list.set_target(target)
        self.details.set_android(target.android)
        self._show_reason()

    def set_dark(self, dark: bool) -> None:
        """Whether the phone is dark: so are the pictures."""
        if dark != self.details.dark:
            self.details.set_dark(dark)
            self._ask_for_preview()

    def show_preview(self, image: QImage | None) -> None:
        """Show the preview of the chosen anomaly; None while it is being drawn."""
        self.details.picture.show_image(image)

    # -- life ----------------------------------------------------------------
    def open(self) -> None:
        """Show all anomalies with the last used one chosen, and focus the search field."""
        focus = self._host.window().focusWidget()
        self._came_from = focus if focus is not None and not self.isAncestorOf(focus) else None
        self.field.clear()
        self._search()
        self._fit()
        self._opened = True
        self.show()
        self.raise_()
        self.field.setFocus()
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._focus_changed, Qt.ConnectionType.UniqueConnection)

    def _fit(self) -> None:
        """Beside the phone where there is room, else in the middle of the window; never larger than it."""
        host = self._host
        height = min(_HEIGHT, host.height() - 3 * _AROUND)
        left, width = self._place_beside(self._phone()) or (-1, min(_WIDTH, host.width() - 2 * _AROUND))
        self.list.setFixedWidth(min(_LIST, width * 2 // 5))
        self.resize(width, height)
        self.move(left if left >= 0 else (host.width() - width) // 2, 4 + theme.size("menu_bar"))

    def _place_beside(self, phone: QRect) -> tuple[int, int] | None:
        """Left edge and width beside the phone, at the side with more room; None where neither has enough."""
        if phone.isEmpty():
            return None
        ends, begins = phone.left() - _BESIDE, phone.right() + _BESIDE
        rooms = ((ends - _AROUND, True), (self._host.width() - _BESIDE - begins, False))
        room, at_left = max(rooms)
        width = min(_WIDTH, room)
        if width < _NARROWEST:
            return None
        return (ends - width if at_left else begins, width)

    def close_palette(self) -> None:
        """Hide and give the focus back."""
        before, self._came_from = self._came_from, None
        self._hide()
        if before is not None and isValid(before) and before.isVisible():
            before.setFocus()

    def _hide(self) -> None:
        self._opened = False
        self.hide()

    @Slot("QWidget*", "QWidget*")
    def _focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        """A click elsewhere in the window closes; another window in front does not."""
        if not self.isVisible() or new is None or new.window() is not self.window():
            return
        if new is not self and not self.isAncestorOf(new):
            self._came_from = None
            self._hide()

    # -- choosing ------------------------------------------------------------
    @Slot()
    def _search(self) -> None:
        chosen = self.list.current
        entries = ordered(self._entries, self.filters.query(self.field.text()), self._recent)
        self.list.show_entries(entries)
        words = ngettext("{count} anomaly", "{count} anomalies", len(entries))
        self._count.setText(words if entries or not self._entries else _("Nothing fits"))
        kept_id = chosen.anomaly.id if chosen is not None and self.field.text() else ""
        self.list.choose_anomaly(kept_id)
        self._row_changed()

    @Slot()
    def _row_changed(self) -> None:
        entry = self.list.current
        if entry is not self.details.entry:
            self.details.show_entry(entry)
        self._show_reason()

    def _show_reason(self) -> None:
        entry, reason = self.list.current, self.list.reason
        said = reason
        if not reason and self.list.needs_companion:
            said = _("The companion app is not on this phone: Inject offers it")
        self._reason.setText(said if entry is not None else "")
        self._reason.setToolTip(said)
        self._keys.setVisible(not self._reason.text())
        self.inject.setEnabled(entry is not None and not reason)

    @Slot()
    def _ask_for_preview(self) -> None:
        entry = self.details.entry
        if entry is not None:
            self.preview_wanted.emit(entry.anomaly, self.details.values(), self.details.dark)

    @Slot()
    def _fire(self) -> None:
        entry = self.list.current
        if entry is not None and self.inject.isEnabled():
            values = self.details.values()
            self.close_palette()
            self.fired.emit(entry.anomaly, values)

    # -- keys ----------------------------------------------------------------
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if watched is self._host:
            if event.type() == QEvent.Type.Resize and self.isVisible():
                self._fit()
        elif isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8}
            if event.key() in steps:
                self.list.move_by(steps[Qt.Key(event.key())])
                return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """What fields and choices leave over."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_palette()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._fire()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802 - Qt's name
        """Tab goes round in here; as it hides Qt looks for another place."""
        if not self._opened:
            return super().focusNextPrevChild(forward)
        order = self._fields_in_order()
        focus = self.focusWidget()
        at = order.index(focus) if focus in order else -1
        order[(at + (1 if forward else -1)) % len(order)].setFocus(Qt.FocusReason.TabFocusReason)
        return True

    def _fields_in_order(self) -> list[QWidget]:
        filters, details = self.filters, self.details
        fields: list[QWidget] = [
            self.field, filters.category, filters.kind, filters.buttons, filters.language, details.look,
            *details.form.fields.values(), self.inject,
        ]  # fmt: skip
        return [field for field in fields if field.isVisible() and field.isEnabled()]

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        super().paintEvent(event)
        theme.draw_icon_in(painter_of(self), "zap", QRect(12, 1, 16, 40), 16)
