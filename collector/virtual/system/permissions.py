"""Runtime permissions with Android's dialog for them, and app-ops."""

from __future__ import annotations

from collector.virtual.android_versions import ANDROID_6, ANDROID_13
from collector.virtual.system.activity_manager import ActivityManager
from collector.virtual.system.dialogs.prompts import Prompts
from collector.virtual.system.notices import POST_NOTIFICATIONS
from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.system.windows.prompt import Prompt
from collector.virtual.ui.effects import RequestPermission
from collector.virtual.ui.events import Event

USER_SET, USER_FIXED = "USER_SET", "USER_FIXED"
FLAGS = {"user-set": USER_SET, "user-fixed": USER_FIXED, "review-required": "REVIEW_REQUIRED"}
"""Flag names as ``pm`` accepts them and as ``dumpsys package`` prints them."""
MODES = ("allow", "ignore", "deny", "default", "foreground")


class Permissions:
    """Every method may be called from any thread."""

    def __init__(self, state: SystemState, manager: ActivityManager, prompts: Prompts) -> None:
        self._state = state
        self._manager = manager
        self._prompts = prompts
        self._flags: dict[tuple[str, str], frozenset[str]] = {}
        self._waiting: dict[tuple[str, str], Event | None] = {}
        prompts.answers["permission"] = self._answered
        manager.ended.append(lambda package: prompts.withdraw("permission", package))
        manager.request_permission = self._request

    def grant(self, package: str, permission: str, granted: bool) -> None:
        """Grant or revoke; revoking stops the app, as on Android."""
        with self._state.lock:
            if granted:
                self._state.revoked.discard((package, permission))
            elif (package, permission) not in self._state.revoked:
                self._state.revoked.add((package, permission))
                self._manager.force_stop(package)

    def flags(self, package: str, permission: str) -> frozenset[str]:
        """``USER_SET`` after the person answered, ``USER_FIXED`` after a final answer."""
        with self._state.lock:
            return self._flags.get((package, permission), frozenset())

    def set_flags(self, package: str, permission: str, flags: frozenset[str], on: bool) -> None:
        with self._state.lock:
            before = self._flags.get((package, permission), frozenset())
            self._flags[package, permission] = before | flags if on else before - flags

    def forget(self, package: str) -> None:
        """Reset to the state of a newly installed package."""
        with self._state.lock:
            others = {permission for permission in self._state.revoked if permission[0] != package}
            app = self._state.apps.get(package)
            self._state.revoked = others | (
                self._state.profile.not_granted(app) if app is not None else set()
            )
            self._flags = {key: flags for key, flags in self._flags.items() if key[0] != package}

    # ---- the dialog ----------------------------------------------------------------------------

    def _request(self, package: str, effect: RequestPermission) -> None:
        key = (package, effect.permission)
        since = ANDROID_13 if effect.permission == POST_NOTIFICATIONS else ANDROID_6
        granted = key not in self._state.revoked or self._state.profile.sdk < since
        flags = self._flags.get(key, frozenset())
        if granted or USER_FIXED in flags:
            self._send_answer(package, effect.answer, granted)
            return
        self._waiting[key] = effect.answer
        asked_before = USER_SET in flags
        self._prompts.ask(Prompt("permission", package, effect.permission, asked_before, cancelable=True))

    def _answered(self, prompt: Prompt, answer: str) -> None:
        key = (prompt.package, prompt.detail)
        event, granted = self._waiting.pop(key, None), answer in ("allow", "once")
        if granted:
            self._state.revoked.discard(key)
            self._flags[key] = frozenset() if answer == "once" else frozenset({USER_SET})
        elif answer == "deny":
            self._flags[key] = frozenset({USER_SET, USER_FIXED} if prompt.repeated else {USER_SET})
        self._send_answer(prompt.package, event, granted)

    def _send_answer(self, package: str, event: Event | None, granted: bool) -> None:
        app = self._state.apps.get(package)
        if event is not None and app is not None:
            self._manager.send_to(app, event.with_value(granted))

    # ---- app-ops -------------------------------------------------------------------------------

    def set_op(self, package: str, operation: str, mode: str) -> None:
        """Set the mode of an operation to one of :data:`MODES`."""
        with self._state.lock:
            self._state.ops[package, operation] = mode

    def ops(self, package: str) -> dict[str, str]:
        """Operations of a package whose mode was set."""
        with self._state.lock:
            return {name: mode for (owner, name), mode in self._state.ops.items() if owner == package}

    def reset_ops(self, package: str = "") -> None:
        """Reset the operations of one package, or of all."""
        with self._state.lock:
            self._state.ops = {
                key: mode for key, mode in self._state.ops.items() if package not in ("", key[0])
            }
