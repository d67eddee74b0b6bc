"""Recognize shell commands that wipe, restart or uninstall something."""

from __future__ import annotations

import re

from collector.model.i18n import N_, _

_WRAPPERS = (
    r"su(?:\s+(?:root|shell|0))?(?:\s+-c)?", r"sh\s+-c", "exec", "nohup", "busybox", "toybox", "env", "time",
    "command", "eval", "setsid", r"timeout\s+[\w.]{1,20}", r"xargs(?:\s+-\w{1,20}){0,4}",
    "then", "do", "else", "!", r"\w{1,80}=[\w./:-]{0,200}",
)  # fmt: skip
"""Words before a command that still run it."""
_AT = rf"(?:^|[;&|(){{}}`'\"\n])\s*(?:(?:{'|'.join(_WRAPPERS)})\s+['\"]?\s*){{0,4}}(?:/[\w/]*/)?"
"""Where a command begins: after a separator or quote, behind wrappers, with or without its folder."""

_TABLE = (
    (r"(?:recovery\s+[^;&|\n]{0,400}--wipe|cmd\s+testharness\s+enable|wipe\b)", N_("wipes the device")),
    (r"am\s+broadcast\b[^;&|\n]{0,400}\b(?:MASTER_CLEAR|FACTORY_RESET)", N_("wipes the device")),
    (r"sm\s+(?:partition|format)\b", N_("formats a volume of the device")),
    (r"(?:mkfs\S*\s|dd\s[^;&|\n]{0,400}\bof=/dev/)", N_("overwrites the device's storage")),
    (r"rm\s+(?:[^;&|\n]{0,400}\s)?(?:-[A-Za-z]*[rR]|--recursive\b)", N_("deletes folders and all in them")),
    (r"find\s[^;&|\n]{0,400}\s-delete\b", N_("deletes folders and all in them")),
    (r"(?:reboot\b|svc\s+power\s+reboot)", N_("restarts the device")),
    (r"setprop\s+(?:sys\.powerctl|ctl\.restart)\b", N_("restarts the device")),
    (r"(?:am\s+(?:hang|restart)\b|stop\s*$|stop\s*[;&|])", N_("halts or restarts the system")),
    (r"(?:svc\s+power\s+shutdown|emu\s+kill\b)", N_("switches the device off")),
    (r"cmd\s+thermalservice\s+override-status\s+6\b", N_("may switch the device off")),
    (r"(?:pm|cmd\s+package|adb)\s+(?:[^;&|\n]{0,400}\s)?uninstall\b", N_("uninstalls an app")),
    (r"(?:pm|cmd\s+package)\s+clear\s", N_("erases all data of an app")),
    (r"(?:pm|cmd\s+package)\s+disable(?:-user)?\b", N_("switches an app off")),
)  # fmt: skip
_DANGERS = tuple((re.compile(_AT + pattern), what) for pattern, what in _TABLE)


def danger_of(command: str) -> str:
    """What a shell command destroys or interrupts, in words; empty for a harmless one."""
    return next((_(what) for pattern, what in _DANGERS if pattern.search(command)), "")
