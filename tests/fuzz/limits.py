"""Read one input under limits of time and memory, and say what went wrong in a way that names the place."""

from __future__ import annotations

import contextlib
import resource
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parents[2]
_OURS = tuple(f"{ROOT / name}/" for name in ("collector", "rule_editor", "studio"))
MOST_CPU_S = 2.0
"""Processor time for one input; a timer of the wall would depend on who else uses the machine."""
MOST_BYTES = 1 << 30
"""Address space above what the program had when it began."""


class TooSlow(BaseException):
    """The input took more time than one may; no handler of the product keeps it."""


@dataclass(frozen=True)
class Finding:
    """What an input did that none should."""

    kind: str
    """Name of the exception, or ``too-slow``."""
    place: str
    """File and function of ours that was innermost, as ``parse.py:parse_tree``."""
    details: str = ""

    @property
    def name(self) -> str:
        """Fit for a file: the same for the same mistake, wherever its line moves to."""
        return "-".join(part for part in f"{self.kind}-{self.place}".replace(".py", "").split(":") if part)


def watched(
    read: Callable[[bytes], object], refuses: tuple[type[Exception], ...], data: bytes
) -> Finding | None:
    """Read ``data``; None when that ends well or with one of the errors that say why it cannot be read."""
    try:
        with _limited_time():
            read(data)
    except refuses:
        return None
    except TooSlow as error:
        return Finding("too-slow", _place(error), traceback.format_exc())
    except Exception as error:
        return Finding(type(error).__name__, _place(error), traceback.format_exc())
    return None


def limit_memory() -> None:
    """Let this process have no more than MOST_BYTES above what it has; over it Python raises MemoryError."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    most = pages * resource.getpagesize() + MOST_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


@contextlib.contextmanager
def _limited_time() -> Iterator[None]:
    if sys.platform == "win32":
        yield
        return

    def over(_signal: int, _frame: FrameType | None) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGPROF, over)
    signal.setitimer(signal.ITIMER_PROF, MOST_CPU_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _place(error: BaseException) -> str:
    ours = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(_OURS)]
    return f"{Path(ours[-1].filename).name}:{ours[-1].name.strip('<>')}" if ours else ""
