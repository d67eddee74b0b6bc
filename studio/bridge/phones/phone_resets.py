"""Reset the phone before a recording, behind the window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from collector.anomalies.anomaly_source import TrustRequest
from collector.device.errors import CallCancelled
from collector.model.i18n import _
from collector.model.task import Task
from collector.reset.phone_reset import reset_phone
from collector.reset.reset_plan import UntrustedReset, plan_reset, require_trust
from collector.reset.reset_record import ResetPlan, ResetRecord
from collector.store.project.project import Project
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.phones.phone import PhoneLink
from studio.bridge.while_alive import while_alive


@dataclass(frozen=True, slots=True)
class ResetEnd:
    """How the reset of one phone ended."""

    phone: PhoneLink
    record: ResetRecord | None = None
    """What was done; None when it failed."""
    error: Exception | None = None


class PhoneResets(QObject):
    """Resets one phone, or several at once; meanwhile they take no input of the person. GUI thread only."""

    ended = Signal(object)
    """All phones were reset, or could not be: a tuple of :class:`ResetEnd`, in the order asked for."""
    refused = Signal(object)
    """A :class:`TrustRequest`: nothing ran, because nobody trusted the project's commands yet."""

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._running: dict[str, PhoneLink] = {}
        self._ends: dict[str, ResetEnd] = {}
        self._records: dict[str, ResetRecord] = {}

    @property
    def is_running(self) -> bool:
        return bool(self._running)

    def is_running_on(self, phone: PhoneLink) -> bool:
        """Whether ``phone`` is being reset, or waits for others that are."""
        return phone.serial in self._running

    def take_record(self, phone: PhoneLink) -> ResetRecord | None:
        """What was reset on ``phone`` since its last recording; the next recording's header says so."""
        return self._records.pop(phone.serial, None)

    def run(self, project: Project, task: Task | None, phones: Sequence[PhoneLink], kind: str = "") -> bool:
        """Reset what ``task`` declares, or ``kind``, on all ``phones``; False when nothing is to be reset.

        ``ended`` or ``refused`` follows. Raises UserError when it cannot be done.
        """
        plan = plan_reset(project, task, kind)
        if plan is None or self._running:
            return False
        for phone in phones:
            phone.require_free()
        self._running, self._ends = {phone.serial: phone for phone in phones}, {}
        for phone in phones:
            phone.set_busy(_("The phone is being reset"))
            self._begin(project, plan, phone)
        return True

    def _begin(self, project: Project, plan: ResetPlan, phone: PhoneLink) -> None:
        def work(job: Job) -> ResetRecord:
            require_trust(project, plan)
            return reset_phone(phone.session.device.until(job.cancel_event), plan, job.cancel_event)

        def succeeded(record: ResetRecord) -> None:
            self._records[phone.serial] = record
            self._end(ResetEnd(phone, record))

        def failed(error: Exception) -> None:
            self._end(ResetEnd(phone, error=error))

        def stopped() -> None:
            failed(CallCancelled())

        job = self._runner.run(
            work, title=_title(plan), success=while_alive(self, succeeded), failure=while_alive(self, failed),
        )  # fmt: skip
        job.stopped.connect(while_alive(self, stopped))

    def _end(self, end: ResetEnd) -> None:
        self._ends[end.phone.serial] = end
        if len(self._ends) < len(self._running):
            return
        phones, self._running = tuple(self._running.values()), {}
        for phone in phones:
            phone.set_busy("")
            phone.refresh_tree()
        ends = tuple(self._ends[phone.serial] for phone in phones)
        refusals = [end.error for end in ends if isinstance(end.error, UntrustedReset)]
        if refusals:
            request: TrustRequest = refusals[0].request
            self.refused.emit(request)
        else:
            self.ended.emit(ends)


def _title(plan: ResetPlan) -> str:
    return _("Reset {package}", package=plan.package) if plan.package else _("Reset the phone")
