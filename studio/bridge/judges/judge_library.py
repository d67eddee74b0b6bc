"""The judges by models that the open project can use: listed, written, checked, and allowed to send."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from collector.model.i18n import _
from studio.bridge.jobs import Job, JobQueue, JobRunner
from studio.bridge.newest_answers import NewestAnswers

if TYPE_CHECKING:
    from collector.anomalies.anomaly_source import TrustRequest
    from collector.model_judges.judge_check import JudgeCheck
    from collector.model_judges.listed_judges import ListedJudge
    from collector.store.project.project import Project


class JudgeLibrary(QObject):
    """Reads and writes behind the window. GUI thread only."""

    changed = Signal()
    """:attr:`judges` were read."""
    checked = Signal(str, object)
    """A judge's name, and the list of :class:`JudgeCheck` of its models."""
    trust_known = Signal(object, object)
    """What was passed to :meth:`ask_trust`, and a TrustRequest; None when everything is allowed."""
    failed = Signal(object)

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._answers = NewestAnswers(runner, self)
        self._answers.failed.connect(self.failed)
        self.judges: tuple[ListedJudge, ...] = ()

    def judge(self, name: str) -> ListedJudge | None:
        """The judge of that name, as it was read last."""
        return next((judge for judge in self.judges if judge.name == name), None)

    def read(self, project: Project | None) -> None:
        """Read the judges of a project; ``changed`` follows. None forgets all."""
        if project is None:
            self._answers.forget()
            self._take(())
            return

        def work(_job: Job) -> tuple[ListedJudge, ...]:
            from collector.model_judges.listed_judges import listed_judges

            return listed_judges(project)

        self._answers.ask("judges", work, self._take)

    def _take(self, judges: tuple[ListedJudge, ...]) -> None:
        self.judges = judges
        self.changed.emit()

    def write(
        self, project: Project, judge: ListedJudge, *, replace: bool,
        success: Callable[[str], object], failure: Callable[[Exception], object],
    ) -> Job:  # fmt: skip
        """Write the file of a judge, after its options were checked with the files of the project.

        Bound methods of QObjects get its name or the error.
        """

        def work(_job: Job) -> str:
            from collector.model_judges.judge_files import JudgeFile
            from collector.model_judges.listed_judges import write_usable_judge

            path = project.paths.judge(judge.name)
            file = JudgeFile(judge.name, path, judge.method, judge.description, judge.options)
            write_usable_judge(project, file, replace=replace)
            return judge.name

        return self._runner.run(work, success=success, failure=failure, queue=JobQueue.STORE, saves=True)

    def check(self, project: Project, name: str) -> None:
        """Ask the models of a judge once, with a small picture; ``checked`` follows."""

        def work(job: Job) -> tuple[str, list[JudgeCheck]]:
            from collector.model_judges.judge_check import check_model
            from collector.model_judges.judge_files import named_judge
            from collector.model_judges.prices import models_of

            models = list(models_of(named_judge(name, project)))
            return name, [check_model(model, job.cancel_event) for model in models]

        self._answers.ask("check", work, self._checked, title=_("Check the judge {name}", name=name))

    def _checked(self, result: tuple[str, list[JudgeCheck]]) -> None:
        self.checked.emit(*result)

    def ask_trust(self, project: Project, names: Sequence[str], then: object) -> None:
        """Find out what judges send that nobody has allowed yet; ``trust_known`` follows."""

        def work(_job: Job) -> tuple[object, TrustRequest | None]:
            from collector.model_judges.listed_judges import judge_trust_request

            return then, judge_trust_request(project, names)

        self._answers.ask("trust", work, self._trust_known)

    def _trust_known(self, result: tuple[object, object]) -> None:
        self.trust_known.emit(*result)
