"""The form for an agent whose kind needs options, such as a program of any language; it can be tried."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QLineEdit, QPushButton, QWidget

from collector.agents.kinds import AgentKind
from collector.agents.process.program_options import PYTHON
from collector.model.i18n import _
from collector.plugins.options import with_defaults
from collector.store.project.project import Project
from studio.bridge import JobRunner
from studio.bridge.jobs import Job
from studio.bridge.runs.agent_tryout import AgentTryout, tried_agent
from studio.theme import theme
from studio.widgets.controls import Label
from studio.widgets.dialogs.dialog import Dialog, show_problem
from studio.widgets.dialogs.file_dialog import dress_file_dialog
from studio.widgets.option_form import COMMAND, entered_options, option_field, option_hint, option_list

_SIZE, _AROUND = QSize(640, 640), QSize(48, 48)


@dataclass(frozen=True, slots=True)
class FormAgent:
    """What was entered."""

    name: str
    kind: str
    options: Mapping[str, Any]

    @property
    def entry(self) -> dict[str, Any]:
        """The agent as a file of an experiment writes it."""
        return {"id": self.name, "kind": self.kind, **self.options}


class AgentFormDialog(Dialog):
    """Emits ``entered`` with a :class:`FormAgent` whose options were checked, then closes."""

    entered = Signal(object)

    def __init__(
        self, parent: QWidget, kind: AgentKind, name: str, taken: frozenset[str], project: Project,
        runner: JobRunner,
    ) -> None:  # fmt: skip
        """``name`` is there to begin with; those in ``taken`` are refused."""
        super().__init__(_("Add an agent"), _("Add"), parent, sentence=_(kind.description or kind.title))
        self._kind, self._taken, self._project, self._runner = kind, taken, project, runner
        self._job: Job | None = None
        self.fields: dict[str, QWidget] = {}
        self.name = QLineEdit(name)
        self._name_problem = self.add_field(_("Name in the experiment"), self.name)
        for option in kind.options:
            if option.required:
                field = self.fields[option.name] = option_field(option)
                self.add_field(f"{option.name}: {_(option.description)}", field, hint=option_hint(option))
                if option.name == COMMAND and isinstance(field, QLineEdit):
                    choose = field.addAction(theme.icon("project"), QLineEdit.ActionPosition.TrailingPosition)
                    choose.setToolTip(_("Choose the file of the program"))
                    choose.triggered.connect(self._ask_file)
        self.body.addWidget(self._others(), 1)
        self.problem = Label("", "caption", "err", wrap=True)
        self.problem.hide()
        self.answer = Label("", "body", "text", wrap=True)
        self.answer.hide()
        self.body.addWidget(self.problem)
        self.body.addWidget(self.answer)
        self.try_it = QPushButton(_("Try"))
        self.try_it.setAutoDefault(False)
        self.try_it.setToolTip(_("Start it, show it a small screen with one button, and read its answer"))
        self.try_it.clicked.connect(self._try)
        self.add_left(self.try_it)
        self.finished.connect(self._leave)
        self.resize(_SIZE.boundedTo(parent.size() - _AROUND))
        next(iter(self.fields.values()), self.name).setFocus()

    def _others(self) -> QWidget:
        """The options that may be left as they are."""
        scroll, fields = option_list(option for option in self._kind.options if not option.required)
        self.fields |= fields
        return scroll

    @Slot()
    def _ask_file(self) -> None:
        """Choose a file of the project; the program that it is becomes the command."""
        dialog = QFileDialog(self, _("The agent's program"), str(self._project.folder))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dress_file_dialog(dialog)
        dialog.fileSelected.connect(self.take_file)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    @Slot(str)
    def take_file(self, chosen: str) -> None:
        """Write the command that runs a file: a Python file by the Python that Waymark runs in."""
        path, folder = Path(chosen), self._project.folder.resolve()
        is_inside = path.is_relative_to(folder)
        named = path.relative_to(folder).as_posix() if is_inside else str(path)
        words = [PYTHON, named] if path.suffix == ".py" else [f"./{named}" if is_inside else named]
        field = self.fields[COMMAND]
        assert isinstance(field, QLineEdit)
        field.setText(shlex.join(words).replace(f"'{PYTHON}'", PYTHON))

    # -- what was entered ------------------------------------------------------
    def _entered(self) -> FormAgent | None:
        """What was entered; None when it cannot be read, which is said then."""
        name = self.name.text().strip()
        wrong = _("Give it a name") if not name else ""
        if name in self._taken:
            wrong = _("Two agents are called {id}", id=name)
        show_problem(self._name_problem, self.name, wrong)
        options, problem = entered_options(self._kind, self.fields)
        self._say(problem)
        return None if wrong or options is None else FormAgent(name, self._kind.id, options)

    def _say(self, problem: str, answer: str = "") -> None:
        for label, text in ((self.problem, problem), (self.answer, answer)):
            label.setText(text)
            label.setVisible(bool(text))

    def _run(self, work: Any, success: Any) -> None:
        self.yes.setEnabled(False)
        self.try_it.setEnabled(False)
        self._job = self._runner.run(work, success=success, failure=self._refused)

    def _settle(self) -> None:
        self._job = None
        self.yes.setEnabled(True)
        self.try_it.setEnabled(True)

    @Slot(object)
    def _refused(self, error: Exception) -> None:
        self._settle()
        self._say(str(error))

    # -- adding ----------------------------------------------------------------
    def accept(self) -> None:
        """Check the options with the files of the project, then emit them."""
        agent = self._entered()
        if agent is None or self._job is not None:
            return
        kind, project = self._kind, self._project

        def work(_job: Job) -> FormAgent:
            kind.check(with_defaults(kind, agent.options), project)
            return agent

        self._run(work, self._checked)

    @Slot(object)
    def _checked(self, agent: FormAgent) -> None:
        self._settle()
        self.entered.emit(agent)
        super().accept()

    # -- trying ----------------------------------------------------------------
    @Slot()
    def _try(self) -> None:
        agent = self._entered()
        if agent is None:
            return
        self._say("", _("The agent is being started"))
        kind, project = self._kind, self._project

        def work(job: Job) -> AgentTryout:
            return tried_agent(kind, agent.options, project, job.cancel_event)

        self._run(work, self._tried)

    @Slot(object)
    def _tried(self, tryout: AgentTryout) -> None:
        self._settle()
        self._say(tryout.problem, "\n".join([*filter(None, [tryout.answer]), *tryout.log]))

    @Slot()
    def _leave(self) -> None:
        if self._job is not None:
            self._job.cancel()
