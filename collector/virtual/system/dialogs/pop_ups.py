"""Pop-ups of a variation: an app opens them over itself until the person closes them."""

from __future__ import annotations

from typing import Any

from collector.virtual.system.activity_manager import ActivityManager
from collector.virtual.system.dialogs.prompts import Prompts
from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.system.windows.prompt import Prompt
from collector.virtual.ui.app import App

_STAY, _HOME, _OPEN = "stay", "home", "open:"


class PopUps:
    """Ask and answer pop-ups. The phone's lock protects it."""

    def __init__(self, state: SystemState, manager: ActivityManager, prompts: Prompts) -> None:
        self._state, self._manager, self._prompts = state, manager, prompts
        prompts.answers["pop_up"] = self._answer
        manager.launched = self._open

    def _open(self, app: App[Any]) -> None:
        """Open the pop-ups of an app that were not closed yet; the first of them is shown."""
        if app.system:
            return
        for pop_up in self._state.profile.variation.pop_ups_of(app.name):
            if (app.package, pop_up.id) not in self._state.closed_pop_ups:
                self._prompts.ask(Prompt("pop_up", app.package, pop_up.id, cancelable=pop_up.cancelable))

    def _answer(self, prompt: Prompt, answer: str) -> None:
        pop_up = self._state.pop_up(prompt.package, prompt.detail)
        if pop_up is None:
            return
        does = pop_up.buttons[int(answer)].does if answer.isdecimal() else "close"
        self._state.write_log("I", "PopUp", f"{prompt.package} {pop_up.id}: button {answer} does {does}")
        if does == _STAY:
            self._prompts.ask(prompt)
            return
        self._state.closed_pop_ups.add((prompt.package, pop_up.id))
        if does == _HOME:
            self._manager.home()
        elif does.startswith(_OPEN):
            name = does.removeprefix(_OPEN)
            package = next((app.package for app in self._state.apps.values() if app.name == name), "")
            self._manager.launch(package)
