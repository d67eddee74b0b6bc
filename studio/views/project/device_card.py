"""The card of one phone: screen, name, facts, and advice of the doctor."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QContextMenuEvent, QImage, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from collector.device.device_entry import DeviceEntry
from collector.model.finding import Finding
from collector.model.i18n import _
from rule_editor.widgets.popup_menu import PopupMenu
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.views.project.icon_line import StateIcon
from studio.widgets.controls import Button, Label

SCREEN_SIZE = (52, 113)
_ROWS = ("owner", "video", "tree", "input", "battery", "anomalies", "quirks", "state")
_SEVERITY_ORDER = {"problem": 0, "notice": 1, "ok": 2}
# Findings that the card shows itself, that do not concern one phone, or that wait until they matter.
_HIDDEN_CODES = ("scrcpy", "device", "no_companion", "quirk")


def advice(entry: DeviceEntry) -> list[Finding]:
    """Return the findings of the doctor that ask for an action, worst first."""
    findings = [
        finding
        for finding in entry.findings
        if finding.severity != "ok" and finding.code not in _HIDDEN_CODES
    ]
    return sorted(findings, key=lambda finding: _SEVERITY_ORDER[finding.severity])


def card_state(entry: DeviceEntry) -> str:
    """Return the state icon of a phone."""
    if not entry.is_ready:
        return "state-err"
    return "state-warn" if any(finding.severity == "problem" for finding in entry.findings) else "state-ok"


class _ScreenThumbnail(QWidget):
    """The newest frame, or a phone icon in a dashed outline."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(*SCREEN_SIZE)
        self._pixmap = QPixmap()
        theme.changed.connect(self.update)

    def show_image(self, image: QImage) -> None:
        self._pixmap = QPixmap.fromImage(image)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        if self._pixmap.isNull():
            painter.setPen(QPen(theme.color("line-2"), 1, Qt.PenStyle.DashLine))
            painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))
            theme.draw_icon_in(painter, "phone", self.rect(), 20, "text-2")
            return
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        size = self._pixmap.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        painter.drawPixmap(
            QRect((self.width() - size.width()) // 2, 0, size.width(), size.height()), self._pixmap
        )


class _AccentLabel(Label):
    """A short text on the weak accent colour."""

    def __init__(self, text: str) -> None:
        super().__init__(text, "caption", "accent")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setContentsMargins(6, 0, 6, 0)
        self.setFixedHeight(18)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("accent-weak"))
        painter.drawRoundedRect(self.rect(), 3, 3)
        painter.end()
        super().paintEvent(event)


