"""The tab *Agreement*: how far people and judges agree, and where they do not."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QMenu, QVBoxLayout, QWidget

from collector.judge.votes.agreement_report import as_csv, as_markdown
from collector.judge.votes.project_votes import ProjectVotes
from collector.judge.votes.votes import AgreementRow, QualityRow, disputed, quality_rows
from collector.model.episode_text import verdict_text
from collector.model.message import _, ngettext
from collector.model.verdicts.judgement import MISSED, REACHED, STATE, TASK, UNNAMED, Subject
from collector.model.verdicts.voted_subject import PEOPLE, VotedSubject, given_verdicts
from rule_editor.widgets.combo_box import ComboBox
from rule_editor.widgets.popup_menu import PopupMenu
from studio.bridge.review.vote_reader import VoteReader
from studio.views.services import WindowServices
from studio.views.states.agreement import agreement_rows
from studio.views.states.labels.label_rows import step_text
from studio.views.states.session import StatesSession
from studio.views.states.session_state import StatesSessionState
from studio.widgets.controls import Button, Label, SegmentedControl, header_row, surface
from studio.widgets.tables.cell_table import CellTable
from studio.widgets.window_frame.panel_splitter import PanelSplitter

_ONE_TASK, _ALL_TASKS = "task", "all"
_TOLERANCES = ("0", "1", "2")
_PAIRS_SHARE = 560
_CHOICE_LETTERS = 12


class AgreementTab(QWidget):
    """Follows the session. The votes are read while the tab is on show."""

    count_changed = Signal(object)
    """Disagreements that the person may see; None for none."""

    def __init__(self, session: StatesSession, services: WindowServices) -> None:
        super().__init__()
        self._session, self._services = session, services
        self.reader = VoteReader(services.tasks, self)
        self.pairs = CellTable(_("Judges and how far they agree"), agreement_rows.pair_columns())
        self.quality = CellTable(_("Judges against a reference"), agreement_rows.quality_columns(PEOPLE))
        self.disagreements = CellTable(_("Disagreements"), agreement_rows.disagreement_columns())
        self.scope = SegmentedControl([(_ONE_TASK, _("This task"), ""), (_ALL_TASKS, _("All tasks"), "")])
        self.kind = SegmentedControl([(STATE, _("Essential states"), ""), (TASK, _("Verdicts"), "")])
        self.tolerance = SegmentedControl(
            [(step, "=" if step == "0" else f"\u00b1{step}", "") for step in _TOLERANCES]
        )
        self.state, self.against = ComboBox(), ComboBox()
        self.copy = Button(_("Copy"), "copy", small=True, opens=True)
        self.figures = [Label("-", "figure") for _figure in range(3)]
        self._of, self._nothing = (
            Label("", "caption", "text-2", wrap=True),
            Label("", "body", "text-3", wrap=True),
        )
        self._waiting = Label("", "caption", "text-2", cut=True)
        self._rows: list[AgreementRow] = []
        self._qualities: list[QualityRow] = []
        self._disputed: list[VotedSubject] = []
        self._lay_out()
        self._connect()

    # -- building ------------------------------------------------------------
    def _lay_out(self) -> None:
        for box, name in ((self.state, _("Essential state")), (self.against, _("Reference"))):
            box.setAccessibleName(name)
            box.setProperty("small", True)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(_CHOICE_LETTERS)
        self.copy.setToolTip(_("Copy both tables"))
        self.tolerance.setToolTip(_("Steps that count as the same when an essential state was reached"))
        bar, row = header_row("section_header")
        same_step, against = (Label(text, "caption", "text-2") for text in (_("Same step"), _("Against")))
        for widget in (
            self.scope, self.kind, self.state, same_step, self.tolerance, against, self.against,
        ):  # fmt: skip
            row.addWidget(widget)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        body = PanelSplitter(Qt.Orientation.Horizontal)
        body.addWidget(self._left())
        body.addWidget(self._right())
        body.setSizes([_PAIRS_SHARE, _PAIRS_SHARE])
        column.addWidget(body, 1)

    def _left(self) -> QWidget:
        left = surface("panel")
        figures = QHBoxLayout()
        figures.setContentsMargins(12, 8, 12, 8)
        figures.setSpacing(24)
        for figure, name in zip(self.figures, (_("kappa"), _("same step"), _("judged by all")), strict=True):
            pair = QVBoxLayout()
            pair.setSpacing(0)
            pair.addWidget(figure)
            pair.addWidget(Label(name, "caption", "text-2"))
            figures.addLayout(pair)
        figures.addWidget(self._of, 1)
        figures.addWidget(self.copy)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(figures)
        column.addWidget(self._nothing)
        column.addWidget(self.pairs, 3)
        column.addWidget(self.quality, 2)
        return left

    def _right(self) -> QWidget:
        right = surface("panel", "left")
        head, row = header_row("section_header")
        row.addWidget(Label(_("Disagreements"), "heading"))
        row.addWidget(self._waiting, 1)
        self.open = Button(_("Open"), "enter", small=True)
        self.adjudicate = Button(_("Adjudicate..."), "check", small=True)
        self.open.setToolTip(_("Show the trajectory at the step on which they differ"))
        self.adjudicate.setToolTip(_("Say what counts for people as a whole; their votes stay"))
        row.addWidget(self.open)
        row.addWidget(self.adjudicate)
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self.disagreements, 1)
        return right

    def _connect(self) -> None:
        session = self._session
        for changed in (session.project_opened, session.labels.changed, session.trajectories_changed):
            changed.connect(self._read_when_shown)
        session.task_changed.connect(self._show)
        session.states_changed.connect(self._show)
        self.reader.changed.connect(self._show)
        self.reader.failed.connect(session.failed)
        for control in (self.scope, self.kind, self.tolerance):
            control.chosen.connect(self._show)
        for box in (self.state, self.against):
            box.activated.connect(self._show)
        self.disagreements.opened.connect(self.open_disagreement)
        self.disagreements.chosen.connect(self._show_buttons)
        self.open.clicked.connect(self._open_chosen)
        self.adjudicate.clicked.connect(self._offer_verdicts)
        self.copy.clicked.connect(self._offer_copies)

    # -- reading -------------------------------------------------------------
    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Read the votes: they may have changed while the tab was hidden."""
        super().showEvent(event)
        self._read_when_shown()

    @Slot()
    def _read_when_shown(self) -> None:
        if self.isVisible():
            self.reader.read(self._session.project_library.project, self._session.author or UNNAMED)

    @property
    def _task(self) -> str:
        """The task that is chosen by the filters; empty for all."""
        return self._session.task_id if self.scope.current == _ONE_TASK else ""

    @property
    def votes(self) -> ProjectVotes:
        """The votes that the filters leave."""
        state = str(self.state.currentData() or "") if self.kind.current == STATE else ""
        return self.reader.votes.where(task=self._task, state=state)

    # -- what is shown -------------------------------------------------------
    @Slot()
    def _show(self) -> None:
        self._fill_states()
        votes, kind, tolerance = self.votes, self.kind.current, int(self.tolerance.current)
        self._fill_references(votes)
        self._rows = agreement_rows.agreement_of(votes, kind, tolerance)
        self.pairs.show_rows(
            [agreement_rows.pair_cells(row, votes.people, votes.judges) for row in self._rows]
        )
        against = str(self.against.currentData() or PEOPLE)
        every = quality_rows(votes.subjects, votes.judges, against)
        self._qualities = [row for row in every if row.kind == kind]
        self.quality.set_columns(agreement_rows.quality_columns(self.against.currentText()))
        self.quality.show_rows(list(map(agreement_rows.quality_cells, self._qualities)))
        self._show_figures(votes)
        self._show_disagreements(votes, kind, tolerance)

    def _fill_states(self) -> None:
        chosen = str(self.state.currentData() or "")
        wanted = sorted({item.state for item in self.reader.votes.where(task=self._task).subjects} - {""})
        self.state.clear()
        self.state.addItem(_("All essential states"), "")
        for state in wanted:
            self.state.addItem(self._sentence(state), state)
        self.state.setCurrentIndex(max(0, self.state.findData(chosen)))
        self.state.setEnabled(self.kind.current == STATE)

    def _fill_references(self, votes: ProjectVotes) -> None:
        chosen = str(self.against.currentData() or PEOPLE)
        self.against.clear()
        self.against.addItem(_("people"), PEOPLE)
        for judge in votes.judges:
            self.against.addItem(judge, judge)
        self.against.setCurrentIndex(max(0, self.against.findData(chosen)))

    def _sentence(self, state: str) -> str:
        known = self._session.project_library.edits.states
        return known[state].label if state in known else state

    def _show_figures(self, votes: ProjectVotes) -> None:
        row, names = agreement_rows.first_figures(self._rows, votes.people)
        for figure, text in zip(self.figures, agreement_rows.figure_texts(row), strict=True):
            figure.setText(text)
        self._of.setText(names)
        self._nothing.setText("" if self._rows else _("No two judges judged the same yet"))
        self._nothing.setVisible(not self._rows)

    def _show_disagreements(self, votes: ProjectVotes, kind: str, tolerance: int) -> None:
        subjects = [subject for subject in votes.subjects if subject.kind == kind]
        found = disputed(subjects, votes.judges, tolerance=tolerance)
        self._disputed, waiting = agreement_rows.visible(found, self._is_open)
        self.disagreements.show_rows(
            [
                agreement_rows.disagreement_cells(
                    subject, self._title(subject), self._sentence(subject.state) if subject.state else ""
                )
                for subject in self._disputed
            ]
        )
        words = ngettext(
            "{count} more once you submit your review", "{count} more once you submit your reviews", waiting
        )
        self._waiting.setText(words if waiting else "")
        self.count_changed.emit(len(self._disputed) or None)
        self._show_buttons()

    def _is_open(self, subject: VotedSubject) -> bool:
        """Whether the votes of others may be seen."""
        return subject.folder not in self.reader.hidden

    def _title(self, subject: VotedSubject) -> str:
        titles = {item.id: item.title for item in self._session.trajectories}
        own = titles.get(subject.trajectory, subject.trajectory)
        return own if subject.task == self._session.task_id else f"{subject.task} / {own}"

    @Slot()
    def _show_buttons(self) -> None:
        chosen = self.chosen
        project = self._session.project_library.project
        self.open.setEnabled(chosen is not None)
        self.adjudicate.setEnabled(chosen is not None and project is not None and not project.is_read_only)

    @property
    def chosen(self) -> VotedSubject | None:
        """The chosen disagreement."""
        place = self.disagreements.current
        return self._disputed[place] if 0 <= place < len(self._disputed) else None

    # -- what the person does -----------------------------------------------
    @Slot(int)
    def open_disagreement(self, place: int) -> None:
        """Show the trajectory at the first step that somebody names."""
        subject = self._disputed[place]
        step = min(subject.steps.values(), default=0)
        self._session.reveal(StatesSessionState(subject.task, subject.trajectory, step, subject.state))

    @Slot()
    def _open_chosen(self) -> None:
        if self.chosen is not None:
            self.open_disagreement(self.disagreements.current)

    def verdict_menu(self, subject: VotedSubject) -> QMenu:
        """The verdicts to decide a disagreement with: those that were given."""
        menu = PopupMenu(self)
        given = given_verdicts(subject.votes, subject.steps)
        if subject.kind == STATE:
            given.setdefault((MISSED, None), [])
        for (verdict, step), judges in given.items():
            words = step_text(step) if step is not None else verdict_text(verdict)
            text = _("{what}, as {judge} says", what=words, judge=", ".join(judges)) if judges else words
            menu.addAction(
                text, partial(self._adjudicate, subject, verdict, step if verdict == REACHED else None)
            )
        return menu

    @Slot()
    def _offer_verdicts(self) -> None:
        subject = self.chosen
        if subject is not None:
            menu = self.verdict_menu(subject)
            menu.popup(self.adjudicate.mapToGlobal(QPoint(0, self.adjudicate.height())))

    def _adjudicate(self, subject: VotedSubject, verdict: str, step: int | None) -> None:
        if subject.folder is not None:
            about = Subject(subject.kind, subject.state, step, step)
            folder, title = subject.folder, _("adjudicate {verdict}", verdict=verdict_text(verdict))
            self._session.labels.act(
                folder, title, lambda reviewing: reviewing.adjudicate(folder, about, verdict)
            )

    def copy_menu(self) -> QMenu:
        """The formats in which both tables can be copied."""
        menu = PopupMenu(self)
        menu.addAction(_("Copy both tables as CSV"), self._copy_csv)
        menu.addAction(_("Copy both tables as Markdown"), self._copy_markdown)
        return menu

    @Slot()
    def _offer_copies(self) -> None:
        self.copy_menu().popup(self.copy.mapToGlobal(QPoint(0, self.copy.height())))

    def _copy_csv(self) -> None:
        self._copy(as_csv(self._rows, self._qualities, self.against.currentText()))

    def _copy_markdown(self) -> None:
        self._copy(as_markdown(self._rows, self._qualities, self.against.currentText()))

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self._services.toasts.show("ok", _("The agreement is copied"))
