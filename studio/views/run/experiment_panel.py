"""The left panel of the Run workspace: what an experiment runs, how far it is, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QScrollArea, QSpinBox, QVBoxLayout, QWidget

from collector.located_yaml.diagnostics import Diagnostic, Severity
from collector.model.i18n import _
from collector.run.experiment.keys import MOST_REPEATS, MOST_STEPS
from studio.views.run.compose.compose_rows import ComposeRow
from studio.widgets.controls import Button, Label, header_row, surface
from studio.widgets.experiment.check_row import CheckRow
from studio.widgets.experiment.chip_row import ChipRow
from studio.widgets.experiment.progress_summary import ProgressSummary
from studio.widgets.experiment.section import ComposeSection
from studio.widgets.icon_button import IconButton
from studio.widgets.theme_icon import ThemeIcon

_MOST_PROBLEMS = 4
_FIELD = 104


class ExperimentPanel(QFrame):
    """Builds the parts; the presenter fills them, the controllers listen to them."""

    agent_switched = Signal(str, bool)
    condition_switched = Signal(str, bool)
    variation_switched = Signal(str, bool)
    goal_style_switched = Signal(str, bool)
    modality_switched = Signal(str, bool)
    offline_switched = Signal(str, bool)
    problem_opened = Signal(object)
    """The :class:`Diagnostic` that was clicked."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self.setProperty("edge", "right")
        self.name = Button("", "", "plain", small=True, opens=True)
        self.rename = IconButton("edit", _("Rename the experiment"), size=24)
        self.more = IconButton("more", _("More about this experiment"), size=24)
        self.reading = Label("", "body", "text-2", wrap=True)
        self.reading.setVisible(False)
        self.summary = ProgressSummary()
        self.note = Label("", "caption", "text-2", wrap=True)
        self.problems = QVBoxLayout()
        self.tasks = ComposeSection(_("Tasks"), "edit", _("Choose the tasks"))
        self.task_chips = ChipRow(_("Tasks by app"))
        self.agents = ComposeSection(_("Agents"), "plus", _("Add an agent"))
        self.conditions = ComposeSection(_("Conditions"), "plus", _("Add a condition"))
        self.variations = ComposeSection(_("Variations"), "more", _("How the ticked variations are combined"))
        self.goal_styles = ComposeSection(_("Goal styles"))
        self.modalities = ComposeSection(_("What agents see"))
        self.languages = ComposeSection(_("Languages"))
        self.language_chips = ChipRow(_("Languages"), _("Add a language"))
        self.offline = ComposeSection(_("Offline steps"))
        self.starts = ComposeSection(_("Starts"))
        self.start_chips = ChipRow(_("Starts"), _("Add a start"))
        self.user = ComposeSection(_("Who answers agents"), "more", _("Choose who answers questions"))
        self.user_text = Label("", "body", "text-2", wrap=True)
        self.judges = ComposeSection(_("Judges"))
        self.judge_chips = ChipRow(_("Judges"), _("Add a judge"))
        self.seeds = ComposeSection(_("Seeds"))
        self.seed_chips = ChipRow(_("Seeds"), _("Add a seed"))
        self.budget = _number_field(MOST_STEPS, _("of the task"), _("Step budget"))
        self.early_stop = _number_field(MOST_STEPS, _("never"), _("Early stop"))
        self.repeats = _number_field(MOST_REPEATS, "", _("Repeats"))
        self.repeats.setMinimum(1)
        self.phones = Button("", "", "plain", small=True, opens=True)
        self.phones.setToolTip(_("Choose the phones of the run"))
        self._shown: dict[ComposeSection, tuple[ComposeRow, ...]] = {}
        self._shown_problems: tuple[Diagnostic, ...] | None = None
        self._rows: dict[ComposeSection, dict[str, CheckRow]] = {}
        self._inputs: list[QWidget] = []
        self._lay_out()

    def _lay_out(self) -> None:
        self._inner, self._foot = surface("panel"), self._numbers()
        column = QVBoxLayout(self._inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.note.setContentsMargins(12, 0, 12, 8)
        self.problems.setContentsMargins(0, 0, 0, 4)
        self.problems.setSpacing(0)
        column.addWidget(self.summary)
        column.addWidget(self.note)
        column.addLayout(self.problems)
        self.tasks.rows.addWidget(self.task_chips)
        self.judges.rows.addWidget(self.judge_chips)
        self.user_text.setContentsMargins(12, 0, 12, 0)
        self.user.rows.addWidget(self.user_text)
        self.user.show_count("")
        self.starts.rows.addWidget(self.start_chips)
        self.seeds.rows.addWidget(self.seed_chips)
        self.languages.rows.addWidget(self.language_chips)
        for section in (
            self.tasks, self.offline, self.starts, self.agents, self.conditions, self.modalities,
            self.variations, self.goal_styles, self.languages, self.seeds, self.user, self.judges,
        ):  # fmt: skip
            column.addWidget(section)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(self._inner)
        self.reading.setContentsMargins(12, 12, 12, 0)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 1, 0)
        outer.setSpacing(0)
        outer.addWidget(self._head())
        outer.addWidget(self.reading)
        outer.addWidget(scroll, 1)
        outer.addWidget(self._foot)
        self._inputs = [
            self.task_chips, self.offline, self.agents, self.conditions, self.modalities, self.variations,
            self.goal_styles, self.language_chips, self.start_chips, self.seed_chips, self.judge_chips,
            self.budget, self.early_stop, self.repeats,
        ]  # fmt: skip
        self._inputs += [section.button for section in (self.tasks, self.user) if section.button is not None]

    def _head(self) -> QWidget:
        head, row = header_row("panel_header", right=6, spacing=4)
        row.addWidget(Label(_("Experiment"), "heading"))
        row.addWidget(self.name)
        row.addStretch(1)
        row.addWidget(self.rename)
        row.addWidget(self.more)
        return head

    def _numbers(self) -> QWidget:
        foot = surface("panel", "top")
        grid = QGridLayout(foot)
        grid.setContentsMargins(12, 8, 12, 8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(0, 1)
        rows = (
            (_("Step budget"), self.budget), (_("Early stop"), self.early_stop), (_("Repeats"), self.repeats),
            (_("Phones"), self.phones),
        )  # fmt: skip
        for row, (words, field) in enumerate(rows):
            grid.addWidget(Label(words, "body", "text-2", cut=True), row, 0)
            grid.addWidget(field, row, 1, Qt.AlignmentFlag.AlignRight)
        return foot

    # -- what is shown -------------------------------------------------------
    def show_reading(self, words: str) -> None:
        """Show ``words`` while nothing is known of the experiment, and not what was known of another."""
        self.reading.setText(words)
        self.reading.setVisible(bool(words))
        self._inner.setVisible(not words)
        self._foot.setVisible(not words)

    def set_editable(self, editable: bool) -> None:
        """Let the person change the experiment, or not, as while it is being run."""
        for part in self._inputs:
            if isinstance(part, QSpinBox):
                part.setReadOnly(not editable)  # a disabled one could hardly be read
            else:
                part.setEnabled(editable)

    def show_rows(self, section: ComposeSection, rows: Sequence[ComposeRow]) -> None:
        """Show the rows of a section; rows that are the same stay, and keep the keyboard."""
        if tuple(rows) == self._shown.get(section):
            self._restore_ticks(section, rows)
            return
        known = self._rows.setdefault(section, {})
        before = {row.key: row for row in self._shown.get(section, ())}
        if [row.key for row in rows] == list(known) and all(
            (row.name, row.tip) == (before[row.key].name, before[row.key].tip) for row in rows
        ):
            for row in rows:
                known[row.key].show_note(row.note)
        else:
            self._rebuild(section, rows)
        self._shown[section] = tuple(rows)
        self._restore_ticks(section, rows)

    def _restore_ticks(self, section: ComposeSection, rows: Sequence[ComposeRow]) -> None:
        for row in rows:
            self._rows[section][row.key].setChecked(row.is_on)

    def _rebuild(self, section: ComposeSection, rows: Sequence[ComposeRow]) -> None:
        focused = next((key for key, row in self._rows[section].items() if row.hasFocus()), None)
        for old in self._rows[section].values():
            old.hide()
            old.deleteLater()
        made: dict[str, CheckRow] = {}
        for row in rows:
            made[row.key] = widget = CheckRow(row.name, row.note, on=row.is_on, tip=row.tip)
            widget.clicked.connect(self._row_clicked)
            section.rows.addWidget(widget)
        self._rows[section] = made
        if focused in made:
            made[focused].setFocus()

    @Slot(bool)
    def _row_clicked(self, is_on: bool) -> None:
        row = self.sender()
        signals = (
            (self.agents, self.agent_switched),
            (self.conditions, self.condition_switched),
            (self.modalities, self.modality_switched),
            (self.variations, self.variation_switched),
            (self.goal_styles, self.goal_style_switched),
            (self.offline, self.offline_switched),
        )
        for section, signal in signals:
            for key, known in self._rows.get(section, {}).items():
                if known is row:
                    signal.emit(key, is_on)
                    return

    def row(self, section: ComposeSection, key: str) -> CheckRow:
        """The row of a key."""
        return self._rows[section][key]

    def show_problems(self, problems: Sequence[Diagnostic]) -> None:
        """Show the first diagnostics of the file, each as a button that opens it."""
        if tuple(problems) == self._shown_problems:
            return
        self._shown_problems = tuple(problems)
        while (item := self.problems.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for problem in problems[:_MOST_PROBLEMS]:
            row = _ProblemRow(problem)
            row.button.clicked.connect(partial(self.problem_opened.emit, problem))
            self.problems.addWidget(row)
        rest = len(problems) - _MOST_PROBLEMS
        if rest > 0:
            more = Label(_("and {count} more: a dry run shows all", count=rest), "caption", "text-2")
            more.setContentsMargins(34, 2, 12, 2)
            self.problems.addWidget(more)


class _ProblemRow(QWidget):
    """A diagnostic in words, with its line; the line opens the file."""

    def __init__(self, problem: Diagnostic) -> None:
        super().__init__()
        is_error = problem.severity is Severity.ERROR
        icon = ThemeIcon("state-err" if is_error else "state-warn")
        words = Label(problem.sentence, "caption", "text", wrap=True)
        self.button = Button(_("line {line}", line=problem.place.line), "", "link", small=True)
        self.button.setAccessibleName(f"{problem.sentence} ({self.button.text()})")
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 2, 8, 2)
        row.setSpacing(8)
        row.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(words, 1)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)


def _number_field(highest: int, special: str, name: str) -> QSpinBox:
    field = QSpinBox()
    field.setRange(0, highest)
    field.setSpecialValueText(special)
    field.setAlignment(Qt.AlignmentFlag.AlignRight)
    field.setProperty("small", True)
    field.setFixedWidth(_FIELD)
    field.setKeyboardTracking(False)
    field.setAccessibleName(name)
    return field
