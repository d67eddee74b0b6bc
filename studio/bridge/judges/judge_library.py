"""The judges by models that the open project can use: listed, written, checked, and allowed to send."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from collector.model.i18n import _
from studio.bridge.jobs import Job, JobQueue, JobRunner
from studio.bridge.newest_answers import NewestAnswers

if TYPE_CHECKING:
    from collector.anomalies.anomaly_source import TrustRequest
    from collector.judge.kinds import JudgeKind
    from collector.model_judges.judge_check import JudgeCheck
    from collector.model_judges.judge_files import JudgeFile
    from collector.store.project.project import Project


@dataclass(frozen=True, slots=True)
class ListedJudge:
    """A judge that has a file, or a method that a new one can begin with."""

    name: str
    method: str
    description: str
    options: Mapping[str, Any]
    kind: JudgeKind | None
    """None when the file does not name a method."""
    is_own: bool = False
    """Whether its file is the project's."""
    is_method: bool = False
    problem: str = ""
    """Why it cannot be used, in a sentence; empty when it can."""

    @property
    def can_judge(self) -> bool:
        return not self.is_method and not self.problem and self.kind is not None


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
        self._answers.ask("judges", lambda _job: listed_judges(project), self._take)

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
            from collector.model_judges.judge_files import JudgeFile, write_judge_file

            assert judge.kind is not None
            path = project.paths.judge(judge.name)
            _require_usable(project, judge)
            file = JudgeFile(judge.name, path, judge.method, judge.description, judge.options)
            write_judge_file(project, file, replace=replace)
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
            return then, judge_trust_request(project, names)

        self._answers.ask("trust", work, self._trust_known)

    def _trust_known(self, result: tuple[object, object]) -> None:
        self.trust_known.emit(*result)


def listed_judges(project: Project) -> tuple[ListedJudge, ...]:
    """The judges that have a file, then the methods that ask models. Reads the disk."""
    from collector.judge.kinds import ENDPOINT
    from collector.judge.registry import find_judge_kind, judge_kinds
    from collector.model_judges.judge_files import judge_files

    def listed(file: JudgeFile) -> ListedJudge:
        kind = find_judge_kind(file.method) if file.method else None
        return ListedJudge(
            file.name, file.method, file.description, dict(file.options), kind,
            is_own=not file.is_built_in, problem=file.problem,
        )  # fmt: skip

    files = tuple(map(listed, judge_files(project)))
    taken = {judge.name for judge in files}
    methods = tuple(
        ListedJudge(kind.id, kind.id, _(kind.description), {}, kind, is_method=True)
        for kind in judge_kinds().kinds.values()
        if ENDPOINT in kind.needs and kind.id not in taken
    )
    return (*files, *methods)


def judge_trust_request(project: Project, names: Iterable[str]) -> TrustRequest | None:
    """What judges send to hosts that nobody has allowed yet; None when there is nothing.

    Reads the disk. Raises UserError for a judge that cannot be used.
    """
    from collector.agents.agent_trust import AgentDemands, trust_request
    from collector.model_judges.judge_files import named_judge
    from collector.model_judges.prices import models_of

    models = [model for name in names for model in models_of(named_judge(name, project, sends=False))]
    return trust_request(
        project, [AgentDemands(model.judge, (), (model.endpoint.transfer,)) for model in models]
    )


def _require_usable(project: Project, judge: ListedJudge) -> None:
    """Raise UserError for options that the method refuses with the files of the project."""
    from collector.judge.registry import create_judge

    create_judge(judge.method, project, judge.options, sends=False)
