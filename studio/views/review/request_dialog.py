"""Send the request of a step of a run again, as it was, and compare the answers."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize, Slot
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSpinBox, QWidget

from collector.agents.agent_trust import UntrustedAgent
from collector.agents.openai.asking_again import AnswersAgain, answer_text
from collector.agents.openai.kept_request import model_of
from collector.anomalies.anomaly_source import TrustRequest
from collector.model.episode import AgentTurn
from collector.model.i18n import _, ngettext
from collector.run.results.episode_log import ANSWERS, LogLine
from collector.store.project.project import Project
from collector.store.trajectory.reader import StoredTrajectory
from rule_editor.widgets.field_names import name_field
from studio.bridge import JobRunner
from studio.bridge.jobs import Job
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.review.request_again import answers_again
from studio.widgets.controls import Label
from studio.widgets.dialogs.dialog import Dialog
from studio.widgets.episode_log.view import EpisodeLogView
from studio.widgets.inject.confirmation_dialogs import TrustDialog

_SIZE, _AROUND = QSize(640, 520), QSize(48, 48)
_MOST = 20


class RequestDialog(Dialog):
    """*Send* asks the model behind the window; the dialog stays, so that it can be asked again."""

    def __init__(
        self, project: Project, stored: StoredTrajectory, index: int, library: ProjectLibrary,
        runner: JobRunner, parent: QWidget,
    ) -> None:  # fmt: skip
        sentence = _("It is sent whole, with the same pictures. Nothing of it is recorded.")
        title = _("Send the request of step {step} again", step=index + 1)
        super().__init__(title, _("Send"), parent, sentence=sentence, no=_("Close"))
        self._project, self._stored, self._index = project, stored, index
        self._library, self._runner = library, runner
        self._job: Job | None = None
        self.model, self.times = QLineEdit(model_of(stored.steps[index])), QSpinBox()
        self.times.setRange(1, _MOST)
        self.answers = EpisodeLogView()
        self.answers.setAccessibleName(_("Answers"))
        self.problem = Label("", "body", "err", wrap=True)
        self.problem.hide()
        self._lay_out()
        before = stored.steps[index].agent
        self.answers.show_lines([_line(_("Then"), before)] if before is not None else [])
        self.finished.connect(self._leave)
        self.resize(_SIZE.boundedTo(parent.size() - _AROUND))
        self.yes.setFocus()

    def _lay_out(self) -> None:
        fields = QHBoxLayout()
        fields.setSpacing(8)
        for words, field in ((_("Model"), self.model), (_("Times"), self.times)):
            name_field(field, words)
            fields.addWidget(Label(words, "caption", "text-2"))
            fields.addWidget(field, int(field is self.model))
        self.body.addLayout(fields)
        self.body.addWidget(self.problem)
        self.body.addWidget(self.answers, 1)

    def accept(self) -> None:
        """Send it; the answers are listed below the one of the run."""
        if self._job is not None:
            return
        model, times = self.model.text().strip(), self.times.value()
        work = partial(_answers, self._project, self._stored, self._index, model, times)
        self.yes.setEnabled(False)
        self._say("")
        self._job = self._runner.run(
            work, title=ngettext("Asking the model once", "Asking the model {count} times", times),
            success=self._answered, failure=self._refused,
        )  # fmt: skip

    def _settle(self) -> None:
        self._job = None
        self.yes.setEnabled(True)

    def _say(self, problem: str) -> None:
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))

    @Slot(object)
    def _answered(self, answers: AnswersAgain) -> None:
        self._settle()
        now = [_line(_("Now"), turn) for turn in answers.now]
        self.answers.show_lines([*self.answers.entries, *now])
        self.answers.scrollToBottom()

    @Slot(object)
    def _refused(self, error: Exception) -> None:
        self._settle()
        if not isinstance(error, UntrustedAgent):
            self._say(str(error))
            return
        dialog = TrustDialog(error.request, self)
        dialog.accepted.connect(partial(self._trust, error.request))
        dialog.rejected.connect(partial(self._say, str(error)))
        dialog.open()

    def _trust(self, request: TrustRequest) -> None:
        job = self._library.grant(request)
        if job is not None:
            job.succeeded.connect(self.accept)

    @Slot()
    def _leave(self) -> None:
        if self._job is not None:
            self._job.cancel()


def _answers(
    project: Project, stored: StoredTrajectory, index: int, model: str, times: int, job: Job
) -> AnswersAgain:
    return answers_again(project, stored, index, model, times, job.cancel_event)


def _line(words: str, turn: AgentTurn) -> LogLine:
    """An answer as a line; the answer as received unfolds."""
    text = " · ".join(filter(None, (words, str(turn.extra.get("model") or ""), answer_text(turn))))
    return LogLine(0, "code", text, turn.raw, kind=ANSWERS)
