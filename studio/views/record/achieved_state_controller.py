"""The command that marks the current step as reaching an essential state."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, QPoint, Slot
from PySide6.QtGui import QAction

from collector.model.essential_state import labels
from collector.model.i18n import _
from collector.store.trajectory.achieved_states import state_names
from rule_editor.widgets.menu_text import menu_text
from rule_editor.widgets.popup_menu import PopupMenu
from studio.bridge.project_library import ProjectLibrary
from studio.commands.commander import Commander
from studio.views.record.achieved_states import AchievedStates
from studio.views.record.session import RecordSession
from studio.widgets.window_frame.toasts import Toasts
from studio.widgets.window_frame.toolbar import Toolbar

_COMMAND = "record.mark-state"


class AchievedStateController(QObject):
    """Handles ``record.mark-state``: toggles a named state, or offers the states of the task in a menu."""

    def __init__(
        self,
        session: RecordSession,
        states: AchievedStates,
        project_library: ProjectLibrary,
        commander: Commander,
        toolbar: Toolbar,
        toasts: Toasts,
    ) -> None:
        super().__init__(toolbar)
        self._commander, self._toasts = commander, toasts
        self._project_library = project_library
        self._session, self._states, self._toolbar = session, states, toolbar
        commander.handle(_COMMAND, self.mark_state)

    def mark_state(self, state: str = "") -> None:
        """Mark the current step as reaching ``state``, or the state that the person picks from a menu.

        ``state`` is an id, or the sentence of a state.
        """
        task = self._session.task
        if task is None or not task.essential_states:
            self._toasts.show(
                "warn",
                _("This task names no essential states"),
                _("Write them in the task's form, or propose them in States"),
                action=_("Edit task..."),
                act=partial(self._commander.run, "record.edit-task"),
            )
        elif state:
            ids = state_names(task, self._project_library.edits.states)
            self._states.toggle(self._session.current, ids.get(state, state))
        else:
            self._open_menu(task.essential_states)

    def _open_menu(self, states: Sequence[str]) -> None:
        sentences = labels(states, self._project_library.edits.states)
        menu = PopupMenu(self._toolbar)
        reached = {mark.state: mark.step for mark in self._states.reached}
        for name, sentence in zip(states, sentences, strict=True):
            action = menu.addAction(menu_text(sentence))
            action.setToolTip(name)
            action.setData(name)
            action.setCheckable(True)
            action.setChecked(reached.get(name) == self._session.current)
            if name not in reached and menu.activeAction() is None:
                menu.setActiveAction(action)
        menu.triggered.connect(self._state_picked)
        button = self._toolbar.buttons[_COMMAND]
        menu.popup(button.mapToGlobal(QPoint(0, button.height())))

    @Slot(QAction)
    def _state_picked(self, action: QAction) -> None:
        self._states.toggle(self._session.current, action.data())
