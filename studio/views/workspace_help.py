"""*What is this?* of a workspace: a moving picture of it with three notes, and its page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from collector.model.i18n import N_, _
from collector.model.resources import asset
from studio.theme import theme
from studio.widgets.controls import Button, Label
from studio.widgets.dialogs.dialog import FramelessDialog
from studio.widgets.icon_button import IconButton
from studio.widgets.moving_picture import MovingPicture, PictureControls
from studio.widgets.painted_items import Role

_WIDTH, _BADGE, _NOT_PICTURE = 760, 11, 276
SCENES_OF_NOTE = 2
"""How many scenes of the picture are about each note; they follow each other as the notes do."""
Note = tuple[float, float, str]
"""Where on the picture something is, as fractions of its size, and what is there."""


@dataclass(frozen=True, slots=True)
class WorkspaceHelp:
    """What a workspace is for: three notes on its picture, and the page of the guide about it."""

    notes: tuple[Note, Note, Note]
    page: str


HELP: Mapping[str, WorkspaceHelp] = {
    "project": WorkspaceHelp(
        (
            (0.20, 0.24, N_("Each line is a task: a sentence that somebody does on the phone.")),
            (0.20, 0.80, N_("What was recorded or run comes last, the newest first.")),
            (0.88, 0.20, N_("At the right are the phones; a green card is ready to record.")),
        ),
        "getting-started",
    ),
    "record": WorkspaceHelp(
        (
            (0.60, 0.45, N_("The mirrored phone: click to tap, drag to swipe, type as usual.")),
            (0.86, 0.20, N_("Every touch becomes a step, with its screen.")),
            (0.20, 0.12, N_("Record starts; Finish ends, and the next task is chosen.")),
        ),
        "recording",
    ),
    "rules": WorkspaceHelp(
        (
            (0.12, 0.22, N_("Rules say when a task is done, and when an anomaly comes.")),
            (0.40, 0.42, N_("Click on a recorded screen to add a condition about what is there.")),
            (0.40, 0.86, N_("Each rule is tried on every recorded screen.")),
        ),
        "rules",
    ),
    "states": WorkspaceHelp(
        (
            (0.24, 0.20, N_("The boxes are the states that every way through a task must reach.")),
            (0.40, 0.49, N_("The film strip shows which screen reaches each of them.")),
            (0.40, 0.80, N_("People and models label, compare and audit the states.")),
        ),
        "essential-states",
    ),
    "run": WorkspaceHelp(
        (
            (0.16, 0.20, N_("Tasks, agents, anomalies, variations and seeds make an experiment.")),
            (0.60, 0.10, N_("Each phone is shown live, with the agent's next click before it happens.")),
            (0.60, 0.62, N_("Results fill in as they come; each opens its episode.")),
        ),
        "run-workspace",
    ),
    "review": WorkspaceHelp(
        (
            (0.35, 0.35, N_("Trajectories stand side by side, at the same step of the task.")),
            (0.35, 0.85, N_("The timeline shows where they part; Home goes there.")),
            (0.88, 0.22, N_("You give the verdict, a reason and comments.")),
        ),
        "reviewing",
    ),
    "metrics": WorkspaceHelp(
        (
            (0.30, 0.06, N_("Choose what numbers are broken down by, and which ones there are.")),
            (0.40, 0.30, N_("Each number has its interval and opens the episodes behind it.")),
            (0.40, 0.80, N_("Plots compare conditions, pairs and variations.")),
        ),
        "metrics",
    ),
}
"""By the id of the workspace."""


class WorkspaceHelpDialog(FramelessDialog):
    """Emits ``page_asked`` with the path of its page of the guide."""

    page_asked = Signal(str)
    tour_asked = Signal()

    def __init__(self, workspace: str, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        shown = HELP[workspace]
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 12, 16, 16)
        column.setSpacing(10)
        head = QHBoxLayout()
        head.addWidget(Label(title, "instruction"), 1)
        close = IconButton("x", _("Close"))
        close.clicked.connect(self.reject)
        head.addWidget(close)
        column.addLayout(head)
        room = QSize(_WIDTH, parent.window().height() - _NOT_PICTURE)
        self.picture = _Picture(help_picture(workspace, theme.scheme), shown.notes, room)
        column.addWidget(self.picture, alignment=Qt.AlignmentFlag.AlignHCenter)
        self.controls = PictureControls(self.picture)
        column.addWidget(self.controls)
        self._sentences = [_(sentence) for _x, _y, sentence in shown.notes]
        self._rows = [self._add_note(column, number) for number in range(len(self._sentences))]
        column.addLayout(self._foot(shown.page))
        self.picture.changed.connect(self._mark)
        self.picture.begin()
        self._mark()
        self.setFixedWidth(_WIDTH + 40)

    def _add_note(self, column: QVBoxLayout, number: int) -> tuple[_Number, Label]:
        row = QHBoxLayout()
        row.setSpacing(8)
        badge, label = _Number(number + 1), Label(self._sentences[number], "body", wrap=True)
        row.addWidget(badge)
        row.addWidget(label, 1)
        column.addLayout(row)
        return badge, label

    @Slot()
    def _mark(self) -> None:
        """Mark the sentence that the scene is about."""
        for number, (badge, label) in enumerate(self._rows):
            badge.set_current(number == self.picture.note)
            label.set_tone("text" if number == self.picture.note else "text-2")

    def _foot(self, page: str) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(12)
        self._page = f"docs/guide/{page}.md"
        self.page_link = Button(_("Its page in the guide"), kind="link")
        self.page_link.clicked.connect(self._ask_page)
        row.addWidget(self.page_link)
        self.tour_link = Button(_("Guided tour"), kind="link")
        self.tour_link.clicked.connect(self._ask_tour)
        row.addWidget(self.tour_link)
        row.addStretch()
        self.done_button = Button(_("Close"), kind="outlined", key="Esc")
        self.done_button.clicked.connect(self.accept)
        row.addWidget(self.done_button)
        return row

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Begin at the button below: Enter closes, and Tab comes to the links."""
        super().showEvent(event)
        self.done_button.setFocus()

    @Slot()
    def _ask_page(self) -> None:
        self.accept()
        self.page_asked.emit(self._page)

    def _ask_tour(self) -> None:
        self.accept()
        self.tour_asked.emit()


