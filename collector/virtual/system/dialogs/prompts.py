"""Dialogs of the system: the open questions and who receives the answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from collector.virtual.system.activity_manager import ActivityManager
from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.system.windows.prompt import Kind, Prompt
from collector.virtual.ui.events import Event

_ERRORS: tuple[Kind, ...] = ("crash", "anr")


class Prompts:
    """Open questions and their answer handlers. The phone's lock protects it."""

    def __init__(self, state: SystemState, manager: ActivityManager) -> None:
        self._state = state
        self._count = 0
        self.answers: dict[str, Callable[[Prompt, str], None]] = {"suspended": lambda _prompt, _answer: None}
        """The handler of the answer, by kind of prompt."""
        manager.system["prompt"] = self._event
        manager.prompts = self

    def ask(self, prompt: Prompt) -> None:
        """Show a prompt; an identical open one is not shown twice."""
        same = (prompt.kind, prompt.package, prompt.detail)
        if any((prompt.kind, prompt.package, prompt.detail) == same for prompt in self._state.prompts):
            return
        self._count += 1
        self._state.prompts = (*self._state.prompts, replace(prompt, number=self._count))
        self._state.touch()

    def withdraw(self, kind: Kind, package: str = "", detail: str = "") -> None:
        """Close prompts of a kind without an answer: all, or only those with this package or detail."""
        self._state.prompts = tuple(
            prompt
            for prompt in self._state.prompts
            if prompt.kind != kind or package not in ("", prompt.package) or detail not in ("", prompt.detail)
        )
        self._state.touch()

    def close_errors(self) -> None:
        """Close the error dialogs of apps, as ``CLOSE_SYSTEM_DIALOGS`` does."""
        for kind in _ERRORS:
            self.withdraw(kind)

    def cancel(self, prompt: Prompt) -> None:
        """Cancel a prompt: BACK or a tap outside."""
        if prompt.cancelable:
            self._answer(prompt, "cancel")

    def _event(self, event: Event) -> None:
        prompt = next((prompt for prompt in self._state.prompts if prompt.number == event.key), None)
        if prompt is not None:
            self._answer(prompt, str(event.value))

    def _answer(self, prompt: Prompt, answer: str) -> None:
        self._state.prompts = tuple(
            open_prompt for open_prompt in self._state.prompts if open_prompt is not prompt
        )
        self._state.touch()
        self.answers[prompt.kind](prompt, answer)
