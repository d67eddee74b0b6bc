"""The signals of the phone's kernel: numbers, names and bionic's descriptions."""

from __future__ import annotations

_SIGNALS = (
    ("HUP", "Hangup"), ("INT", "Interrupt"), ("QUIT", "Quit"), ("ILL", "Illegal instruction"),
    ("TRAP", "Trap"), ("ABRT", "Aborted"), ("BUS", "Bus error"), ("FPE", "Floating point exception"),
    ("KILL", "Killed"), ("USR1", "User signal 1"), ("SEGV", "Segmentation fault"),
    ("USR2", "User signal 2"), ("PIPE", "Broken pipe"), ("ALRM", "Alarm clock"), ("TERM", "Terminated"),
    ("STKFLT", "Stack fault"), ("CHLD", "Child exited"), ("CONT", "Continue"),
    ("STOP", "Stopped (signal)"), ("TSTP", "Stopped"), ("TTIN", "Stopped (tty input)"),
    ("TTOU", "Stopped (tty output)"), ("URG", "Urgent I/O condition"), ("XCPU", "CPU time limit exceeded"),
    ("XFSZ", "File size limit exceeded"), ("VTALRM", "Virtual timer expired"),
    ("PROF", "Profiling timer expired"), ("WINCH", "Window size changed"), ("IO", "I/O possible"),
    ("PWR", "Power failure"), ("SYS", "Bad system call"),
)  # fmt: skip
LAST = 64
"""The highest signal; those above the named ones are for programs' own use."""
NUMBERS = {name: number for number, (name, _description) in enumerate(_SIGNALS, 1)}
STOPS, CONTINUES = frozenset(("STOP", "TSTP", "TTIN", "TTOU")), frozenset(("CONT",))
_IGNORED = frozenset(("CHLD", "URG", "WINCH"))
FROM_KEYBOARD = frozenset(("INT", "QUIT"))
"""Signals that commands in the background ignore."""


def name_of(number: int) -> str:
    """The name of a signal; its number for one without a name."""
    return _SIGNALS[number - 1][0] if 1 <= number <= len(_SIGNALS) else str(number)


def number_of(name: str) -> int:
    """The number of a signal that :func:`name_of` names."""
    return NUMBERS.get(name) or int(name)


def description(number: int) -> str:
    """What bionic's ``strsignal`` says."""
    return _SIGNALS[number - 1][1] if 1 <= number <= len(_SIGNALS) else f"Signal {number}"


def ends(name: str) -> bool:
    """Whether a process ends by a signal that it does not handle."""
    return name not in STOPS | CONTINUES | _IGNORED


def signal_name(text: str) -> str | None:
    """``9``, ``KILL`` or ``SIGKILL`` as ``KILL``; ``0`` for the signal 0; None for an unknown signal."""
    if text.isdecimal():
        return "0" if int(text) == 0 else name_of(int(text)) if int(text) <= LAST else None
    name = text.upper().removeprefix("SIG")
    return name if name in NUMBERS else None
