"""The dialog that asks for the folder and the name of a new project, and whether a phone starts with it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QPushButton, QWidget

from collector.model.i18n import _
from studio.widgets.controls import Label, Switch
from studio.widgets.dialogs.dialog import Dialog, show_problem


class NewProjectDialog(Dialog):
    """Checks its fields before it is accepted."""

    accepted_with = Signal(str, str)
    """Folder, which is new or empty, and name."""

    def __init__(
        self, home: Path, parent: QWidget, *, import_name: str = "", offers_phone: bool = False
    ) -> None:
        """``import_name`` names what is imported afterwards; ``offers_phone`` adds the choice of a phone."""
        sentence = (
            _("{name} needs an open project to be imported into; create one", name=import_name)
            if import_name
            else _("A project is a folder with tasks, rules and trajectories, in plain files")
        )
        super().__init__(_("New project"), _("Make project"), parent, sentence=sentence)
        self._home = home
        self.name = QLineEdit(Path(import_name).stem if import_name else _free_name(home, _("My benchmark")))
        self._name_problem = self.add_field(_("Name"), self.name, hint=_("My benchmark"))
        self.folder = QLineEdit()
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.folder, 1)
        browse = QPushButton(_("Choose..."))
        browse.setAutoDefault(False)
        browse.clicked.connect(self._browse)
        line.addWidget(browse)
        self._folder_problem = self.add_field(_("Folder"), row)
        self.folder.setAccessibleName(_("Folder"))
        self.phone = Switch(_("Start the virtual phone, too"), on=offers_phone)
        self._phone_row = _switch_row(self.phone)
        self._phone_row.setVisible(offers_phone)
        self.body.addWidget(self._phone_row)
        self.body.addStretch()
        self._follows = True
        self.name.textChanged.connect(self._name_changed)
        self.folder.textEdited.connect(self._folder_edited)
        self._name_changed(self.name.text())
        self.name.setFocus()
        self.name.selectAll()

    @property
    def starts_phone(self) -> bool:
        """Whether a virtual phone is to start with the project."""
        return self.phone.isChecked()

    @Slot(str)
    def _name_changed(self, name: str) -> None:
        """Derive the folder from the name until the person edits the folder."""
        show_problem(self._name_problem, self.name, "")
        if self._follows:
            folder = _folder_name(name)
            self.folder.setText(str(self._home / folder) if folder else "")

    @Slot()
    def _folder_edited(self) -> None:
        self._follows = False
        show_problem(self._folder_problem, self.folder, "")

    @Slot()
    def _browse(self) -> None:
        dialog = QFileDialog(self, _("Folder of the project"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self._chosen)
        dialog.open()

    @Slot(str)
    def _chosen(self, path: str) -> None:
        self._follows = False
        self.folder.setText(path)

    @Slot()
    def accept(self) -> None:
        """Emit folder and name, or show what is missing."""
        name, text = self.name.text().strip(), self.folder.text().strip()
        folder = Path(text).expanduser()
        if not text:
            show_problem(self._folder_problem, self.folder, _("Name a folder for the project"))
        elif folder.is_file() or (folder.is_dir() and any(folder.iterdir())):
            show_problem(self._folder_problem, self.folder, _("It is not empty; choose a new folder"))
        else:
            self.accepted_with.emit(str(folder), name or folder.name)
            super().accept()


def _folder_name(name: str) -> str:
    """The name of the folder of a project; empty for a name of no letter."""
    safe = "".join(char if char.isalnum() or char in "-_. " else "-" for char in name.strip())
    return safe.replace(" ", "-") if safe.strip(". ") else ""


def _free_name(home: Path, name: str) -> str:
    """The name, with a number behind it where a folder has it already."""
    names = (name if number == 1 else f"{name} {number}" for number in range(1, 1000))
    return next((free for free in names if not (home / _folder_name(free)).exists()), "")


def _switch_row(switch: Switch) -> QWidget:
    """A switch with its name beside it."""
    row = QWidget()
    line = QHBoxLayout(row)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(8)
    line.addWidget(switch)
    line.addWidget(Label(switch.accessibleName(), "body"), 1)
    return row
