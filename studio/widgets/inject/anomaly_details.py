"""Details of the chosen anomaly: preview, parameters, answers, and the commands that would run."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from collector.anomalies.model import NATIVE, Anomaly, DialogAnswer
from collector.model.i18n import _
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.controls import Label, SegmentedControl
from studio.widgets.inject.anomaly_entries import AnomalyEntry, category_words, kind_words, versions_words
from studio.widgets.inject.parameter_form import ParameterForm
from studio.widgets.painting import draw_screen_image, draw_text

_PICTURE = QSize(190, 250)
_BESIDE_PICTURE = 430
"""The least width for words beside the picture; ids of anomalies are long words."""
_DRAW_AFTER_MS = 250
_LIGHT, _DARK = "light", "dark"


class AnomalyDetails(QScrollArea):
    """Shows an entry and edits its parameters."""

    preview_wanted = Signal()
    """Asks for a preview of :attr:`entry` with :meth:`values`, on a phone that is :attr:`dark` or not."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entry: AnomalyEntry | None = None
        self._android = 0
        self.picture = PreviewImage(_PICTURE)
        self.look = SegmentedControl([(_LIGHT, _("Light"), ""), (_DARK, _("Dark"), "")])
        self.look.setAccessibleName(_("How the phone looks: light or dark"))
        self.form = ParameterForm()
        self._title = Label("", "title", wrap=True)
        self._facts = Label("", "caption", "text-2", wrap=True)
        self._id = Label("", "code", "text-2", wrap=True)
        self._id.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._parameters = Label(_("Parameters"), "heading")
        self._lines = QVBoxLayout()
        self._top = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._drawing = QTimer(self, singleShot=True, interval=_DRAW_AFTER_MS)
        self._drawing.timeout.connect(self.preview_wanted)
        self.form.changed.connect(self._edited)
        self.look.chosen.connect(self._edited_look)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._lay_out()

    def _lay_out(self) -> None:
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(8)
        top = self._top
        top.setSpacing(16)
        top.addWidget(self.picture, alignment=Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        words = QVBoxLayout()
        words.setSpacing(6)
        for label in (self._title, self._id, self._facts):
            words.addWidget(label)
        words.addStretch()
        words.addWidget(self.look, alignment=Qt.AlignmentFlag.AlignLeft)
        top.addLayout(words, 1)
        column.addLayout(top)
        column.addSpacing(4)
        column.addWidget(self._parameters)
        column.addWidget(self.form)
        self._lines.setSpacing(4)
        column.addLayout(self._lines)
        column.addStretch(1)
        self._inner = inner
        self.setWidget(inner)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Put the words below the picture where they do not fit beside it."""
        direction = QBoxLayout.Direction
        fits = event.size().width() >= _BESIDE_PICTURE
        self._top.setDirection(direction.LeftToRight if fits else direction.TopToBottom)
        super().resizeEvent(event)

    # -- what is shown -------------------------------------------------------
    @property
    def dark(self) -> bool:
        return self.look.current == _DARK

    def set_dark(self, dark: bool) -> None:
        """Choose the scheme of the phone."""
        self.look.set_current(_DARK if dark else _LIGHT)

    def set_android(self, version: int) -> None:
        """Show only the commands of this version; of all versions while it is 0."""
        if version != self._android:
            self._android = version
            if self.entry is not None:
                self._show_lines(self.entry.anomaly)

    def values(self) -> dict[str, object]:
        """Return the parameters that the person changed."""
        return self.form.values()

    def show_entry(self, entry: AnomalyEntry | None) -> None:
        self.entry = entry
        self._inner.setVisible(entry is not None)
        if entry is None:
            return
        anomaly = entry.anomaly
        self._title.setText(entry.title)
        self._id.setText(anomaly.id)
        versions = versions_words(anomaly)
        origin = _("of the studio") if entry.own else _("of this project")
        facts = (
            category_words(anomaly.category), kind_words(anomaly), anomaly.language,
            _("Android {versions}", versions=versions) if versions else "", origin,
        )  # fmt: skip
        self._facts.setText("\n".join(filter(None, facts)))
        self.form.show_anomaly(anomaly)
        self._parameters.setVisible(bool(self.form.fields))
        self.form.setVisible(bool(self.form.fields))
        self._show_lines(anomaly)
        self.verticalScrollBar().setValue(0)
        self._drawing.stop()
        self.preview_wanted.emit()

    def _show_lines(self, anomaly: Anomaly) -> None:
        clear_layout(self._lines)
        self._show_answers(anomaly)
        self._show_commands(anomaly)

    def _show_answers(self, anomaly: Anomaly) -> None:
        if not anomaly.answers:
            return
        self._heading(_("What the answers lead to"))
        for answer in anomaly.answers:
            self._line(f"{answer.button or answer.name}  →  {_outcome(answer)}")

    def _show_commands(self, anomaly: Anomaly) -> None:
        if anomaly.kind != NATIVE:
            return
        here = anomaly.commands_for(self._android) if self._android else None
        for native in (here,) if here is not None else anomaly.native:
            versions = str(native.versions)
            suffix = "  ·  " + _("Android {versions}", versions=versions) if versions else ""
            self._heading(_("Runs on the phone") + suffix)
            for command in native.apply:
                self._line(command.text, "code")
            undo = native.undo or anomaly.undo
            self._line(_("to undo it") if undo else _("it cannot be undone"), "caption")
            for command in undo:
                self._line(command.text, "code")

    def _heading(self, text: str) -> None:
        self._lines.addSpacing(8)
        self._lines.addWidget(Label(text, "heading"))

    def _line(self, text: str, role: str = "body") -> None:
        label = Label(text, role, "text-2", wrap=True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._lines.addWidget(label)

    # -- what is edited ------------------------------------------------------
    @Slot()
    def _edited(self) -> None:
        self._drawing.start()

    @Slot(str)
    def _edited_look(self, _name: str) -> None:
        self.preview_wanted.emit()


def _outcome(answer: DialogAnswer) -> str:
    """Describe what follows an answer: in the words of the library, or as the commands that run."""
    sentences = [
        follow_up.description
        or follow_up.message
        or (follow_up.command.text if follow_up.command is not None else "")
        for follow_up in answer.follow_ups
    ]
    return ", ".join(filter(None, sentences)) or _("nothing follows")


def clear_layout(layout: QLayout) -> None:
    """Remove and delete every widget of a layout."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.setParent(None)
            widget.deleteLater()


class PreviewImage(QWidget):
    """An image scaled to the widget; a text while there is none."""

    def __init__(self, size: QSize, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._image: QImage | None = None
        self.setFixedSize(size)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("As the phone will show it"))
        theme.changed.connect(self.update)

    def show_image(self, image: QImage | None) -> None:
        """Show an image; None while it is being drawn, a null image when the phone shows nothing."""
        self._image = image
        self.setAccessibleDescription(self._words)
        self.update()

    @property
    def image(self) -> QImage | None:
        return self._image

    @property
    def _words(self) -> str:
        if self._image is None:
            return _("Drawing...")
        return _("Nothing of it shows") if self._image.isNull() else ""

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._words or self._image is None:
            painter.setPen(QPen(theme.color("line"), 1))
            painter.setBrush(theme.color("bg-3"))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
            place = self.rect().adjusted(6, 0, -6, 0)
            draw_text(painter, place, self._words, "caption", "text-2", Qt.AlignmentFlag.AlignHCenter)
            return
        size = self._image.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        box = QRectF((self.width() - size.width()) / 2, (self.height() - size.height()) / 2,
                     size.width(), size.height())  # fmt: skip
        draw_screen_image(painter, box, self._image, 6)
