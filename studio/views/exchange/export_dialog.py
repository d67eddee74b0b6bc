"""The dialog of an export: format, options, what of the project, and what it comes to, before it is done."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from collector.model.i18n import _
from rule_editor.widgets.field_names import name_field
from studio.bridge.project_exchange import ExchangeLook, OfferedFormat, ProjectExchange, TargetUse
from studio.views.exchange.format_list import FormatList
from studio.views.exchange.look_panel import LookPanel
from studio.views.exchange.selection_fields import SelectionFields
from studio.widgets.controls import Label
from studio.widgets.dialogs.dialog import Dialog, show_problem
from studio.widgets.dialogs.file_dialog import dress_file_dialog
from studio.widgets.option_form import entered_options, option_field

if TYPE_CHECKING:
    from collector.exchange.exports.exporting import ExportChoice
    from collector.exchange.format import Format

_SIZE, _AROUND = QSize(1140, 640), QSize(40, 40)
_FORMATS_WIDTH, _SETTINGS_WIDTH = 250, 370
_PAUSE_MS = 250
_LOOKED_AT = 10


class ExportDialog(Dialog):
    """Asks before it replaces an earlier export, and refuses a target that holds anything else."""

    accepted_with = Signal(str, object, object)
    """Id of the format, Path of the target, and the ExportChoice."""

    def __init__(
        self, exchange: ProjectExchange, offered: Sequence[OfferedFormat], project: Path, parent: QWidget,
        query: str = "", tasks: tuple[str, ...] = (), front: str = "", *, begins_in_front: bool = False,
    ) -> None:  # fmt: skip
        """``query`` finds what is exported; ``tasks`` are those that are selected, and ``front`` is the
        folder of the trajectory in front, relative to the project."""
        super().__init__(_("Export"), _("Export"), parent)
        self._exchange, self._project = exchange, project
        self._offered = {entry.format.id: entry for entry in offered}
        self._replaces = ""
        self._follows = True
        self.formats = FormatList(offered)
        self.formats.setFixedWidth(_FORMATS_WIDTH)
        self.title, self.about = Label("", "name", wrap=True), Label("", "caption", "text-2", wrap=True)
        self.missing = Label("", "caption", "warn", wrap=True)
        self.selection = SelectionFields(query, tasks, front, begins_in_front=begins_in_front)
        self.options: dict[str, QWidget] = {}
        self._option_rows = QVBoxLayout()
        self._option_rows.setSpacing(4)
        self.option_problem = Label("", "caption", "err", wrap=True)
        self.passwords = QCheckBox(_("Export typed passwords, too"))
        self.passwords.setToolTip(_("`waymark project check` says how to redact them instead"))
        self.target = QLineEdit()
        self.problem = Label("", "caption", "err", wrap=True)
        self.look = LookPanel()
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._look_at_some)
        self._lay_out()
        self.formats.chosen.connect(self._format_changed)
        self.selection.changed.connect(self._choice_changed)
        self.look.all_asked.connect(self._look_at_all)
        self.target.textEdited.connect(self._edited)
        self.target.textChanged.connect(self._reset)
        self.passwords.toggled.connect(self._show_whether_ready)
        self.finished.connect(self._give_up)
        self.resize(_SIZE.boundedTo(parent.window().size() - _AROUND))
        self._has_passwords = False
        self._format_changed()
        self.formats.tree.setFocus()

    def _lay_out(self) -> None:
        settings = QWidget()
        column = QVBoxLayout(settings)
        column.setContentsMargins(0, 0, 8, 0)
        column.setSpacing(6)
        for widget in (self.title, self.about, self.missing, self.selection):
            column.addWidget(widget)
        column.addLayout(self._option_rows)
        column.addWidget(self.option_problem)
        column.addWidget(self.passwords)
        column.addWidget(Label(_("New file or folder"), "caption", "text-2"))
        line = QHBoxLayout()
        name_field(self.target, _("New file or folder"))
        line.addWidget(self.target, 1)
        self.choose = QPushButton(_("Choose..."))
        self.choose.setAutoDefault(False)
        self.choose.clicked.connect(self._browse)
        line.addWidget(self.choose)
        column.addLayout(line)
        column.addWidget(self.problem)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(settings)
        self._settings, self._scroll = settings, scroll
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(self.formats)
        row.addWidget(scroll)
        row.addWidget(self.look, 1)
        self.body.addLayout(row, 1)

    def _fit_settings(self) -> None:
        """Give the settings the width of their words, which are longer in some languages."""
        column = self._settings.layout()
        if column is not None:
            column.activate()
            bar = self._scroll.verticalScrollBar().sizeHint().width()
            self._scroll.setFixedWidth(max(_SETTINGS_WIDTH, column.minimumSize().width() + bar))

    @property
    def _format(self) -> Format:
        return self._offered[self.formats.current].format

    # -- what is chosen ------------------------------------------------------
    @Slot()
    def _format_changed(self) -> None:
        """Say what the format is, and name a target beside the project until the person names another."""
        entry = self._offered[self.formats.current]
        chosen = entry.format
        self.title.setText(_(chosen.title))
        licence = _(chosen.licence) if chosen.licence else ""
        said = _("{files}. It holds: {contents}.", files=_(chosen.files), contents=chosen.contents)
        self.about.setText(f"{said} {licence}".strip())
        self.missing.setText(entry.missing)
        self.missing.setVisible(bool(entry.missing))
        self._show_options()
        self.selection.let_screens_be_shared(may_share=chosen.divides)
        self._fit_settings()
        if self._follows:
            name = f"{self._project.name}-{chosen.id}{chosen.ending}"
            self.target.setText(str(self._project.parent / name))
        self._choice_changed()

    def _show_options(self) -> None:
        while (item := self._option_rows.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self.options = {}
        for option in self._format.options:
            field = self.options[option.name] = option_field(option)
            name_field(field, option.shown_title)
            field.setMinimumWidth(0)
            field.setToolTip(f"--option {option.name}=...")
            if isinstance(field, QCheckBox):
                field.setText(option.shown_title)
            else:
                self._option_rows.addWidget(Label(option.shown_title, "body"))
            if isinstance(field, QLineEdit) and option.default in (None, ""):
                field.setPlaceholderText("")
            self._option_rows.addWidget(field)
            if option.description:
                self._option_rows.addWidget(Label(_(option.description), "caption", "text-3", wrap=True))
            self._option_rows.addSpacing(6)
            signal: Any = next(
                getattr(field, name)
                for name in ("currentIndexChanged", "toggled", "textChanged", "changed")
                if hasattr(field, name)
            )
            signal.connect(self._choice_changed)

    @Slot()
    def _choice_changed(self) -> None:
        self._reset()
        self.look.follow(None)
        self._has_passwords = False
        self.selection.say_of_split("")
        self._show_whether_ready()
        self._pause.start()

    @property
    def choice(self) -> ExportChoice | None:
        """What is exported, and how; None while an option is wrong, which is shown."""
        from collector.exchange.exports.exporting import ExportChoice

        options, problem = entered_options(self._format, self.options)
        show_problem(self.option_problem, self.formats, problem)
        if options is None:
            return None
        return ExportChoice(
            self.selection.selection, self.selection.split, options=options,
            shared_screens=self.selection.shared_screens, passwords=self.passwords.isChecked(),
            replace=bool(self._replaces),
        )  # fmt: skip

    # -- the look --------------------------------------------------------------
    @Slot()
    def _look_at_some(self) -> None:
        self._look(_LOOKED_AT)

    @Slot()
    def _look_at_all(self) -> None:
        self._look(None)

    def _look(self, most: int | None) -> None:
        if self._offered[self.formats.current].missing:
            self.look.count.setText(self._offered[self.formats.current].missing)
            return
        if (choice := self.choice) is not None:
            job = self._exchange.preview_export(
                self._format.id, choice, most, self._show_look, self._show_no_look
            )
            self.look.follow(job)

    @Slot(object)
    def _show_look(self, look: ExchangeLook) -> None:
        self.look.show_look(look)
        self._has_passwords = bool(getattr(look.preview, "has_passwords", False))
        self.selection.say_of_split(getattr(look.preview, "said_of_split", ""))
        self._show_whether_ready()

    @Slot(object)
    def _show_no_look(self, error: Exception) -> None:
        self.look.show_problem(error)

    @Slot()
    def _give_up(self) -> None:
        self._pause.stop()
        self.look.give_up()

    @Slot()
    def _show_whether_ready(self) -> None:
        """Let passwords leave only when the person says so; ask only when there are some."""
        self.passwords.setVisible(self._has_passwords or self.passwords.isChecked())
        held = self._has_passwords and not self.passwords.isChecked()
        self.yes.setEnabled(not held and not self._offered[self.formats.current].missing)
        self.yes.setToolTip(_("Typed passwords in plain text would leave") if held else "Ctrl+Enter")

    # -- the target --------------------------------------------------------------
    @Slot()
    def _edited(self) -> None:
        self._follows = False

    @Slot()
    def _reset(self) -> None:
        self._replaces = ""
        self.yes.setText(_("Export"))
        show_problem(self.problem, self.target, "")

    @Slot()
    def _browse(self) -> None:
        """Choose the file, or the folder that the new folder goes into."""
        is_folder = bool(self._format.entries)
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
        self.target.setText(str(Path(path) / name) if self._format.entries and name else path)

    @Slot()
    def accept(self) -> None:
        """Look at the target, and emit what was chosen, or show what is wrong with it."""
        text = self.target.text().strip()
        if not self.yes.isEnabled() or self.choice is None:
            return
        if not text:
            show_problem(self.problem, self.target, _("Name a new file or folder"))
            return
        self.yes.setEnabled(False)
        path = Path(text).expanduser()
        self._exchange.check_target(self._format.id, path, self.selection.split, self._target_checked)

    @Slot(object)
    def _target_checked(self, use: TargetUse) -> None:
        self._show_whether_ready()
        text = self.target.text().strip()
        path, choice = Path(text).expanduser(), self.choice
        if choice is None:
            return
        if use is TargetUse.FREE or (use is TargetUse.REPLACEABLE and self._replaces == text):
            self.accepted_with.emit(self._format.id, path, choice)
            super().accept()
        elif use is TargetUse.REPLACEABLE:
            self._replaces = text
            self.yes.setText(_("Replace"))
            sentence = _("There is a {name} already; press Replace to write it anew", name=path.name)
            show_problem(self.problem, self.target, sentence)
        else:
            sentence = _("There is a {name} already, which is no such export; name another", name=path.name)
            show_problem(self.problem, self.target, sentence)
