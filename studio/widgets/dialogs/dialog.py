"""Base classes of dialogs: a heading, a body, and two buttons at the bottom."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import (
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QRegion,
    QResizeEvent,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from collector.model.i18n import _
from rule_editor.widgets.field_names import name_field
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.theme.theme import repolish
from studio.widgets.controls import Label, surface
from studio.widgets.late_pages import parent_of_dialog


class FramelessDialog(QDialog):
    """A frameless dialog with round corners. Its layout leaves 1 px free for the border.

    A drag on any free area moves it.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent_of_dialog(parent))
        self.setWindowFlag(Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self.mask().isEmpty():
            # What the rounded edge covers in part would be mixed with black.
            painter.fillRect(self.rect(), theme.color("line-2"))
        painter.setPen(theme.color("line-2"))
        painter.setBrush(theme.color("bg-1"))
        radius = theme.radius("card")
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        if QGuiApplication.platformName() == "xcb":
            # X draws translucent pixels black without a compositor.
            shape = QPainterPath()
            shape.addRoundedRect(QRectF(self.rect()), theme.radius("card"), theme.radius("card"))
            self.setMask(QRegion(shape.toFillPolygon().toPolygon()))

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        handle = self.windowHandle()
        if event.button() == Qt.MouseButton.LeftButton and handle is not None:
            handle.startSystemMove()
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Enter presses the button that has the keyboard: Qt's own would press the default one beside it."""
        focused = self.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(focused, QPushButton):
            focused.click()
        else:
            super().keyPressEvent(event)


class Dialog(FramelessDialog):
    """Add content to ``body``; ``yes`` is the default button, which Ctrl+Enter presses in texts too.

    Modal to its window, deleted when closed.
    """

    def __init__(
        self, title: str, yes: str, parent: QWidget, *, sentence: str = "", no: str = "", width: int = 520
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(width)
        self.body = QVBoxLayout()
        self.body.setContentsMargins(16, 16, 16, 16)
        self.body.setSpacing(8)
        self.body.addWidget(Label(title, "instruction", wrap=True))
        if sentence:
            self.body.addWidget(Label(sentence, "body", "text-2", wrap=True))
        self.body.addSpacing(4)
        self._note: Label | None = None
        self.yes = QPushButton(yes)
        self.no = QPushButton(no or _("Cancel"))
        self.no.setAutoDefault(False)
        self.yes.setToolTip("Ctrl+Enter")
        for keys in ("Ctrl+Return", "Ctrl+Enter"):  # a text takes Enter for itself
            QShortcut(QKeySequence(keys), self).activated.connect(self.yes.click)
        self.yes.clicked.connect(self.accept)
        self.no.clicked.connect(self.reject)
        foot = surface("bar", "top")
        row = self._foot = QHBoxLayout(foot)
        row.setContentsMargins(16, 10, 16, 10)
        row.addStretch()
        row.addWidget(self.no)
        row.addWidget(self.yes)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addLayout(self.body, 1)
        column.addWidget(foot)
        self.yes.setDefault(True)  # before it is in the dialog, it is the default until another has the focus

    def show_note(self, sentence: str) -> None:
        """Show a note above everything else; an empty sentence hides it."""
        if self._note is None and sentence:
            self._note = Label("", "name", "accent", wrap=True)
            self.body.insertWidget(1, self._note)
        if self._note is not None and self._note.text() != sentence:
            self._note.setText(sentence)
            self._note.setVisible(bool(sentence))
            self.grow()

    def add_left(self, button: QPushButton) -> None:
        """Add a button at the left of the foot, away from those that close the dialog."""
        self._foot.insertWidget(0, button)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Clip no text on a small screen, of which Qt gives a dialog at most two thirds, and no button."""
        super().showEvent(event)
        layout = self.layout()
        if layout is not None and not event.spontaneous():
            layout.activate()
            # The style sheet lets Qt make buttons narrower than their words are.
            width = max(self.width(), self._foot.sizeHint().width() + 2)
            self.resize(width, max(self.height(), layout.totalMinimumHeightForWidth(width)))

    def grow(self) -> None:
        """Take the height that the content needs now, around the middle of the window."""
        layout, parent = self.layout(), self.parentWidget()
        if layout is None or parent is None or not self.isVisible():
            return
        layout.activate()
        window = parent.window().geometry()
        self.resize(self.width(), min(self.sizeHint().height(), window.height()))
        self.move(self.x(), max(window.top(), window.center().y() - self.height() // 2))

    def add_before_yes(self, button: QPushButton) -> None:
        """Add another button that accepts the dialog, beside the default one."""
        self._foot.insertWidget(self._foot.count() - 1, button)

    def add_field(self, title: str, field: QWidget, *, hint: str = "") -> Label:
        """Add a titled field; return the label under it that shows what is wrong."""
        name_field(field, title)
        if isinstance(field, QLineEdit):
            field.setPlaceholderText(hint)
        self.body.addWidget(Label(title, "caption", "text-2"))
        self.body.addWidget(field)
        problem = Label("", "caption", "err", wrap=True)
        problem.hide()
        self.body.addWidget(problem)
        return problem


def show_problem(problem: Label, field: QWidget, sentence: str) -> None:
    """Show under a field what is wrong with it; an empty sentence hides the label."""
    problem.setText(sentence)
    problem.setVisible(bool(sentence))
    if field.property("invalid") != bool(sentence):
        field.setProperty("invalid", bool(sentence))
        repolish(field)
