"""What an export or an import would come to: size and count, what is lost, and the first sample."""

from __future__ import annotations

from PySide6.QtCore import QLocale, QSize, Signal, Slot
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from collector.exchange.exchange_log import losses_first
from collector.model.errors import UserError
from collector.model.i18n import _
from studio.bridge.jobs import Job
from studio.bridge.project_exchange import ExchangeLook
from studio.views.exchange.finding_table import FindingTable, outlook_of
from studio.views.exchange.sample_view import SampleView
from studio.widgets.controls import Button, Label
from studio.widgets.theme_icon import ThemeIcon


class LookPanel(QWidget):
    """Shows the newest look; ``all_asked`` when the person wants everything looked at."""

    all_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.count = Label("", "name", wrap=True)
        self.scope = Label("", "caption", "text-2", wrap=True)
        self.check_all = Button(_("Look at all"), kind="link", small=True)
        self.check_all.clicked.connect(self.all_asked)
        self.lossy, self.lossless = ThemeIcon("state-warn"), ThemeIcon("state-ok")
        self.outcome = Label("", "body", wrap=True)
        self.table = FindingTable(is_narrow=True)
        self.table.setMinimumHeight(96)
        self.sample = SampleView()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.count)
        about = QHBoxLayout()
        about.addWidget(self.scope, 1)
        about.addWidget(self.check_all)
        column.addLayout(about)
        column.addWidget(Label(_("What will be lost"), "caption", "text-2"))
        said = QHBoxLayout()
        said.setSpacing(8)
        said.addWidget(self.lossy)
        said.addWidget(self.lossless)
        said.addWidget(self.outcome, 1)
        column.addLayout(said)
        column.addWidget(self.table, 2)
        column.addWidget(Label(_("First sample, as its reader sees it"), "caption", "text-2"))
        column.addWidget(self.sample, 3)
        self.job: Job | None = None

    def follow(self, job: Job | None) -> None:
        """Show that a look was begun; an earlier one is given up."""
        self.give_up()
        self.job = job
        self.check_all.hide()
        self.count.setText(_("Looking..."))
        self.scope.setText("")
        self.outcome.setText("")
        self.lossy.hide()
        self.lossless.hide()
        self.table.show_findings(())
        self.sample.show_sample(None, QImage())
        if job is not None:
            job.progressed.connect(self._progressed)

    def give_up(self) -> None:
        """Cancel the look that runs."""
        job, self.job = self.job, None
        if job is not None:
            job.cancel()

    @Slot(object)
    def _progressed(self, progress: tuple[int, int]) -> None:
        done, total = progress
        if total:
            self.scope.setText(_("Looked at {done} of {total}", done=done, total=total))
        elif done:
            self.scope.setText(_("Looked at {done}", done=done))

    def show_look(self, look: ExchangeLook) -> None:
        """Show what was found."""
        self.job = None
        found = look.preview
        size = QLocale().formattedDataSize(found.size, 1)
        self.count.setText(", ".join((found.summary, _("about {size}", size=size))))
        self.scope.setText(found.scope)
        self.check_all.setVisible(not found.is_all)
        has_losses = bool(found.losses)
        self.lossy.setVisible(has_losses)
        self.lossless.setVisible(not has_losses)
        self.outcome.setText(outlook_of(found.findings, found.is_all))
        self.outcome.set_tone("warn" if has_losses else "ok")
        self.table.show_findings(losses_first(found.findings))
        self.sample.show_sample(found.sample, look.image)

    def show_problem(self, error: Exception) -> None:
        """Show why it could not be looked at: it cannot be exported or imported like that either."""
        self.job = None
        self.count.setText(str(error) if isinstance(error, UserError) else _("It could not be looked at"))
        self.scope.setText("")

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(420, 460)