class _Picture(MovingPicture):
    """Moving picture with the number of the note that a scene is about."""

    def __init__(self, path: Path, notes: tuple[Note, ...], room: QSize) -> None:
        super().__init__(path, room)
        self._notes = notes
        self.setAccessibleName(_("Picture of the workspace"))
        self.changed.connect(self._describe)
        self._describe()

    @property
    def note(self) -> int:
        """The place of the note that the scene is about."""
        return min(self.scene // SCENES_OF_NOTE, len(self._notes) - 1)

    @Slot()
    def _describe(self) -> None:
        self.setAccessibleDescription(_(self._notes[self.note][2]))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        x, y, _sentence = self._notes[self.note]
        _draw_number(painter, QPointF(x * self.width(), y * self.height()), self.note + 1)


class _Number(QWidget):
    """The number of a note, as on the picture."""

    spoken_role = Role.StaticText

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number, self._is_current = number, False
        self.setAccessibleName(str(number))
        self.setFixedSize(2 * _BADGE, 2 * _BADGE)

    def set_current(self, is_current: bool) -> None:
        """Fill the circle of the note that the picture is about; the others have a line."""
        self._is_current = is_current
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _draw_number(painter, QPointF(_BADGE, _BADGE), self._number, is_filled=self._is_current)


def _draw_number(painter: QPainter, centre: QPointF, number: int, *, is_filled: bool = True) -> None:
    line: QColor = theme.color("on-fill" if is_filled else "text-2")
    painter.setPen(line)
    painter.setBrush(theme.color("accent-fill") if is_filled else Qt.BrushStyle.NoBrush)
    painter.drawEllipse(centre, _BADGE - 1, _BADGE - 1)
    painter.setFont(theme.font("name"))
    box = QRectF(centre.x() - _BADGE, centre.y() - _BADGE, 2 * _BADGE, 2 * _BADGE)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(number))


def help_picture(workspace: str, scheme: str) -> Path:
    """The file with the scenes of a workspace in light or dark colours."""
    return asset("help", f"{workspace}-{scheme}.webp")
