"""The faults a virtual phone can simulate, their names and their syntax."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_LONGEST = 1_000_000_000


@dataclass(frozen=True, slots=True)
class FaultParameter:
    """A parameter of a fault: a whole number or one of ``words``."""

    name: str
    default: int | str
    meaning: str
    words: tuple[str, ...] = ()

    def read(self, text: str) -> int | str:
        """Parse ``text``; raise ValueError with a full sentence."""
        if self.words:
            if text not in self.words:
                raise ValueError(f"{self.name} is one of {', '.join(self.words)}, not {text!r}")
            return text
        if not text.isdecimal() or int(text) > _LONGEST:
            raise ValueError(f"{self.name} is a whole number, not {text!r}")
        return int(text)


@dataclass(frozen=True, slots=True)
class FaultKind:
    """A kind of fault. ``cuts`` marks those that cut the connection over which the fault was set."""

    name: str
    description: str
    parameters: tuple[FaultParameter, ...] = ()
    cuts: bool = False

    def values(self, given: Mapping[str, int | str]) -> dict[str, int | str]:
        """Every parameter with its value; raise ValueError for an unknown parameter."""
        by_name = {parameter.name: parameter for parameter in self.parameters}
        for name in given:
            if name not in by_name:
                those = ", ".join(by_name) or "none"
                raise ValueError(f"{self.name} has no parameter {name!r} (it has: {those})")
        read = {name: by_name[name].read(str(value)) for name, value in given.items()}
        return {name: read.get(name, fault.default) for name, fault in by_name.items()}


def _lasting(default: int) -> FaultParameter:
    return FaultParameter("seconds", default, "seconds until it ends by itself; 0 is never")


_UNTIL_CLEARED = _lasting(0)
SERVERS = ("all", "scrcpy", "uiautomator2", "uiautomator")

FAULTS: dict[str, FaultKind] = {
    kind.name: kind
    for kind in (
        FaultKind(
            "offline", "adb's handshake gets no answer: adb calls the phone offline", (_lasting(20),), True
        ),
        FaultKind(
            "unauthorized", "the phone waits for Allow: adb calls it unauthorized", (_lasting(20),), True
        ),
        FaultKind(
            "drop",
            "the connection breaks, as with a loose cable",
            (
                FaultParameter("every", 0, "seconds until it is cut again; 0 cuts it once"),
                FaultParameter("bytes", 0, "number of bytes each connection may still send; 0 cuts now"),
            ),
            True,
        ),
        FaultKind("stall", "the phone reads and does not answer", (_lasting(10),), True),
        FaultKind(
            "slow-shell",
            "every shell command starts late",
            (FaultParameter("ms", 2000, "delay in milliseconds"), _UNTIL_CLEARED),
        ),
        FaultKind("idle-error", "uiautomator dump could not get idle state", (_UNTIL_CLEARED,)),
        FaultKind("null-root", "uiautomator finds no window to dump", (_UNTIL_CLEARED,)),
        FaultKind(
            "slow-dump",
            "a dump takes a long time",
            (FaultParameter("ms", 3000, "duration in milliseconds"), _UNTIL_CLEARED),
        ),
        FaultKind(
            "truncated-dump",
            "a dump ends in the middle",
            (FaultParameter("percent", 50, "share of it that is sent"), _UNTIL_CLEARED),
        ),
        FaultKind(
            "huge-dump",
            "a dump is filled up to a large size",
            (FaultParameter("mb", 20, "size in megabytes"), _UNTIL_CLEARED),
        ),
        FaultKind("automation-taken", "another tool holds the phone's automation", (_UNTIL_CLEARED,)),
        FaultKind("secure-window", "the window in front forbids pictures", (_UNTIL_CLEARED,)),
        FaultKind(
            "black-screencap", "screencap gives black although nothing is protected", (_UNTIL_CLEARED,)
        ),
        FaultKind(
            "truncated-screencap",
            "screencap ends in the middle",
            (FaultParameter("percent", 50, "share of it that is sent"), _UNTIL_CLEARED),
        ),
        FaultKind(
            "huge-screencap",
            "screencap claims a picture too large to be decoded",
            (FaultParameter("side", 50_000, "pixels of each side that it claims"), _UNTIL_CLEARED),
        ),
        FaultKind("stalled-screencap", "screencap starts and gives nothing", (_UNTIL_CLEARED,)),
        FaultKind(
            "frozen-screen",
            "pictures and videos show what was on the screen when it began; the phone itself goes on",
            (_UNTIL_CLEARED,),
        ),
        FaultKind("silent-logcat", "logcat prints nothing and does not end", (_UNTIL_CLEARED,)),
        FaultKind("full-disk", "no space is left on the phone", (_UNTIL_CLEARED,)),
        FaultKind("input-denied", "injected input is refused, as on Xiaomi phones", (_UNTIL_CLEARED,)),
        FaultKind(
            "killed-server",
            "a server on the phone is killed, and again whenever it is started",
            (FaultParameter("server", "all", "the server", SERVERS), _UNTIL_CLEARED),
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Fault:
    """An active fault with all its parameters."""

    kind: FaultKind
    values: dict[str, int | str]

    def __str__(self) -> str:
        return " ".join([self.kind.name, *(f"{name}={value}" for name, value in self.values.items())])


def make_fault(name: str, parameters: Mapping[str, int | str]) -> Fault:
    """Create a fault by name; the ValueError for an unknown name lists the known ones."""
    kind = FAULTS.get(name)
    if kind is None:
        raise ValueError(f"there is no fault {name!r} (there are: {', '.join(FAULTS)})")
    return Fault(kind, kind.values(parameters))


def parse_pairs(pairs: list[str]) -> dict[str, int | str]:
    """Parse ``key=value`` words; raise ValueError for others."""
    parameters: dict[str, int | str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise ValueError(f"expected key=value, not {pair!r}")
        parameters[key] = value
    return parameters


def parse_fault(text: str) -> Fault:
    """Parse ``NAME`` or ``NAME:key=value,...``, as on the command line."""
    name, _, rest = text.partition(":")
    return make_fault(name, parse_pairs(rest.split(",") if rest else []))
