"""Who answers the agents of an experiment that ask: replies of the task, a person, or a model."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Slot

from collector.asking.user_choice import END, GO_ON, UserChoice
from collector.model.i18n import _, join_sentences
from collector.model.user_reply import BY_MODEL, BY_PERSON, BY_TASK
from collector.run.experiment import edits
from rule_editor.widgets.popup_menu import PopupMenu
from studio.views.conditions.popup_menus import add_heading, open_below
from studio.views.run.experiment_panel import ExperimentPanel
from studio.views.run.session import RunSession
from studio.widgets.dialogs.input_dialogs import ask_number

_WITHIN_S = range(5, 3601)


class UserController(QObject):
    """Shows and edits the key ``user``. Every edit is one named step of the history."""

    def __init__(self, session: RunSession, panel: ExperimentPanel, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._panel = session, panel
        assert panel.user.button is not None
        panel.user.button.clicked.connect(self._offer)
        session.experiment_chosen.connect(self._show)
        session.experiment_changed.connect(self._show)

    @property
    def _choice(self) -> UserChoice:
        experiment = self._session.experiment
        return experiment.user if experiment is not None else UserChoice()

    @Slot()
    def _show(self) -> None:
        self._panel.user_text.setText(user_text(self._choice))

    # -- choosing ----------------------------------------------------------------
    @Slot()
    def _offer(self) -> None:
        button, choice = self._panel.user.button, self._choice
        if button is None or self._session.experiment is None or self._session.is_active:
            return
        menu = PopupMenu(button)
        for who, words, choose in (
            (BY_TASK, _("The replies of the task"), self._take_replies),
            (BY_PERSON, _("A person, in this window or on the command line"), self._take_person),
            (BY_MODEL, _("A model that plays the user..."), self._ask_model),
        ):
            action = menu.addAction(words)
            action.setCheckable(True)
            action.setChecked(choice.who == who)
            action.triggered.connect(choose)
        if choice.who == BY_PERSON:
            menu.addAction(_("How long the person may take...")).triggered.connect(self._ask_time)
        add_heading(menu, _("When nobody answers"))
        for unanswered, words in (
            (GO_ON, _("The agent is told so, and goes on")), (END, _("The episode ends")),
        ):  # fmt: skip
            action = menu.addAction(words)
            action.setCheckable(True)
            action.setChecked(choice.unanswered == unanswered)
            action.triggered.connect(partial(self._take_unanswered, unanswered))
        open_below(menu, button)

    def _take_replies(self) -> None:
        self._set(UserChoice(unanswered=self._choice.unanswered))

    def _take_person(self) -> None:
        choice = self._choice
        self._set(UserChoice(BY_PERSON, choice.within_s, choice.unanswered))

    def _take_unanswered(self, unanswered: str) -> None:
        choice = self._choice
        self._set(UserChoice(choice.who, choice.within_s, unanswered, choice.options))

    def _ask_time(self) -> None:
        ask_number(
            self._panel.window(), _("Who answers agents"), _("Seconds that the person may take"), _WITHIN_S,
            self._choice.within_s, self._take_time,
        )  # fmt: skip

    def _take_time(self, seconds: int) -> None:
        self._set(UserChoice(BY_PERSON, seconds, self._choice.unanswered))

    def _ask_model(self) -> None:
        from studio.views.run.compose.user_model_dialog import (
            UserModelDialog,  # loads the client of endpoints
        )

        dialog = UserModelDialog(self._choice.options, self._panel.window())
        dialog.entered.connect(self._take_model)
        dialog.open()

    @Slot(object)
    def _take_model(self, options: Mapping[str, Any]) -> None:
        self._set(UserChoice(BY_MODEL, unanswered=self._choice.unanswered, options=options))

    def _set(self, choice: UserChoice) -> None:
        value = choice.as_written
        self._session.edit(_("choose who answers"), lambda text: edits.set_value(text, "user", value))


def user_text(choice: UserChoice) -> str:
    """Who answers, and what happens when nobody does, in words."""
    who = {
        BY_TASK: _("The replies of the task"),
        BY_PERSON: _("A person, within {seconds} s", seconds=choice.within_s),
        BY_MODEL: _("The model {name}", name=choice.options.get("model", "")),
    }[choice.who]
    return who if choice.unanswered == GO_ON else join_sentences(who, _("Without an answer the episode ends"))