class _DoctorAdvice(QFrame):
    """The findings about a phone, with numbered steps that fix them."""

    again = Signal()

    def __init__(self, findings: list[Finding]) -> None:
        super().__init__()
        self._is_serious = any(finding.severity == "problem" for finding in findings)
        column = QVBoxLayout(self)
        column.setContentsMargins(11, 9, 11, 9)
        column.setSpacing(4)
        number = 0
        for finding in findings:
            column.addWidget(Label(finding.what, "name", wrap=True))
            if finding.why:
                column.addWidget(Label(finding.why, "body", "text-2", wrap=True))
            for step in fix_steps(finding):
                number += 1
                row = QHBoxLayout()
                row.setSpacing(8)
                row.addWidget(_AccentLabel(str(number)), alignment=Qt.AlignmentFlag.AlignTop)
                row.addWidget(Label(step, "body", wrap=True), 1)
                column.addLayout(row)
        button = Button(_("Check again"), "refresh", "outlined")
        button.clicked.connect(self.again)
        column.addSpacing(4)
        column.addWidget(button, alignment=Qt.AlignmentFlag.AlignLeft)
        theme.changed.connect(self.update)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tone = "warn" if self._is_serious else "info"
        painter.setPen(QPen(theme.color(tone), 1))
        painter.setBrush(theme.color(f"{tone}-weak"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)


def fix_steps(finding: Finding) -> list[str]:
    """Split what is to be done into its steps."""
    return [step.strip() for step in finding.to_do.replace("; ", ", ").split(", then ") if step.strip()]


class DeviceCard(QFrame):
    """Shows one phone; its signals carry the serial."""

    use_asked = Signal(str)
    check_asked = Signal(str)
    """What the doctor says of it is to be asked again."""
    full_check_asked = Signal(str)
    """All that the studio needs is to be tried on it."""
    disconnect_asked = Signal(str)

    def __init__(self, entry: DeviceEntry) -> None:
        super().__init__()
        self.serial = entry.serial
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setProperty("hasFocusRing", True)
        self.thumbnail = _ScreenThumbnail()
        self._state = StateIcon()
        self._name = Label("", "heading", cut=True)
        self._used = _AccentLabel(_("in use"))
        self._use = Button(_("Use"), kind="outlined", small=True)
        self._use.clicked.connect(self._ask_use)
        self._full_check = Button(_("Check this phone..."), "check", "outlined", small=True)
        self._full_check.setToolTip(_("Try what works on the phone, in 3 minutes, and leave it as it was"))
        self._full_check.clicked.connect(self._ask_full_check)
        self._about = Label("", "body", "text-2", cut=True)
        self._facts = QGridLayout()
        self._facts.setHorizontalSpacing(12)
        self._facts.setVerticalSpacing(4)
        self._facts.setColumnMinimumWidth(0, 44)
        self._facts.setColumnStretch(1, 1)
        self._values: dict[str, tuple[Label, Label]] = {}
        self._advice: _DoctorAdvice | None = None
        self._findings: list[Finding] = []
        self._column = QVBoxLayout(self)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._lay_out()
        self.show_entry(entry, in_use=False)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(6)
        head.addWidget(self._state)
        head.addWidget(self._name, 1)
        head.addWidget(self._used)
        head.addWidget(self._use)
        texts = QVBoxLayout()
        texts.setSpacing(3)
        texts.addLayout(head)
        texts.addWidget(self._about)
        texts.addSpacing(2)
        texts.addLayout(self._facts)
        texts.addSpacing(3)
        texts.addWidget(self._full_check, alignment=Qt.AlignmentFlag.AlignLeft)
        texts.addStretch()
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self.thumbnail, alignment=Qt.AlignmentFlag.AlignTop)
        row.addLayout(texts, 1)
        self._column.setContentsMargins(12, 12, 12, 12)
        self._column.setSpacing(10)
        self._column.addLayout(row)

    def show_entry(self, entry: DeviceEntry, *, in_use: bool) -> None:
        """Show the phone as its entry says."""
        self._state.show_state(card_state(entry))
        self._name.setText(entry.name)
        self._name.setToolTip(entry.serial)
        self.setAccessibleName(f"{entry.name}, {entry.words}")
        self._used.setVisible(in_use)
        self._use.setVisible(entry.is_ready and not in_use)
        self._full_check.setVisible(entry.is_ready)
        self._about.setText(_about(entry))
        self._about.setToolTip(entry.serial)
        self._set("state", _("state"), "" if entry.is_ready else entry.words)
        battery = entry.info.battery if entry.info and entry.is_ready else None
        self._set("battery", _("battery"), "" if battery is None else f"{battery} %")
        if not entry.is_ready:
            self.thumbnail.show_image(QImage())
        self._show_quirks([finding for finding in entry.findings if finding.code == "quirk"])
        self._show_advice(advice(entry))

    def set_sources(self, video: str, tree: str, touch: str) -> None:
        """Set how the phone in use is mirrored and controlled; empty texts for any other phone."""
        self._set("video", _("video"), video)
        self._set("tree", _("tree"), tree)
        self._set("input", _("input"), touch)

    def set_owner(self, owner: str) -> None:
        """Set the other program that uses the phone; empty when there is none."""
        self._set("owner", _("in use by"), owner, "warn")

    def set_anomalies(self, names: Sequence[str]) -> None:
        """Set the anomalies injected into the phone in use."""
        self._set("anomalies", _("injected"), ", ".join(names), "err")

    def _set(self, key: str, title: str, value: str, tone: str = "text") -> None:
        if key not in self._values:
            name, label = Label(title, "body", "text-2"), Label("", "body", tone, cut=True)
            row = _ROWS.index(key)
            self._facts.addWidget(name, row, 0)
            self._facts.addWidget(label, row, 1)
            self._values[key] = (name, label)
        name, label = self._values[key]
        label.setText(value)
        label.setToolTip(value if tone != "text" else "")
        name.setVisible(bool(value))
        label.setVisible(bool(value))

    def _show_quirks(self, quirks: list[Finding]) -> None:
        """Count what is known of such phones; what it is, and what to do, is said on hovering."""
        count = len(quirks)
        self._set("quirks", _("quirks"), _("{count} known", count=count) if count else "")
        about = "\n".join(f"{quirk.what}: {quirk.to_do}" for quirk in quirks)
        value = self._values["quirks"][1]
        value.setToolTip(about)
        value.setAccessibleDescription(about)

    def _show_advice(self, findings: list[Finding]) -> None:
        if findings == self._findings:
            return
        self._findings = findings
        if self._advice is not None:
            self._advice.hide()
            self._advice.deleteLater()
            self._advice = None
        if findings:
            self._advice = _DoctorAdvice(findings)
            self._advice.again.connect(self._ask_check)
            self._column.addWidget(self._advice)

    @Slot()
    def _ask_use(self) -> None:
        self.use_asked.emit(self.serial)

    @Slot()
    def _ask_check(self) -> None:
        self.check_asked.emit(self.serial)

    @Slot()
    def _ask_full_check(self) -> None:
        self.full_check_asked.emit(self.serial)

    @Slot()
    def _ask_disconnect(self) -> None:
        self.disconnect_asked.emit(self.serial)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 - Qt's name
        menu = PopupMenu(self)
        if self._use.isVisible():
            menu.addAction(theme.icon("phone"), _("Use"), self._ask_use)
        menu.addAction(theme.icon("refresh"), _("Check again"), self._ask_check)
        if self._full_check.isVisible():
            menu.addAction(theme.icon("check"), _("Check this phone..."), self._ask_full_check)
        if ":" in self.serial:
            menu.addAction(theme.icon("x"), _("Disconnect"), self._ask_disconnect)
        menu.popup(event.globalPos())

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter_of(self).fillRect(0, self.height() - 1, self.width(), 1, theme.color("line"))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        super().mouseDoubleClickEvent(event)
        if self._use.isVisible():
            self._ask_use()


def _about(entry: DeviceEntry) -> str:
    """Return ``720 x 1600, Android 15, seed 1``, or the serial until the phone has answered."""
    facts, display = entry.info, entry.display
    if facts is None:
        return _("{serial}, by address", serial=entry.serial) if ":" in entry.serial else entry.serial
    parts = []
    if display is not None and not display.size.is_empty:
        parts.append(f"{display.size.width} \N{MULTIPLICATION SIGN} {display.size.height}")
    if facts.android:
        parts.append(_("Android {version}", version=facts.android))
    if facts.is_virtual:
        parts.append(_("seed {seed}", seed=facts.seed))
    else:
        parts.append(_("Wi-Fi") if ":" in entry.serial else "USB")
    return ", ".join(parts)
