"""Reset the phone before a recording, behind the window."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from collector.anomalies.anomaly_source import TrustRequest
from collector.model.i18n import _
from collector.model.task import Task
from collector.reset.phone_reset import reset_phone
from collector.reset.reset_plan import UntrustedReset, plan_reset, require_trust
from collector.reset.reset_record import ResetPlan, ResetRecord
from collector.store.project.project import Project
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.phones.phone import PhoneLink


class PhoneResets(QObject):
    """Runs one reset at a time; meanwhile the phone takes no input of the person. GUI thread only."""

    done = Signal(object)
    """The :class:`ResetRecord` of a reset that was carried out."""
    refused = Signal(object)
    """A :class:`TrustRequest`: nothing ran, because nobody trusted the project's commands yet."""
    failed = Signal(object)

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._phone: PhoneLink | None = None
        self._done: tuple[str, ResetRecord] | None = None

    @property
    def phone(self) -> PhoneLink | None:
        """The phone that is being reset; None while none is."""
        return self._phone

    def take_record(self, phone: PhoneLink) -> ResetRecord | None:
        """What was reset on ``phone`` since its last recording; the next recording's header says so."""
        serial, record = self._done or ("", None)
        self._done = None
        return record if serial == phone.serial else None

    def run(self, project: Project, task: Task | None, phone: PhoneLink, kind: str = "") -> bool:
        """Reset what ``task`` declares, or ``kind``; False when nothing is to be reset.

        ``done``, ``refused`` or ``failed`` follows. Raises UserError when it cannot be done.
        """
        plan = plan_reset(project, task, kind)
        if plan is None or self._phone is not None:
            return False
        phone.require_free()
        self._phone = phone
        phone.set_busy(_("The phone is being reset"))

        def work(_job: Job) -> ResetRecord:
            require_trust(project, plan)
            return reset_phone(phone.session.device, plan)

        self._runner.run(work, title=_title(plan), success=self._succeeded, failure=self._not_done)
        return True

    @Slot(object)
    def _succeeded(self, record: ResetRecord) -> None:
        phone = self._release()
        self._done = (phone.serial, record)
        phone.refresh_tree()
        self.done.emit(record)

    @Slot(object)
    def _not_done(self, error: Exception) -> None:
        self._release()
        if isinstance(error, UntrustedReset):
            request: TrustRequest = error.request
            self.refused.emit(request)
        else:
            self.failed.emit(error)

    def _release(self) -> PhoneLink:
        phone, self._phone = self._phone, None
        assert phone is not None
        phone.set_busy("")
        return phone


def _title(plan: ResetPlan) -> str:
    return _("Reset {package}", package=plan.package) if plan.package else _("Reset the phone")
