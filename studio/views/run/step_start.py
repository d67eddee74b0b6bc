"""Run agents from a step that somebody looks at: choose the experiment that is to begin there, or make it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.run.experiment import edits
from collector.run.experiment.template import text_from_step
from studio.views.run.compose.starts_controller import StartsController
from studio.views.run.experiment_controller import ExperimentController, free_name
from studio.views.run.session import RunSession
from studio.views.services import WindowServices
from studio.widgets.dialogs.input_dialogs import ask_choice


@dataclass(frozen=True, slots=True)
class _WantedStart:
    """A step that a person wants to run agents from."""

    start: str
    """``TRAJECTORY@STEP``."""
    task: str
    experiment: str = ""
    """The experiment that is to have it; empty until the person chose."""


class StepStart(QObject):
    """Handles ``run.add-start``. The experiments may have to be listed, and the chosen one read, first."""

    def __init__(
        self, session: RunSession, files: ExperimentController, starts: StartsController,
        services: WindowServices, window: QWidget,
    ) -> None:  # fmt: skip
        super().__init__(window)
        self._session, self._files, self._starts, self._window = session, files, starts, window
        self._are_listed = False
        """Whether the experiments of the project are known."""
        self._wanted: _WantedStart | None = None
        services.commander.handle("run.add-start", self.add)
        session.project_opened.connect(self._forget)
        session.experiments.listed.connect(self._listed)
        session.experiment_changed.connect(self._add)

    def add(self, start: str = "", task: str = "") -> None:
        """Ask which experiment is to begin at ``start``, TRAJECTORY@STEP; without it, ask for the step."""
        if start:
            self._wanted = _WantedStart(start, task)
            if self._are_listed:
                self._ask_experiment()
        elif self._session.experiment is None:
            raise UserError(_("No experiment is open"), "", _("Choose one, or begin a new one"))
        else:
            self._starts.ask()

    @Slot()
    def _forget(self) -> None:
        self._are_listed, self._wanted = False, None

    @Slot()
    def _listed(self) -> None:
        was_listed, self._are_listed = self._are_listed, True
        if self._wanted is not None and not was_listed:
            self._ask_experiment()

    def _ask_experiment(self) -> None:
        session, wanted = self._session, self._wanted
        assert wanted is not None
        free = [name for name in session.files if name not in session.runs.running]
        free.sort(key=lambda name: name != session.name)
        new = free_name("starts-1", session.files)
        ask_choice(
            self._window, _("Run agents from {start}", start=wanted.start),
            _("The experiment that begins there; {name} is a new one", name=new), [new, *free], self._choose,
        )  # fmt: skip

    @Slot(str)
    def _choose(self, text: str) -> None:
        """Add the start to the experiment of that name; it may have to be made or read first."""
        name, session, wanted = text.strip(), self._session, self._wanted
        if wanted is None:
            return
        if name not in session.files:
            self._files.with_new_name(partial(self._create, wanted), name)
            return
        self._wanted = replace(wanted, experiment=name)
        session.choose(name)
        self._add()

    def _create(self, wanted: _WantedStart, name: str) -> None:
        self._wanted = None
        experiments, title = self._session.experiments, _("new experiment {name}", name=name)
        experiments.create(name, title, text_from_step(wanted.start, wanted.task))

    @Slot()
    def _add(self) -> None:
        """Add the start once the chosen experiment was read."""
        session, wanted = self._session, self._wanted
        if wanted is None or session.loaded is None or session.loaded.name != wanted.experiment:
            return
        self._wanted = None
        if session.is_active:
            what = _("The experiment {name} is being run", name=session.name)
            session.failed.emit(UserError(what, "", _("Add the start when it has ended")))
            return
        session.edit(_("add a start"), partial(edits.add_start, start=wanted.start, task=wanted.task))
