"""The dialog that asks for the format and the target of an export."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QFileDialog, QHBoxLayout, QLineEdit, QPushButton, QWidget

from collector.model.i18n import _
from studio.widgets.controls.label import Label
from studio.widgets.dialogs.dialog import Dialog, show_problem
from studio.widgets.dialogs.file_dialog import dress_file_dialog

if TYPE_CHECKING:
    from collector.exchange.format import Format


class ExportDialog(Dialog):
    """Asks before it replaces an earlier export, and refuses a target that holds anything else."""

    accepted_with = Signal(str, str, bool)
    """Id of the format, path of the target, and whether what is there is replaced."""

    def __init__(self, formats: Sequence[Format], project: Path, parent: QWidget) -> None:
        sentence = _("The project stays as it is; a report names what the format has no place for")
        super().__init__(_("Export the project"), _("Export"), parent, sentence=sentence)
        self._formats, self._project = list(formats), project
        self._replaces: str | None = None
        self.format = QComboBox()
        for entry in self._formats:
            self.format.addItem(_(entry.title), entry.id)
        self.add_field(_("Format"), self.format)
        self.files = Label("", "caption", "text-2", wrap=True)
        self.body.addWidget(self.files)
        self.target = QLineEdit()
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.target, 1)
        self.choose = QPushButton(_("Choose..."))
        self.choose.setAutoDefault(False)
        self.choose.clicked.connect(self._browse)
        line.addWidget(self.choose)
        self.problem = self.add_field(_("New file or folder"), row)
        self.target.setAccessibleName(_("New file or folder"))
        self._follows = True
        self.format.currentIndexChanged.connect(self._format_changed)
        self.target.textEdited.connect(self._edited)
        self.target.textChanged.connect(self._reset)
        self._format_changed()
        self.target.setFocus()

    @property
    def _chosen_format(self) -> Format:
        return self._formats[max(self.format.currentIndex(), 0)]

    @Slot()
    def _format_changed(self) -> None:
        """Say what the format holds, and name a target beside the project until the person names another."""
        self._reset()
        chosen = self._chosen_format
        described = _("{files}. It holds: {contents}.", files=_(chosen.files), contents=chosen.contents)
        self.files.setText(f"{described} {chosen.missing}".strip())
        self.grow()
        if self._follows:
            name = f"{self._project.name}-{self._chosen_format.id}{self._chosen_format.ending}"
            self.target.setText(str(self._project.parent / name))

    @Slot()
    def _edited(self) -> None:
        self._follows = False

    @Slot()
    def _reset(self) -> None:
        self._replaces = None
        self.yes.setText(_("Export"))
        show_problem(self.problem, self.target, "")

    @Slot()
    def _browse(self) -> None:
        """Choose the file, or the folder that the new folder goes into."""
        is_folder = bool(self._chosen_format.entries)
        dialog = QFileDialog(self, _("Folder to export into") if is_folder else _("File to export to"))
        dialog.setFileMode(QFileDialog.FileMode.Directory if is_folder else QFileDialog.FileMode.AnyFile)
        if not is_folder:
            dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
            dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)  # this dialog asks
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dress_file_dialog(dialog)
        dialog.fileSelected.connect(self._chosen)
        dialog.open()

    @Slot(str)
    def _chosen(self, path: str) -> None:
        self._follows = False
        name = Path(self.target.text().strip()).name
        self.target.setText(str(Path(path) / name) if self._chosen_format.entries and name else path)

    @Slot()
    def accept(self) -> None:
        """Emit format and target, or show what is wrong with the target."""
        from collector.exchange.exporting import is_taken, may_replace

        text = self.target.text().strip()
        path = Path(text).expanduser()
        if not text:
            show_problem(self.problem, self.target, _("Name a new file or folder"))
            return
        if is_taken(path) and self._replaces != text:
            if may_replace(self._chosen_format, path):
                self._replaces = text
                self.yes.setText(_("Replace"))
                sentence = _("There is a {name} already; press Replace to write it anew", name=path.name)
            else:
                sentence = _(
                    "There is a {name} already, which is no such export; name another", name=path.name
                )
            show_problem(self.problem, self.target, sentence)
            return
        self.accepted_with.emit(self._chosen_format.id, str(path), self._replaces == text)
        super().accept()
