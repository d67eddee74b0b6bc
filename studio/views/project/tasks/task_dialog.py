"""The dialog that creates or edits a task: instruction and app, and the other fields folded under them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from collector.asking.task_replies import problem_of_replies
from collector.device.apps.installed_app import InstalledApp
from collector.model.errors import UserError
from collector.model.essential_state import EssentialState
from collector.model.expected_answer import (
    ANY_OF,
    EXACT,
    MATCHING_RULES,
    ExpectedAnswer,
    problem_of_answer,
)
from collector.model.i18n import _
from collector.model.phone.android_names import is_package
from collector.model.seeds import DEFAULT_SEED
from collector.model.task import (
    LEVELS,
    RESET_APP,
    TASK_TYPES,
    Task,
    read_rewordings,
    rewording_lines,
)
from collector.model.task_parameter import Parameter, read_parameter_lines
from collector.model.user_reply import TaskReply, read_reply_lines
from collector.store.files.names import folder_name
from collector.store.tasks.state_file import StateChange
from collector.store.tasks.task_ids import new_task_id
from collector.store.tasks.task_values import bound_by_seed
from rule_editor.widgets.field_names import name_field
from studio.views.project.state_list_editor import StateListEditor
from studio.views.project.tasks.target_field import TargetField
from studio.views.project.tasks.task_fields import (
    category_field,
    choice_field,
    number_field,
    reset_field,
    text_field,
)
from studio.views.project.tasks.task_rules import TaskRuleFields
from studio.views.project.tasks.text_tabs import TextTabs
from studio.widgets.app_field import AppField
from studio.widgets.controls import Button, Label, Switch
from studio.widgets.dialogs.dialog import Dialog, show_problem

_TABS_HEIGHT = 18
"""By how much tabs are higher than the name of a field."""
_NOTE_HEIGHT = 48


class TaskDialog(Dialog):
    """``taken`` are the ids of the other tasks. A problem in a folded field unfolds it."""

    edited = Signal(object)
    """The Task as it is to be saved."""
    record_asked = Signal()
    """The new task is to be recorded at once; ``edited`` came before."""

    def __init__(
        self,
        task: Task,
        taken: Collection[str],
        parent: QWidget,
        *,
        new: bool,
        states: Mapping[str, EssentialState] | None = None,
        apps: Iterable[InstalledApp] = (),
    ) -> None:
        """``states`` are the essential states of the project by id, ``apps`` those of its tasks."""
        super().__init__(
            _("New task") if new else _("Edit task"),
            _("Add task") if new else _("Save"),
            parent,
            width=680,
        )
        self._task, self._taken = task, {folder_name(task_id).casefold() for task_id in taken}
        self._followed = "" if new else None
        """The id that was made of the instruction; while the field has it, it follows."""
        self.id = QLineEdit(task.id)
        self.instruction = text_field(task.instruction, 48)
        self.app = AppField(apps, task.app)
        self.package = QLineEdit(task.package)
        self.app_category = QLineEdit(task.app_category)
        self.level = choice_field(LEVELS, task.level)
        self.type = choice_field(TASK_TYPES, task.type)
        self.category = category_field(task.category)
        self.language = QLineEdit(task.language)
        answer = task.expected_answer
        self.answer = QLineEdit(answer.summary if answer is not None else "")
        rule = answer.rule if answer is not None else EXACT
        self.answer_rule = choice_field(MATCHING_RULES, rule, optional=False)
        self.human = Switch(_("A person judges it"), on=task.human_validation)
        self.rules = TaskRuleFields(task)
        self.states = StateListEditor(task.essential_states, states or {})
        self.states.set_task(task.id)
        self._make_texts()
        self.max_steps = number_field(task.max_steps, 0, 999, _("no limit"))
        self.golden = number_field(task.golden_wanted, 0, 99, "")
        self.reset = reset_field(task.reset)
        self._own_package = ""
        """The package that somebody typed; no choice of an app replaces it."""
        self._problems: dict[QWidget, Label] = {}
        self.more = Button(_("More fields"), "chevr", small=True)
        self._folded = QWidget()
        self._folded_column = QVBoxLayout(self._folded)
        self._folded_column.setContentsMargins(0, 0, 0, 0)
        self._folded_column.setSpacing(8)
        self._folded.hide()
        self._lay_out()
        self.body.addStretch()
        self._connect()
        if new:
            self._add_record_button()
        else:
            self._unfold()
        self.instruction.setFocus()

    def _make_texts(self) -> None:
        """The texts under tabs, as high as the states beside them."""
        task, height = self._task, self.states.sizeHint().height() - _TABS_HEIGHT
        self.note = text_field(task.note, _NOTE_HEIGHT)
        self.target = TargetField(task, height)
        self.rewordings = text_field("\n".join(rewording_lines(task)), height)
        self.replies = text_field(self._replies_before(), height)
        self.parameters = text_field(self._parameters_before(), height)
        titles = (_("Target"), _("Rewordings"), _("Replies"), _("Parameters"))
        fields = (self.target, self.rewordings, self.replies, self.parameters)
        self.texts = TextTabs(dict(zip(titles, fields, strict=True)))

    def _lay_out(self) -> None:
        body, folded = self.body, self._folded_column
        self._grid(body, ((_("Instruction"), self.instruction, ""),), (1,))
        self._grid(body, ((_("App"), self.app, ""),), (1,))
        editor = self.app.lineEdit()
        assert editor is not None
        editor.setPlaceholderText(_("Choose an app of the phone, or type its name"))
        body.addWidget(self.more)
        body.addWidget(self._folded)
        self._grid(
            folded,
            (
                (_("Task"), self.id, "shop-14"),
                (_("Level"), self.level, ""),
                (_("Type"), self.type, ""),
                (_("Language"), self.language, "en"),
            ),
            (4, 2, 2, 1),
        )
        self._grid(
            folded,
            (
                (_("Package"), self.package, "com.example.shop"),
                (_("App category"), self.app_category, _("Shopping")),
                (_("Category"), self.category, ""),
            ),
            (3, 2, 3),
        )
        self._lay_out_judging()

    def _lay_out_judging(self) -> None:
        """The fields that say when the task is done, and how it is worded."""
        folded = self._folded_column
        self._grid(
            folded,
            (
                (_("Expected answer"), self.answer, _("for tasks that ask for information")),
                (_("Compared by"), self.answer_rule, ""),
                (_("A person judges it"), self.human, ""),
            ),
            (4, 2, 1),
        )
        self._grid(
            folded,
            (
                (_("Success rule"), self.rules.success, ""),
                (_("Injection rules"), self.rules.injections, ""),
                (_("Must never"), self.rules.forbidden, ""),
                (_("Note"), self.note, ""),
            ),
            (2, 3, 3, 3),
        )
        self.rewordings.setPlaceholderText(_("casual: Get me a poster"))
        self.rewordings.setToolTip(_("Rewordings, one a line: its style, a colon and the text"))
        self.parameters.setPlaceholderText(_("title: Milk | Bread"))
        self.parameters.setToolTip(
            _("Names in braces in the texts, one a line, and what each is drawn from: Milk | Bread, 2 words, "
              "1 to 9, 2026-12-01 to 2026-12-24 as %e %B, or phone contacts.contacts.name")
        )  # fmt: skip
        self.replies.setPlaceholderText(_("! which day -> On Friday"))
        self.replies.setToolTip(
            _("What the user answers when an agent asks, one a line: a pattern of the question, an arrow and "
              "the answer; ! before a question that has to be asked")
        )  # fmt: skip
        beside, states = QHBoxLayout(), QVBoxLayout()
        beside.setSpacing(12)
        self._grid(states, ((_("Essential states, in order"), self.states, ""),), (1,))
        states.addStretch()
        beside.addLayout(states, 5)
        beside.addWidget(self.texts, 8, Qt.AlignmentFlag.AlignTop)
        folded.addLayout(beside)
        self._grid(
            folded,
            (
                (_("Step limit"), self.max_steps, ""),
                (_("Golden trajectories wanted"), self.golden, ""),
                (_("Reset before a recording"), self.reset, ""),
            ),
            (1, 1, 2),
        )

    def _connect(self) -> None:
        for field in (
            self.instruction,
            self.note,
            self.rewordings,
            self.replies,
            self.parameters,
            self.target,
        ):
            field.installEventFilter(self)
            field.textChanged.connect(self._changed)
        for line in (self.id, self.package, self.answer):
            line.textChanged.connect(self._changed)
        self.answer_rule.activated.connect(self._changed)
        self.id.textChanged.connect(self.states.set_task)
        self.app.edited.connect(self._app_edited)
        self.package.textEdited.connect(self._package_edited)
        self.instruction.textChanged.connect(self._instruction_changed)
        self.more.clicked.connect(self._unfold)

    def _add_record_button(self) -> None:
        self.record = QPushButton(_("Add and record"))
        self.record.setAutoDefault(False)
        self.record.clicked.connect(self._add_and_record)
        self.add_before_yes(self.record)

    @Slot()
    def _unfold(self) -> None:
        """Show all fields; they stay. The dialog grows around its middle, within the window."""
        self.more.hide()
        self._folded.show()
        self.grow()

    @Slot()
    def _app_edited(self) -> None:
        """Let the package follow the app, unless somebody typed one."""
        if self._own_package:
            return
        app = self.app.app
        if app is not None:
            self.package.setText(app.package)
        elif self.app.text != self._task.app:
            self.package.clear()
        else:
            self.package.setText(self._task.package)

    @Slot(str)
    def _package_edited(self, text: str) -> None:
        self._own_package = text

    @Slot()
    def _instruction_changed(self) -> None:
        """Let the id of a new task follow the instruction, unless somebody typed one."""
        if self._followed is not None and self.id.text() in ("", self._followed):
            text = self._instruction
            self._followed = new_task_id(text, self._taken) if text else ""
            self.id.setText(self._followed)

    def _grid(
        self, column_of: QVBoxLayout, fields: tuple[tuple[str, QWidget, str], ...], stretch: tuple[int, ...]
    ) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        for column, (title, field, hint) in enumerate(fields):
            name_field(field, title)
            if isinstance(field, QLineEdit):
                field.setPlaceholderText(hint)
            problem = Label("", "caption", "err", wrap=True)
            problem.hide()
            self._problems[field] = problem
            required = field in (self.id, self.instruction)
            caption = _("{field} (required)", field=title) if required else title
            grid.addWidget(Label(caption, "caption", "text-2"), 0, column)
            grid.addWidget(field, 1, column, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(problem, 2, column)
            grid.setColumnStretch(column, stretch[column])
        column_of.addLayout(grid)

    @property
    def original(self) -> Task:
        """The task as it was when the dialog opened."""
        return self._task

    @property
    def task(self) -> Task:
        """The task with the values of the fields."""
        return replace(
            self.target.with_target(self._task),
            id=self.id.text().strip(),
            instruction=self._instruction,
            app=self._app_name,
            package=self.package.text().strip(),
            level=str(self.level.currentData() or ""),
            category=self._category,
            type=str(self.type.currentData() or ""),
            language=self.language.text().strip(),
            app_category=self.app_category.text().strip(),
            expected_answer=self._expected_answer(),
            human_validation=self.human.isChecked(),
            rule_key=self.rules.rule_key,
            target_rule_ids=self.rules.injections.ids,
            forbidden=self.rules.forbidden.ids,
            essential_states=self.states.ids,
            note=self.note.toPlainText().strip(),
            rewordings=self._read_rewordings()[0],
            replies=self._read_replies()[0],
            parameters=self._read_parameters()[0],
            max_steps=self.max_steps.value(),
            golden_wanted=self.golden.value(),
            reset=str(self.reset.currentData() or ""),
        )

    @property
    def _instruction(self) -> str:
        return " ".join(self.instruction.toPlainText().split())

    @property
    def _category(self) -> str:
        """The category that was chosen, or the word that was typed."""
        text = self.category.currentText().strip()
        place = self.category.findText(text)
        return str(self.category.itemData(place)) if place >= 0 else text

    @property
    def _app_name(self) -> str:
        """The label of an app that was picked; otherwise the text of the field."""
        app = self.app.app
        if app is None or self.app.text == self._task.app:
            return self.app.text
        return app.label or self.app.text

    @property
    def state_changes(self) -> tuple[StateChange, ...]:
        """The essential states that are created or whose sentences change with the task."""
        return self.states.changes

    def _read_rewordings(self) -> tuple[dict[str, tuple[str, ...]], str]:
        """The rewordings, and a sentence when one of their lines cannot be read."""
        try:
            return read_rewordings(self.rewordings.toPlainText().splitlines()), ""
        except ValueError as error:
            return dict[str, tuple[str, ...]](), str(error)

    def _parameters_before(self) -> str:
        return "\n".join(parameter.line for parameter in self._task.parameters)

    def _read_parameters(self) -> tuple[tuple[Parameter, ...], str]:
        """The parameters, and a sentence when one of their lines cannot be read."""
        text = self.parameters.toPlainText()
        if text == self._parameters_before():
            return self._task.parameters, ""
        try:
            return read_parameter_lines(text.splitlines()), ""
        except ValueError as error:
            return (), str(error)

    def _replies_before(self) -> str:
        return "\n".join(reply.line for reply in self._task.replies)

    def _read_replies(self) -> tuple[tuple[TaskReply, ...], str]:
        """The replies, and a sentence when one of their lines cannot be read or used."""
        text = self.replies.toPlainText()
        if text == self._replies_before():  # an answer of several lines stays as it is
            return self._task.replies, ""
        try:
            replies = read_reply_lines(text.splitlines())
        except ValueError as error:
            return (), str(error)
        return replies, problem_of_replies(replies)

    def _expected_answer(self) -> ExpectedAnswer | None:
        text, rule = self.answer.text().strip(), str(self.answer_rule.currentData())
        before = self._task.expected_answer
        if before is not None and (before.summary, before.rule) == (text, rule):
            return before
        if not text:
            return None
        texts = tuple(part.strip() for part in text.split("|") if part.strip()) if rule == ANY_OF else (text,)
        return ExpectedAnswer(texts, rule, before.extra if before is not None else {})

    @staticmethod
    def _with_sample_values(task: Task) -> Task:
        """The task with values of its parameters, as its expected answer is compared."""
        try:
            return bound_by_seed(task, DEFAULT_SEED)
        except UserError:
            return task

    def problems(self) -> dict[QWidget, str]:
        """Return a sentence for each field whose value cannot be saved."""
        task = self.task
        problems: dict[QWidget, str] = {}
        if not task.id and (task.instruction or self._followed is None):
            problems[self.id] = _("A task needs an id; it names the folder of its trajectories")
        elif folder_name(task.id).casefold() in self._taken:
            problems[self.id] = _("Another task has the id {id}", id=task.id)
        if not task.instruction:
            problems[self.instruction] = _("Say what is to be done, in one sentence")
        if task.reset == RESET_APP and not task.package:
            problems[self.package] = _("Name the app whose data is to be reset")
        answer = self._with_sample_values(task).expected_answer
        if answer is not None and (problem := problem_of_answer(answer)):
            problems[self.answer] = _("No answer can match: {problem}", problem=problem)
        if problem := self._read_rewordings()[1]:
            problems[self.rewordings] = problem
        if problem := self._read_replies()[1]:
            problems[self.replies] = problem
        if problem := self._read_parameters()[1]:
            problems[self.parameters] = problem
        if problem := self.target.problem():
            problems[self.target] = problem
        if task.package and not is_package(task.package):
            problems[self.package] = _("A package is written as com.example.shop")
        return problems

    @Slot()
    def _changed(self) -> None:
        field = self.sender()
        if isinstance(field, QWidget) and field in self._problems:
            show_problem(self._problems[field], field, "")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        # Tab moves to the next field: texts of a task have no tabs.
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Tab:
                return bool(self.focusNextPrevChild(True))
            control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
            if control and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.accept()
                return True
        return super().eventFilter(watched, event)

    @Slot()
    def accept(self) -> None:
        """Emit the task, or show what is wrong and focus the first wrong field."""
        problems = self.problems()
        for field, label in self._problems.items():
            show_problem(label, field, problems.get(field, ""))
        self.texts.show_problems(problems)
        if problems:
            field = next(iter(problems))
            if any(self._folded.isAncestorOf(wrong) for wrong in problems):
                self._unfold()
            field.setFocus()
            return
        self.edited.emit(self.task)
        super().accept()

    @Slot()
    def _add_and_record(self) -> None:
        self.accept()
        if self.result():
            self.record_asked.emit()
