"""The session of the States workspace: the task, the trajectory, the step and the essential state in hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from collector.judge.evaluation.state_reach import StateReach
from collector.located_yaml.diagnostics import Severity
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.task import Task
from collector.model.trajectory import Step
from collector.rules.evaluation.proof import Proof
from collector.rules.evaluation.task_states import TaskStates
from collector.rules.grammar.model import STATE, Rule
from collector.rules.grammar.plain import plain_condition
from collector.states.documents.proposal import ProposedState
from collector.store.catalogue.project_snapshot import ProjectSnapshot
from rule_editor.document.rules.condition_slots import ConditionPath
from rule_editor.document.rules.rule_document import RuleDocument
from rule_editor.widgets.broken_entry_view import BrokenEntry
from studio.bridge import JobRunner
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.review.task_labels import TaskLabels
from studio.bridge.review.work_selection import WorkSelection
from studio.bridge.rules.rule_documents import DocumentChanged, RuleDocuments
from studio.bridge.shown_state import ShownState
from studio.bridge.task_recordings import LoadedTask, Reach, StateOnScreen, TaskRecordings, TaskTrajectory
from studio.settings import Settings
from studio.views.states.session_state import StatesSessionState

_REACH_AFTER_MS = 60


class StatesSession(QObject):
    """Holds what is chosen and what is known about it. Panels and controllers listen to its signals.

    The states are those of ``rules/states.yaml`` as the Rules workspace edits it, too: there is one document.
    """

    project_opened = Signal()
    """Another project is open, or none."""
    task_changed = Signal(str)
    """Id of the task that was chosen; empty for none. Its states and trajectories follow."""
    trajectories_changed = Signal()
    """The recorded trajectories of the task were read."""
    trajectory_changed = Signal()
    """The film strip shows another trajectory, or none."""
    step_changed = Signal(int)
    """The index of the step that is chosen, from 0."""
    states_changed = Signal()
    """The task has other states, or their values changed."""
    state_selected = Signal(str)
    """Id of the selected essential state; empty for none."""
    reach_changed = Signal()
    """It is known where the states are reached."""
    screen_changed = Signal()
    """The screen shows another recorded state, or none."""
    proof_changed = Signal()
    """It is known what the selected state comes to on the screen."""
    condition_chosen = Signal()
    edit_refused = Signal()
    """An edit failed: the panels have to show what the document says."""
    history_changed = Signal()
    """There is something else to undo or redo."""
    failed = Signal(object)
    """An exception for the person."""

    def __init__(
        self, project_library: ProjectLibrary, selection: WorkSelection, runner: JobRunner,
        documents: RuleDocuments, settings: Settings, parent: QObject | None = None,
    ) -> None:  # fmt: skip
        """``documents`` are those of the Rules workspace, with their undo."""
        super().__init__(parent)
        self.project_library, self.runner, self.documents = project_library, runner, documents
        self.history = documents.history
        """The edits of the states, and of what people say of them."""
        self._selection, self._settings = selection, settings
        self.recordings = TaskRecordings(runner, self)
        self.labels = TaskLabels(runner, self)
        """The person's labels on the trajectories of the task."""
        self.labels.edited.connect(self.history.add)
        self.labels.forgotten.connect(self.history.forget)
        self.labels.failed.connect(self.failed)
        self.labels.changed.connect(self.reach_changed)
        self.task_id = self.state_id = ""
        self.states: tuple[Rule, ...] = ()
        """The essential states of the task, in the order of their file."""
        self.trajectory: TaskTrajectory | None = None
        """The trajectory in the film strip."""
        self.step = 0
        self.reach: Reach = {}
        """By id of a trajectory, then of a state: where the state is reached. All golden trajectories, and
        the one in the film strip."""
        self.shown: ShownState | None = None
        """The recorded screen on show."""
        self.proof: Proof | None = None
        """What the selected state comes to on it."""
        self.condition: ConditionPath | None = None
        """The condition of the selected state that is singled out."""
        self.differing: frozenset[str] = frozenset()
        """Ids of the states that two operators propose differently; see :meth:`set_differing`."""
        self._wanted = StatesSessionState("", "", 0, "")
        """What to choose once it is read."""
        self._recorded_key: object = None
        self._is_in_front = False
        self._reaching = QTimer(self, singleShot=True, interval=_REACH_AFTER_MS)
        self._reaching.timeout.connect(self._ask_reach)
        documents.opened.connect(self.read_states)
        documents.files_changed.connect(self.read_states)
        documents.changed.connect(self._document_changed)
        documents.history_changed.connect(self.history_changed)
        recordings = self.recordings
        recordings.loaded.connect(self._recordings_loaded)
        recordings.reached.connect(self._reach_known)
        recordings.shown.connect(self._screen_read)
        recordings.explained.connect(self._explained)
        recordings.failed.connect(self.failed)
        project_library.opened.connect(self._project_opened)
        project_library.changed.connect(self._project_changed)
        selection.task_chosen.connect(self._task_chosen_elsewhere)

    # -- what is known -------------------------------------------------------
    @property
    def author(self) -> str:
        """The person who proposes, labels and audits, from the settings."""
        return str(self._settings["recording.author"])

    @property
    def folder(self) -> Path | None:
        """The folder of the project; None when no project is open."""
        return self.project_library.folder

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The tasks of the project."""
        return tuple(self.project_library.edits.tasks) if self.project_library.project is not None else ()

    @property
    def task(self) -> Task | None:
        return next((task for task in self.tasks if task.id == self.task_id), None)

    @property
    def state(self) -> Rule | None:
        """The selected essential state."""
        return self.state_of(self.state_id)

    @property
    def broken_entry(self) -> BrokenEntry | None:
        """The selected state while its YAML cannot be read, as between two keys; None when it can."""
        document = self.document_of(self.state_id) if self.state_id else None
        if document is None or self.state is not None:
            return None
        entry = document.parsed.by_key.get(self.state_id)
        if entry is not None:
            return BrokenEntry.of(entry, document.text, document.diagnostics)
        errors = tuple(item for item in document.diagnostics if item.severity is Severity.ERROR)
        return BrokenEntry(self.state_id, "", errors[0].place.start, errors) if errors else None

    def state_of(self, state_id: str) -> Rule | None:
        """A state of the task by its id."""
        return next((state for state in self.states if state.id == state_id), None)

    def name_of(self, state_id: str) -> str:
        """The short name of a state on its card: ``M3`` for the third; its id when it is of another task."""
        ids = [state.id for state in self.states]
        return f"M{ids.index(state_id) + 1}" if state_id in ids else state_id

    @property
    def trajectories(self) -> tuple[TaskTrajectory, ...]:
        """The recorded trajectories of the task, golden ones first."""
        return self.recordings.trajectories

    @property
    def goldens(self) -> tuple[TaskTrajectory, ...]:
        return tuple(item for item in self.trajectories if item.is_golden)

    def recorder_of(self, item: TaskTrajectory) -> str:
        """Who recorded a trajectory; empty for an auditor, who is not to know it before the signature."""
        return item.header.who if self.recordings.shows_names else ""

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of the trajectory in the film strip."""
        return self.trajectory.steps if self.trajectory is not None else ()

    @property
    def reach_here(self) -> Mapping[str, StateReach]:
        """Where the states are reached along the trajectory in the film strip."""
        return self.reach.get(self.trajectory.id, {}) if self.trajectory is not None else {}

    def marked_step(self, state_id: str) -> int | None:
        """The step of this trajectory at which a state was marked as reached; the own mark comes first."""
        if self.trajectory is None:
            return None
        if self.proposal is not None:
            return self._proposed_step(state_id)
        row = self.labels.row_of(self.trajectory.folder)
        return row.marked_step(state_id) if row is not None else None

    def _proposed_step(self, state_id: str) -> int | None:
        """The step that the open proposal gives for a state."""
        state = self.state_of(state_id)
        step = state.raw.get("step") if state is not None and isinstance(state.raw, dict) else None
        return step if isinstance(step, int) and 0 <= step < len(self.steps) else None

    def step_of(self, state_id: str) -> int | None:
        """The step of this trajectory that reaches a state: by its conditions, else as people marked it."""
        reach = self.reach_here.get(state_id)
        reached = reach.reached if reach is not None else None
        return reached if reached is not None else self.marked_step(state_id)

    # -- the document --------------------------------------------------------
    @property
    def proposal(self) -> RuleDocument | None:
        """The open proposal of the person for this task: its states are shown and edited, and no others."""
        return self.documents.proposal

    def document_of(self, state_id: str) -> RuleDocument | None:
        """The file that holds a state; for a new one the file that new states go to."""
        if self.proposal is not None:
            return self.proposal
        return self.documents.holder(STATE, state_id) or self.documents.documents.get(STATE)

    @property
    def proposed_states(self) -> tuple[ProposedState, ...] | None:
        """The states of the open proposal as they are edited now; None without one."""
        if self.proposal is None:
            return None
        return tuple(
            ProposedState(
                rule.id,
                rule.description,
                plain_condition(rule.conditions) if rule.conditions.conditions else None,
                rule.after,
                rule.optional,
                rule.alternatives,
                self.step_of(rule.id),
            )
            for rule in self.proposal.rules
        )

    def edit(self, change: Callable[[RuleDocument], object], state_id: str = "") -> bool:
        """Change the file of a state, the selected one when none is given. Return False if that fails."""
        document = self.document_of(state_id or self.state_id)
        if document is None:
            return False
        try:
            if self.project_library.project is not None:
                self.project_library.project.require_writable()
            change(document)
        except UserError as error:
            self.failed.emit(error)
            self.edit_refused.emit()
            return False
        return True

    # -- opening -------------------------------------------------------------
    def start(self) -> None:
        """Follow the project that is open now; call it once all listeners are connected."""
        self._project_opened(self.project_library.snapshot)

    @Slot(object)
    def _project_opened(self, snapshot: ProjectSnapshot | None) -> None:
        self.recordings.close()
        self.task_id = self.state_id = ""
        self._forget_trajectory()
        self.documents.follow_project(snapshot.folder if snapshot is not None else None)
        self.project_opened.emit()
        chosen = self._selection.task_id
        first = next((task.id for task in self.tasks if task.essential_states), "")
        fallback = self.tasks[0].id if self.tasks else ""
        self.choose_task(self._wanted.task_id or chosen or first or fallback, force=True)

    @Slot(object)
    def _project_changed(self, _snapshot: ProjectSnapshot) -> None:
        if self.task is None:
            self.choose_task(self.tasks[0].id if self.tasks else "", force=True)
            return
        self.read_states()
        if self._key_of_recordings() != self._recorded_key:
            self.load_recordings()

    @Slot(str)
    def _task_chosen_elsewhere(self, task_id: str) -> None:
        if task_id:
            self.choose_task(task_id)

    # -- choosing ------------------------------------------------------------
    def choose_task(self, task_id: str, *, force: bool = False) -> None:
        """Choose the task whose states are shown."""
        if task_id == self.task_id and not force:
            return
        self.task_id, self.state_id = task_id, ""
        self._forget_trajectory()
        if task_id:
            self._selection.choose_task(task_id)
        self.task_changed.emit(task_id)
        self.read_states()
        self.load_recordings()

    def choose_trajectory(self, trajectory_id: str, step: int | None = None) -> None:
        """Show another trajectory of the task in the film strip, at ``step`` or the step that was shown."""
        item = next((item for item in self.trajectories if item.id == trajectory_id), None)
        if item is None:
            return
        is_other = self.trajectory is None or item.id != self.trajectory.id
        self.trajectory = item
        if is_other:
            self.trajectory_changed.emit()
            if item.id not in self.reach:
                self._reaching.start()
        self.go(self.step if step is None else step, force=is_other)

    def next_trajectory(self) -> None:
        """Show the trajectory behind that in the film strip, and the first one behind the last."""
        items = self.trajectories
        if self.trajectory in items:
            self.choose_trajectory(items[(items.index(self.trajectory) + 1) % len(items)].id)

    def reveal(self, state: StatesSessionState) -> None:
        """Show a step of a trajectory with a state selected, now or once the task was read."""
        if state.task_id != self.task_id:
            self.take_state(state)
            return
        self.choose_trajectory(state.trajectory_id, state.step)
        self.select(state.state_id)

    def go(self, step: int, *, force: bool = False) -> None:
        """Choose a step of the trajectory; a number out of range chooses the nearest step."""
        step = max(0, min(step, len(self.steps) - 1))
        if step == self.step and not force:
            return
        self.step = step
        self.step_changed.emit(step)
        if self.trajectory is not None:
            self.recordings.show(self.trajectory, step)
            self._selection.choose_state(self.trajectory.id, step)

    def select(self, state_id: str, *, follow: bool = False) -> None:
        """Select an essential state; with ``follow`` the step that reaches it, too."""
        if state_id and self.state_of(state_id) is None:
            state_id = ""
        if state_id != self.state_id:
            self.state_id, self.condition, self.proof = state_id, None, None
            self.state_selected.emit(state_id)
            self._explain()
        step = self.step_of(state_id) if follow and state_id else None
        if step is not None:
            self.go(step)

    def set_differing(self, state_ids: frozenset[str]) -> None:
        """Note which states two operators propose differently; their cards say so."""
        if state_ids != self.differing:
            self.differing = state_ids
            self.reach_changed.emit()

    def choose_condition(self, path: ConditionPath | None) -> None:
        """Single out a condition of the selected state; None for none."""
        self.condition = path
        self.condition_chosen.emit()

    # -- reading -------------------------------------------------------------
    def show_anew(self, trajectory_id: str, step: int) -> None:
        """Read the recordings of the task again, and show a step of one that was edited."""
        self._wanted = StatesSessionState(self.task_id, trajectory_id, step, self.state_id)
        self.load_recordings()

    def load_recordings(self) -> None:
        """Read again what was recorded of the task."""
        self._recorded_key = self._key_of_recordings()
        self.recordings.load(self.project_library.project, self.task, self.author)

    def _key_of_recordings(self) -> object:
        """What differs when the project has other recordings of the task."""
        snapshot = self.project_library.snapshot
        if snapshot is None:
            return None
        tables = (snapshot.golden, snapshot.runs, snapshot.changed, snapshot.reviews)
        return (snapshot.folder, self.task_id, *(table.get(self.task_id) for table in tables))

    def _forget_trajectory(self) -> None:
        self.trajectory, self.step, self.reach = None, 0, {}
        self.differing = frozenset()
        self.shown = self.proof = self.condition = None

    @Slot(object)
    def _recordings_loaded(self, loaded: LoadedTask | None) -> None:
        if loaded is not None and loaded.task_id != self.task_id:
            return
        known = {item.id for item in self.trajectories}
        self.reach = {name: reach for name, reach in self.reach.items() if name in known}
        before = self._wanted.trajectory_id or (self.trajectory.id if self.trajectory is not None else "")
        step = self._wanted.step if self._wanted.trajectory_id else self.step
        items = self.trajectories
        self.trajectory = next((item for item in items if item.id == before), items[0] if items else None)
        self.trajectories_changed.emit()
        self.trajectory_changed.emit()
        if self.trajectory is None:
            self.shown = None
            self.screen_changed.emit()
        self.go(step, force=True)
        self._reaching.start()
        if self._wanted.state_id:
            self.select(self._wanted.state_id)
        self._wanted = StatesSessionState("", "", 0, "")

    @Slot()
    def read_states(self) -> None:
        """Take the states of the task as the documents have them now."""
        task = self.task
        if self.proposal is not None:
            self.states = self.proposal.rules
        else:
            every = TaskStates(self.documents.rules_of(STATE), self.tasks)
            self.states = tuple(every.of(self.task_id, task)) if task is not None else ()
        if self.state_id and self.state is None and self.broken_entry is None:
            self.state_id, self.condition, self.proof = "", None, None
            self.state_selected.emit("")
        self.states_changed.emit()
        self._explain()
        self._reaching.start()

    @Slot(object)
    def _document_changed(self, changed: DocumentChanged) -> None:
        if isinstance(changed.document, RuleDocument) and changed.document.kind == STATE:
            self.read_states()

    def set_in_front(self, in_front: bool) -> None:
        """Follow what happens while the workspace is looked at, and catch up when it comes to the front."""
        self._is_in_front = in_front
        if in_front:
            self.load_recordings()

    @Slot()
    def _ask_reach(self) -> None:
        if not self._is_in_front:
            return
        here = [self.trajectory] if self.trajectory is not None and not self.trajectory.is_golden else []
        if self.states and (wanted := [*self.goldens, *here]):
            self.recordings.reach(self.states, wanted)
        else:
            self._reach_known({})

    @Slot(object)
    def _reach_known(self, reach: Reach) -> None:
        self.reach = reach
        self.reach_changed.emit()

    @Slot(object)
    def _screen_read(self, shown: ShownState) -> None:
        if self.trajectory is not None and shown.place == (self.trajectory.id, self.step):
            self.shown, self.proof = shown, None
            self.screen_changed.emit()
            self._explain()

    def _explain(self) -> None:
        state, shown = self.state, self.shown
        if state is None or shown is None or self.trajectory is None or not state.conditions.conditions:
            self.proof = None
            self.proof_changed.emit()
        else:
            self.recordings.explain(state, self.trajectory, shown.index)

    @Slot(object)
    def _explained(self, explained: StateOnScreen) -> None:
        if self.shown is None or self.shown.place != explained.shown.place:
            return
        if explained.state == self.state:
            self.shown, self.proof = explained.shown, explained.proof
            self.proof_changed.emit()

    # -- life ----------------------------------------------------------------
    def refuse_without_task(self) -> Task:
        """Return the task. Raises UserError when none is chosen."""
        task = self.task
        if task is None:
            raise UserError(_("No task is chosen"), "", _("Add one in Project, or import a benchmark"))
        return task

    def keep_state(self) -> StatesSessionState:
        """What the session of the next window needs to go on here."""
        trajectory_id = self.trajectory.id if self.trajectory is not None else ""
        return StatesSessionState(self.task_id, trajectory_id, self.step, self.state_id)

    def take_state(self, state: StatesSessionState) -> None:
        """Go on where the session before was."""
        self._wanted = state
        self.choose_task(state.task_id, force=True)

    def close(self) -> None:
        """Write what is left, and let go of jobs."""
        self._reaching.stop()
        self.recordings.close()
        self.documents.save()
