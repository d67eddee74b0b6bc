"""The session of the Rules workspace: what is open, selected, on the screen and known about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, islice
from pathlib import Path, PurePath

from PySide6.QtCore import QObject, Signal, Slot

from collector.anomalies.model import Anomaly
from collector.anomalies.rehearsal_run import RehearsedState
from collector.model.errors import UserError
from collector.rules.backtest.backtest import BackTestResult
from collector.rules.columns.corpus import Corpus, TrajectoryRef
from collector.rules.evaluation.proof import Proof
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.model import DGARA, STATE, WAYMARK, Rule
from collector.rules.grammar.rule_reader import read_rules
from collector.store.catalogue.project_snapshot import ProjectSnapshot
from rule_editor.document.anomalies.anomaly_document import AnomalyDocument
from rule_editor.document.rules.condition_slots import ConditionPath
from rule_editor.document.rules.rule_document import RuleDocument
from rule_editor.widgets.broken_entry_view import BrokenEntry
from rule_editor.widgets.rule_form.condition_paths import walk
from studio.bridge import JobRunner
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.review.work_selection import WorkSelection
from studio.bridge.rules.rule_backtests import RuleBackTests, RuleKey
from studio.bridge.rules.rule_documents import DocumentChanged, RuleDocuments
from studio.bridge.rules.rule_names import ANOMALY_KIND
from studio.bridge.shown_state import ShownState
from studio.views.rules.rule_diagnostics import RuleDiagnostics
from studio.views.rules.session_state import RuleCount, RulesSessionState


class RulesSession(QObject):
    """Holds the selection and the knowledge about it. Panels and controllers listen to its signals.

    ``kind`` and ``rule_id`` name the selected rule, and ``file`` its file; with ``ANOMALY_KIND`` they name
    the selected anomaly, and ``file`` is empty. All are empty while nothing is selected.
    """

    project_opened = Signal()
    """Another project is opened, or none; its documents follow."""
    opened = Signal()
    """The documents are open, or none is."""
    selecting = Signal()
    """The selection is about to change; unfinished typing belongs to the entry before."""
    selected = Signal(bool)
    """The selection changed; True when the YAML cursor has to move to it."""
    text_changed = Signal(object)
    """The text of a document changed: the panes take it, and select another entry when theirs is gone."""
    line_wanted = Signal(int)
    """The YAML cursor has to move to this character of the selected document."""
    rule_changed = Signal()
    """The selected rule has other values, or the panes have to show it again."""
    entries_changed = Signal()
    """A document has other rules or anomalies, or other values in them."""
    history_changed = Signal()
    """There is something else to undo or redo."""
    edit_refused = Signal()
    """An edit failed: the panes have to show what the document says."""
    condition_chosen = Signal()
    semantics_changed = Signal()
    corpus_changed = Signal()
    state_changed = Signal()
    """The screen shows another state, or none."""
    proof_changed = Signal()
    results_changed = Signal()
    failed = Signal(object)
    """An exception for the person."""

    def __init__(
        self,
        project_library: ProjectLibrary,
        selection: WorkSelection,
        runner: JobRunner,
        documents: RuleDocuments,
        parent: QObject | None = None,
    ) -> None:
        """``documents`` outlive the session, with their undo."""
        super().__init__(parent)
        self._project_library, self.selection = project_library, selection
        self.documents = documents
        self.history = documents.history
        """The edits of all documents."""
        self.backtests = RuleBackTests(runner, self)
        self.diagnostics = RuleDiagnostics(runner, self.backtests, self)
        self.files: tuple[Path, ...] = ()
        """Files that are edited instead of the files of the project."""
        self.kind = self.rule_id = self.file = ""
        self.condition: ConditionPath | None = None
        """The condition that the form, the YAML and the screen single out."""
        self.state: StateView | None = None
        """What rules see of the state on the screen."""
        self.recorded: ShownState | None = None
        """The recorded state on the screen; None while it shows something else."""
        self.trajectory: TrajectoryRef | None = None
        """The trajectory of the recorded state that was shown last."""
        self.rehearsed: RehearsedState | None = None
        """The state of a rehearsal on the screen; None while it shows something else."""
        self.proof: Proof | None = None
        """What the selected rule does on the state on the screen."""
        self.results: dict[RuleKey, BackTestResult] = {}
        """The newest back-test of every rule; of a rule that was edited since, that of the rule before."""
        self._counted: Corpus | None = None
        """The recordings that the results are of."""
        self.recordings_query = ""
        """Which trajectories rules are tried on, as the list of trajectories finds them."""
        self.is_comparing = False
        """Whether the back-test marks what the rule did otherwise when its file was opened."""
        self.open_state: tuple[str, int] | None = None
        """Trajectory and index of a state that another workspace opened and that is not shown here yet."""
        self.pending_position: int | None = None
        """The recorded state that is being fetched."""
        self._revealed: tuple[str, str, str] | None = None
        """Kind, id and file of the entry to select once the documents are open."""
        self._semantics = ""
        self._line_to_show = ""
        self._opened_texts: dict[str, str] = {}
        self.documents.opened.connect(self._documents_opened)
        self.documents.files_changed.connect(self._files_changed)
        self.documents.changed.connect(self._document_changed)
        self.documents.history_changed.connect(self.history_changed)
        self.documents.failed.connect(self.failed)
        self.backtests.ready.connect(self._corpus_ready)
        self.backtests.failed.connect(self.failed)
        project_library.opened.connect(self._open_project)
        project_library.reload_asked.connect(self.documents.reload)
        project_library.changed.connect(self.load_corpus)
        project_library.edits.changed.connect(self.lint)
        selection.state_chosen.connect(self.follow_state)

    # -- what is known -------------------------------------------------------
    @property
    def folder(self) -> Path | None:
        """The folder of the project; None when no project is open."""
        return self._project_library.folder

    @property
    def task_ids(self) -> tuple[str, ...]:
        return tuple(task.id for task in self._project_library.edits.tasks)

    @property
    def document(self) -> RuleDocument | None:
        """The document of the selected rule."""
        return self.documents.file(self.file) if self.file else None

    @property
    def rule(self) -> Rule | None:
        """The selected rule as it is now."""
        document = self.document
        return document.rule(self.rule_id) if document is not None else None

    @property
    def result(self) -> BackTestResult | None:
        """The newest back-test of the selected rule."""
        return self.results.get(RuleKey(self.file, self.rule_id))

    def count_of(self, key: RuleKey, rule: Rule) -> RuleCount:
        """Return how often a rule fires, as far as that is known now."""
        result = self.results.get(key)
        is_counted = result is not None and result.rule == rule and self._counted is self.corpus
        return RuleCount(result, is_pending=not is_counted and (self.is_reading or self.has_recordings))

    def file_name(self, document: RuleDocument) -> str:
        """The name of a rule file when its kind has several; empty when its kind says which it is."""
        several = len(self.documents.of_kind(document.kind)) > 1
        return PurePath(document.path).name if several else ""

    @property
    def shows_anomaly(self) -> bool:
        """Whether an anomaly is selected, and not a rule."""
        return self.kind == ANOMALY_KIND

    @property
    def anomaly_document(self) -> AnomalyDocument | None:
        """The anomaly library of the project."""
        return self.documents.anomalies

    @property
    def anomaly_id(self) -> str:
        """Id of the selected anomaly; empty when a rule is selected."""
        return self.rule_id if self.shows_anomaly else ""

    @property
    def anomaly(self) -> Anomaly | None:
        """The selected anomaly as it is now."""
        document = self.anomaly_document
        return document.anomaly(self.anomaly_id) if document is not None and self.anomaly_id else None

    @property
    def broken_entry(self) -> BrokenEntry | None:
        """The selected rule or anomaly when its YAML cannot be read; None when it can."""
        document = self.anomaly_document if self.shows_anomaly else self.document
        if document is None or (self.anomaly if self.shows_anomaly else self.rule) is not None:
            return None
        entry = document.parsed.by_key.get(self.rule_id)
        if entry is None:
            return None
        return BrokenEntry.of(entry, document.text, self.diagnostics.of(document))

    @property
    def corpus(self) -> Corpus | None:
        """Everything recorded; None until it was read."""
        return self.backtests.corpus

    @property
    def has_recordings(self) -> bool:
        return self.corpus is not None and len(self.corpus) > 0

    @property
    def is_reading(self) -> bool:
        """Whether the recorded states of a project are still being read."""
        return self.corpus is None and self._project_library.project is not None

    @property
    def semantics(self) -> str:
        """``waymark`` or ``dgara``: the choice of the person, or that of the project."""
        project = self._project_library.project
        return self._semantics or (project.semantics if project is not None else WAYMARK)

    def saved_rule(self) -> Rule | None:
        """Return the selected rule as it was when its file was opened."""
        text = self._opened_texts.get(self.file, "")
        return read_rules(text, kind=self.kind).rule(self.rule_id)

    # -- opening -------------------------------------------------------------
    def start(self) -> None:
        """Open the project that is open now; call it once all listeners are connected."""
        if self.documents.rule_files:
            self.project_opened.emit()
            self._documents_opened()
            return
        self._open_project(self._project_library.snapshot)
        self.select("", "")
        if self.selection.state[0]:
            self.follow_state(*self.selection.state)

    @Slot(object)
    def _open_project(self, snapshot: ProjectSnapshot | None) -> None:
        self.results = {}
        self.pending_position = self.trajectory = self.open_state = None
        self.recordings_query = ""
        self.project_opened.emit()
        if self.files:
            self.load_corpus()
        else:
            self.documents.open_project(snapshot.folder if snapshot is not None else None)

    def open_files(self, files: Sequence[Path]) -> None:
        """Edit these files instead of the files of the project."""
        self.files = tuple(files)
        self.documents.open_files(self.files)

    @Slot()
    def _documents_opened(self) -> None:
        self._opened_texts = {document.path: document.text for document in self.documents.rule_files}
        self.opened.emit()
        self.select_first()
        if self._line_to_show:
            self.show_line(self._line_to_show)
        self.lint()
        self.load_corpus()

    @Slot()
    def _files_changed(self) -> None:
        for document in self.documents.rule_files:
            self._opened_texts.setdefault(document.path, document.text)
        if self.file and self.document is None:
            self.select_first()
        self.entries_changed.emit()
        self.lint()
        if self.has_recordings:
            self.load_corpus()  # states that rules wait for are part of it

    @Slot()
    def load_corpus(self) -> None:
        """Read what the project has recorded, and back-test every rule on it."""
        project = self._project_library.project
        states = self.documents.rules_of(STATE)
        tasks = self._project_library.edits.tasks if project is not None else ()
        also = self.selection.stepped_folder
        person = self._project_library.person
        self.backtests.load(project, tasks, states, self.semantics, self.recordings_query, also, person)

    def choose_recordings(self, query: str) -> None:
        """Try rules on the trajectories that fit a query; on all, or all but many runs, without one."""
        self.recordings_query = query.strip()
        self.load_corpus()

    @Slot()
    def _corpus_ready(self) -> None:
        self.corpus_changed.emit()
        if self.has_recordings:
            self.lint()

    def switch_semantics(self) -> None:
        """Read the rules with the other semantics, without changing the project."""
        self._semantics = DGARA if self.semantics == WAYMARK else WAYMARK
        self.semantics_changed.emit()
        self.load_corpus()

    def toggle_compare(self) -> None:
        """Mark, or stop marking, what the rule did otherwise when its file was opened."""
        self.is_comparing = not self.is_comparing
        self.rule_changed.emit()

    # -- selecting -----------------------------------------------------------
    def select(self, kind: str, rule_id: str, file: str = "", *, follow: bool = True) -> None:
        """Select a rule or an anomaly; ``follow`` moves the YAML cursor to it.

        Without a ``file`` it is the rule of this id in the first file of its kind that has it.
        """
        self.selecting.emit()
        document = self.documents.holder(kind, rule_id) or self.documents.documents.get(kind)
        self.file = file or (document.path if document is not None else "")
        self.kind, self.rule_id, self.condition = kind, rule_id, None
        self.selected.emit(follow)

    def reveal(self, kind: str, rule_id: str, file: str = "") -> None:
        """Select a rule or an anomaly now, or once the documents are open."""
        if self.documents.rule_files:
            self.select(kind, rule_id, file)
        else:
            self._revealed = (kind, rule_id, file)

    def select_first(self) -> None:
        """Select what was asked for, or the first rule, or the first anomaly that cannot be read."""
        if self._revealed is not None:
            (kind, rule_id, file), self._revealed = self._revealed, None
            self.select(kind, rule_id, file)
            return
        files, library = self.documents.rule_files, self.anomaly_document
        for document in files:
            if document.parsed.entries:
                self.select(document.kind, document.parsed.entries[0].key, document.path)
                return
        if library is not None and library.parsed.entries and not library.library.anomalies:
            self.select(ANOMALY_KIND, library.parsed.entries[0].key)
        else:
            self.select(files[0].kind if files else "", "")

    def show_line(self, place: str) -> None:
        """Select what stands at a line of a file of the project, as in ``rules/injection.yaml:7``.

        While the files are being opened it waits for them.
        """
        self._line_to_show = ""
        name, _colon, line = place.partition(":")
        path = str(self.folder / name) if self.folder is not None else name
        document = next((document for document in self.documents.every if document.path == path), None)
        if document is None:
            self._line_to_show = place
            return
        ends = accumulate(map(len, document.text.splitlines(keepends=True)), initial=0)
        start = next(islice(ends, max(0, int(line or 1) - 1), None), 0)
        if isinstance(document, RuleDocument):
            self.select(document.kind, document.rule_at(start), document.path)
        elif isinstance(document, AnomalyDocument):
            self.select(ANOMALY_KIND, document.anomaly_at(start))
        self.line_wanted.emit(start)

    def keep_selection(self, document: RuleDocument, offset: int) -> None:
        """Select the rule at ``offset`` when the selected one is gone; forget a condition that is gone."""
        entries = document.parsed
        if self.rule_id not in entries.by_key:
            self.rule_id = document.rule_at(offset) or next(iter(entries.by_key), "")
        if self.condition is not None and self.rule is not None:
            paths = {path for path, _condition in walk(self.rule.conditions)}
            self.condition = self.condition if self.condition in paths else None

    def choose_condition(self, path: ConditionPath | None) -> None:
        """Single out a condition of the selected rule; None for none."""
        self.condition = path
        self.condition_chosen.emit()

    # -- editing -------------------------------------------------------------
    def edit(self, change: Callable[[RuleDocument, str], object]) -> bool:
        """Change the document of the selected rule. Return False, and report the error, if that fails."""
        document, rule_id = self.document, self.rule_id
        return document is not None and self._try(lambda: change(document, rule_id))

    def edit_anomalies(self, change: Callable[[AnomalyDocument], object]) -> bool:
        """Change the anomaly library. Return False, and report the error, if that fails."""
        document = self.anomaly_document
        return document is not None and self._try(lambda: change(document))

    def _try(self, change: Callable[[], object]) -> bool:
        try:
            if self._project_library.project is not None and not self.files:
                self._project_library.project.require_writable()
            change()
        except UserError as error:
            self.failed.emit(error)
            self.edit_refused.emit()
            return False
        return True

    @Slot(object)
    def _document_changed(self, changed: DocumentChanged) -> None:
        document = changed.document
        if isinstance(document, RuleDocument | AnomalyDocument):
            self.diagnostics.follow(document, changed.change.edits)
        self.text_changed.emit(document)
        if document in (self.document, self.anomaly_document) and not self.shows_anomaly:
            self.rule_changed.emit()
        self.entries_changed.emit()
        self.lint()

    @Slot()
    def lint(self) -> None:
        """Check all documents as they are now; ``diagnostics.changed`` follows."""
        tasks = self._project_library.edits.tasks if not self.files else ()
        self.diagnostics.check(self.documents.rule_files, self.semantics, tasks, self.anomaly_document)

    # -- the screen ----------------------------------------------------------
    def go_to(self, position: int) -> None:
        """Fetch a recorded state for the screen; quick steps count from the state fetched last."""
        self.open_state = None
        self.pending_position = position
        self.backtests.show(position)

    def position_of(self, trajectory_id: str, index: int) -> int | None:
        """The position of a recorded state; None when it is not among the recordings that were read."""
        refs = self.corpus.trajectories if self.corpus is not None else ()
        number = next((number for number, ref in enumerate(refs) if ref.id == trajectory_id), None)
        if number is None or self.corpus is None or not (positions := self.corpus.positions_of(number)):
            return None
        return positions[min(index, len(positions) - 1)]

    @Slot(str, int)
    def follow_state(self, trajectory_id: str, index: int) -> None:
        """Show the state that is open in another workspace, as soon as the recordings have it."""
        position = self.position_of(trajectory_id, index)
        if position is not None:
            self.go_to(position)
        else:
            self.open_state = trajectory_id, index

    @Slot(object, object)
    def show_state(self, state: StateView | None, source: ShownState | RehearsedState | None) -> None:
        """Note that the screen shows ``state``; ``source`` is None when it is live."""
        self.state = state
        self.recorded = source if isinstance(source, ShownState) else None
        self.trajectory = self.recorded.trajectory if self.recorded is not None else self.trajectory
        self.rehearsed = source if isinstance(source, RehearsedState) else None
        self.state_changed.emit()

    def screen_in_question(self) -> tuple[StateView | None, str]:
        """What rules see of the screen, and the id of its trajectory; empty when it is not recorded."""
        return self.state, self.recorded.trajectory.id if self.recorded is not None else ""

    def set_proof(self, proof: Proof | None) -> None:
        """Note what the selected rule does on the state on the screen."""
        self.proof = proof
        self.proof_changed.emit()

    def set_results(self, results: dict[RuleKey, BackTestResult]) -> None:
        """Note the back-tests of all rules."""
        self.results, self._counted = results, self.corpus
        self.results_changed.emit()

    def set_result(self, result: BackTestResult) -> None:
        """Note a newer back-test of the selected rule."""
        self.results = {**self.results, RuleKey(self.file, self.rule_id): result}
        self.results_changed.emit()

    def keep_state(self) -> RulesSessionState:
        """What the session of the next window needs to go on here."""
        return RulesSessionState(
            self.kind,
            self.rule_id,
            self.file,
            self.files,
            self._semantics,
            self.is_comparing,
            dict(self._opened_texts),
            self.recordings_query,
            self.recorded.place if self.recorded is not None else None,
        )

    def take_state(self, state: RulesSessionState) -> None:
        """Go on where the session before was."""
        self.files, self._opened_texts = state.files, dict(state.opened_texts)
        self.open_state, self.recordings_query = state.place, state.recordings_query
        if state.is_comparing:
            self.toggle_compare()
        if state.semantics:
            self._semantics = state.semantics
            self.semantics_changed.emit()
            self.load_corpus()
        self.select(state.kind, state.rule_id, state.file)

    def close(self) -> None:
        """Write what is left, and let go of files and jobs."""
        self.backtests.close()
        self.documents.save()
