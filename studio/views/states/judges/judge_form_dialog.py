"""The form that writes the file of a judge: a new one that begins with another, or one that is there."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtWidgets import QLineEdit, QWidget

from collector.model.i18n import _
from collector.store.project.project import Project
from studio.bridge.judges.judge_library import JudgeLibrary
from studio.widgets.controls import Label
from studio.widgets.dialogs.dialog import Dialog, show_problem
from studio.widgets.option_form import entered_options, option_list, show_option

if TYPE_CHECKING:
    from collector.model_judges.listed_judges import ListedJudge

_SIZE, _AROUND = QSize(640, 640), QSize(48, 48)


class JudgeFormDialog(Dialog):
    """Writes the file when it is accepted, emits ``saved`` with the name, then closes."""

    saved = Signal(str)

    def __init__(
        self, parent: QWidget, library: JudgeLibrary, project: Project, judge: ListedJudge,
        taken: Collection[str], name: str = "",
    ) -> None:  # fmt: skip
        """``judge`` is what the fields begin with; ``name`` is that of a new one; ``taken`` are refused."""
        assert judge.kind is not None
        is_new = bool(name)
        title = (
            _("New judge from {name}", name=judge.name)
            if is_new
            else _("Edit the judge {name}", name=judge.name)
        )
        super().__init__(title, _("Save"), parent, sentence=_(judge.kind.description or judge.kind.title))
        self._library, self._project, self._judge, self._kind = library, project, judge, judge.kind
        self._taken, self._is_new, self._is_saving = frozenset(taken), is_new, False
        self.name = QLineEdit(name or judge.name)
        self.name.setReadOnly(not is_new)
        self._name_problem = self.add_field(_("Name"), self.name)
        self.description = QLineEdit("" if judge.is_method else judge.description)
        self.description.setCursorPosition(0)
        self.add_field(_("Description"), self.description)
        options = sorted(self._kind.options, key=lambda option: not option.required)
        scroll, self.fields = option_list(options)
        scroll.setMinimumHeight(160)
        for option, value in judge.options.items():
            if option in self.fields:
                show_option(self.fields[option], value)
        self.body.addWidget(scroll, 1)
        self.problem = Label("", "caption", "err", wrap=True)
        self.problem.hide()
        self.body.addWidget(self.problem)
        self.resize(_SIZE.boundedTo(parent.size() - _AROUND))
        (self.name if is_new else self.description).setFocus()

    def _entered(self) -> ListedJudge | None:
        """What was entered; None when it cannot be used, which is said then."""
        name = self.name.text().strip()
        wrong = _("Give it a name") if not name else ""
        if self._is_new and name in self._taken:
            wrong = _("There is a judge {name} already", name=name)
        show_problem(self._name_problem, self.name, wrong)
        options, problem = entered_options(self._kind, self.fields)
        self._say(problem)
        if wrong or options is None:
            return None
        description = self.description.text().strip()
        return replace(self._judge, name=name, description=description, options=options, is_method=False)

    def _say(self, problem: str) -> None:
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))

    @Slot()
    def accept(self) -> None:
        """Write the file, once its options were checked with the files of the project."""
        judge = self._entered()
        if judge is None or self._is_saving:
            return
        self._set_saving(True)
        self._library.write(
            self._project, judge, replace=not self._is_new, success=self._written, failure=self._refused
        )

    @Slot(object)
    def _written(self, name: str) -> None:
        self.saved.emit(name)
        super().accept()

    @Slot(object)
    def _refused(self, error: Exception) -> None:
        self._set_saving(False)
        self._say(str(error))

    def _set_saving(self, saving: bool) -> None:
        self._is_saving = saving
        self.yes.setEnabled(not saving)
