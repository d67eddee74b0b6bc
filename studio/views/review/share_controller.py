"""*Share...*: ask for format and file, and write the open trajectories behind the window."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QDoubleSpinBox, QFileDialog, QWidget

from collector.model.i18n import _
from collector.sharing.export_options import FIXED, RECORDED, ExportOptions
from collector.sharing.export_progress import ExportCancelled, ExportProgress
from collector.sharing.exports import FORMATS, export_review, suggested_name
from collector.sharing.frame_colors import Theme
from collector.sharing.review_of_files import review_of_files
from collector.store.files.layout import project_around
from rule_editor.widgets.combo_box import ComboBox
from studio.bridge.jobs import Job, JobQueue
from studio.bridge.review.reviewer_work import ReviewerWork
from studio.theme import theme
from studio.views.desktop_toast import open_or_say
from studio.views.review.session import ReviewSession
from studio.views.services import WindowServices
from studio.widgets.controls import Label, SegmentedControl
from studio.widgets.dialogs.dialog import Dialog
from studio.widgets.dialogs.file_dialog import dress_file_dialog


@dataclass(frozen=True, slots=True)
class _Shared:
    """What is being shared: where it lies, and in which format."""

    places: tuple[Path, ...]
    form: str
    options: ExportOptions


class ShareController(QObject):
    """Shares what is open, with the verdicts that the person may see."""

    def __init__(
        self, session: ReviewSession, work: ReviewerWork, services: WindowServices, workspace: QWidget
    ) -> None:
        super().__init__(workspace)
        self._session, self._work, self._services, self._workspace = session, work, services, workspace
        self._asked: _Shared | None = None
        services.commander.handle("review.share", self.ask)

    def ask(self) -> None:
        """Ask for the format."""
        dialog = ShareDialog(self._workspace.window(), len(self._session.stored))
        dialog.chosen.connect(self._ask_file)
        dialog.open()

    @Slot(str, object)
    def _ask_file(self, form: str, options: ExportOptions) -> None:
        aligned = self._session.aligned
        if aligned is None:
            return
        self._asked = _Shared(tuple(each.folder for each in aligned.stored), form, options)
        name = suggested_name(aligned, form)
        dialog = QFileDialog(
            self._workspace.window(), _("Share"), name, f"{_(FORMATS[form].title)} (*.{form})"
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(form)
        dress_file_dialog(dialog)
        dialog.fileSelected.connect(self.save)
        dialog.open()

    @Slot(str)
    def save(self, path: str) -> None:
        """Write the file behind the window; the job shows how far it is, and can be cancelled."""
        asked, person = self._asked, self._work.person
        project = self._services.project_library.project
        if asked is None:
            return

        def work(job: Job) -> Path | None:
            folder = project.folder if project is not None else project_around(asked.places[0])
            progress = ExportProgress(job.report, lambda: job.cancelled)
            try:
                review = review_of_files(asked.places, folder or Path(), person)
                export_review(review, asked.form, Path(path), asked.options, progress)
            except ExportCancelled:
                return None
            return Path(path)

        self._services.tasks.run(
            work, title=_("Share {name}", name=Path(path).name), success=self._saved,
            failure=self._services.toasts.show_error, queue=JobQueue.INDEX,
        )  # fmt: skip

    @Slot(object)
    def _saved(self, path: Path | None) -> None:
        if path is not None:
            self._services.toasts.show(
                "ok", _("{name} is written", name=path.name), str(path.parent), action=_("Open"),
                act=lambda: open_or_say(self._services, path),
            )  # fmt: skip


class ShareDialog(Dialog):
    """Emits the name of a format and the :class:`ExportOptions` when it is accepted."""

    chosen = Signal(str, object)

    def __init__(self, parent: QWidget, count: int) -> None:
        """``count`` trajectories are shared."""
        sentence = _("Texts and pixels of password fields are left out. Nothing is sent anywhere.")
        super().__init__(
            _("Share {count} trajectories", count=count) if count > 1 else _("Share the trajectory"),
            _("Choose a file..."), parent, sentence=sentence,
        )  # fmt: skip
        self.form = ComboBox()
        for each in FORMATS.values():
            self.form.addItem(_(each.title), each.name)
        self.look = SegmentedControl([("dark", _("Dark"), ""), ("light", _("Light"), "")])
        self.look.set_current(theme.scheme)
        self.timing = SegmentedControl([(RECORDED, _("As recorded"), ""), (FIXED, _("Fixed"), "")])
        self.timing.set_current(RECORDED)
        self.seconds = QDoubleSpinBox()
        self.seconds.setRange(0.1, 60)
        self.seconds.setSingleStep(0.5)
        self.seconds.setValue(1.5)
        self.seconds.setSuffix(_(" s a step"))
        self.add_field(_("Format"), self.form)
        self._look_title = Label(_("Colours"), "caption", "text-2")
        self._timing_title = Label(_("Timing"), "caption", "text-2")
        for widget in (self._look_title, self.look, self._timing_title, self.timing, self.seconds):
            self.body.addWidget(widget)
        self.form.currentIndexChanged.connect(self._show_options)
        self.timing.chosen.connect(self._show_options)
        self._show_options()

    @Slot()
    def _show_options(self) -> None:
        """Offer what matters to the chosen format."""
        form = FORMATS[self.form.currentData()]
        for widget in (self._look_title, self.look):
            widget.setVisible(form.has_theme)
        for widget in (self._timing_title, self.timing):
            widget.setVisible(form.is_moving)
        self.seconds.setVisible(form.is_moving and self.timing.current == FIXED)

    @Slot()
    def accept(self) -> None:
        """Emit what was chosen."""
        look: Theme = "light" if self.look.current == "light" else "dark"
        options = ExportOptions(look, self.timing.current, self.seconds.value())
        self.chosen.emit(self.form.currentData(), options)
        super().accept()
