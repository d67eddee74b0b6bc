"""The form for a model that plays the user of an experiment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QWidget

from collector.asking.model_user import MODEL_USER, model_settings
from collector.model.errors import UserError
from collector.model.i18n import _
from studio.widgets.controls import Label
from studio.widgets.dialogs.dialog import Dialog
from studio.widgets.option_form import entered_options, option_list, show_option

_SIZE, _AROUND = QSize(560, 560), QSize(48, 48)


class UserModelDialog(Dialog):
    """Emits ``entered`` with options that were checked, then closes."""

    entered = Signal(object)

    def __init__(self, options: Mapping[str, Any], parent: QWidget) -> None:
        """``options`` are shown to begin with."""
        sentence = _(
            "It is told the task, its replies and the questions before. Name the variable of a key, no key."
        )
        super().__init__(_("A model that plays the user"), _("Choose"), parent, sentence=sentence)
        required_first = sorted(MODEL_USER.options, key=lambda option: not option.required)
        scroll, self.fields = option_list(required_first)
        for name, value in options.items():
            if name in self.fields:
                show_option(self.fields[name], value)
        self.problem = Label("", "body", "err", wrap=True)
        self.problem.hide()
        self.body.addWidget(scroll, 1)
        self.body.addWidget(self.problem)
        self.resize(_SIZE.boundedTo(parent.size() - _AROUND))
        self.fields[required_first[0].name].setFocus()

    def accept(self) -> None:
        """Emit the options; what is wrong with them is said in place of it."""
        options, problem = entered_options(MODEL_USER, self.fields)
        if options is not None:
            try:
                model_settings(options)
            except UserError as error:
                problem = str(error)
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        if options is not None and not problem:
            self.entered.emit(options)
            super().accept()
