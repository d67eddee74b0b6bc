"""Commands that a phone with a quirk refuses, with the words of the phones that do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_FAILED = 255
_SECURITY = "java.lang.SecurityException: "
_SETTINGS = "android.permission.WRITE_SECURE_SETTINGS"


@dataclass(frozen=True, slots=True)
class RefusedCommand:
    """A command with the first words of its arguments, and what the phone says instead of doing it.

    ``verbs`` are the first words of the calls that are refused; empty means every call. The message knows
    ``{package}``, the argument after the verb, and ``{pid}``, the process of the caller.
    """

    quirk: str
    command: str
    verbs: tuple[str, ...] = ()
    message: str = ""
    status: int = _FAILED
    unless: str = ""
    """A word of the arguments with which the command works all the same."""

    def message_for(self, words: Sequence[str], pid: int) -> str:
        return self.message.format(package=words[1] if len(words) > 1 else "", pid=pid)

    def concerns(self, words: Sequence[str]) -> bool:
        """Whether a call with these arguments is refused."""
        if self.unless and self.unless in words:
            return False
        said = " ".join(words) + " "
        return not self.verbs or any(said.startswith(f"{verb} ") for verb in self.verbs)


def _thrown(verb: str, exception: str) -> str:
    return f"\nException occurred while executing '{verb}':\n{_SECURITY}{exception}"


REFUSED_COMMANDS = (
    RefusedCommand(
        "settings-refused", "settings", ("put", "delete"),
        _thrown("put", f"Permission denial: writing to settings requires:{_SETTINGS}"),
    ),
    RefusedCommand(
        "grants-refused", "pm", ("grant", "revoke"),
        _thrown("grant", "grantRuntimePermission: Neither user 2000 nor current process has "
                         "android.permission.GRANT_RUNTIME_PERMISSIONS."),
    ),
    RefusedCommand(
        "clear-refused", "pm", ("clear",),
        _thrown("clear", "PID {pid} does not have permission android.permission.CLEAR_APP_USER_DATA "
                         "to clear data of package {package}"),
    ),
    RefusedCommand(
        "installs-refused", "pm", ("install", "install-commit"),
        "Failure [INSTALL_FAILED_USER_RESTRICTED: Install canceled by user]", 1,
    ),
    RefusedCommand(
        "other-users-refused", "pm", ("list packages",),
        _thrown("list", "Shell does not have permission to access user 150"), unless="--user",
    ),
    RefusedCommand(
        "app-ops-refused", "appops", ("set", "reset"),
        _thrown("set", "uid 2000 does not have android.permission.MANAGE_APP_OPS_MODES."),
    ),
    RefusedCommand(
        "keyboards-refused", "ime", (), _thrown("ime", f"uid 2000 does not have {_SETTINGS}."),
    ),
    RefusedCommand(
        "run-as-refused", "run-as", (), "run-as: Could not set capabilities: Operation not permitted", 1
    ),
    RefusedCommand("log-disabled", "logcat", (), "Unable to open log device 'main'", 1),
    RefusedCommand("no-encoder", "screenrecord", (), "Unable to find encoder for video/avc", 1, "--help"),
)  # fmt: skip
_MISSING = {
    "no-screenrecord": ("screenrecord",),
    "tools-missing": ("base64", "gzip", "md5sum", "sha256sum", "timeout", "xxd"),
}
"""Programs that a phone with a quirk lacks."""
_UNDER_OTHER_NAMES = {"package": "pm", "appops": "appops"}
"""Services that ``cmd`` runs itself, by their names, with the commands that they are."""


def refusal(quirks: frozenset[str], argv: Sequence[str]) -> RefusedCommand | None:
    """Why a phone with these quirks does not run a command; None when it does."""
    if not quirks:
        return None
    name, words = argv[0].rpartition("/")[2], list(argv[1:])
    if name == "cmd" and words and words[0] in _UNDER_OTHER_NAMES:
        name, words = _UNDER_OTHER_NAMES[words[0]], words[1:]
    for refused in REFUSED_COMMANDS:
        if refused.quirk in quirks and refused.command == name and refused.concerns(words):
            return refused
    return None


def missing_programs(quirks: frozenset[str]) -> frozenset[str]:
    """The programs that a phone with these quirks lacks."""
    return frozenset(name for quirk in quirks for name in _MISSING.get(quirk, ()))
