"""Run the checks of a client one after another, and print one line of JSON for each.

The line has the check's name, its result (``passed``, ``differs`` or ``failed``) and why. A check may say
what the client does otherwise on every phone; when it passes all the same, that is a failure: the list stays
true.
"""

from __future__ import annotations

import json
import signal
import traceback
from collections.abc import Callable

_SECONDS = 60
_CHECKS: list[tuple[Callable[[], object], str]] = []
_REASON = 200
"""Characters of a reason that are printed."""


def check(differs: str = "") -> Callable[[Callable[[], object]], Callable[[], object]]:
    """Add a function to the checks of this client. ``differs`` says why it is known to fail."""

    def add(function: Callable[[], object]) -> Callable[[], object]:
        _CHECKS.append((function, differs))
        return function

    return add


def run_checks() -> None:
    """Run all checks in the order of the file."""
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, _give_up)
    for function, differs in _CHECKS:
        result, why = _run(function)
        if differs:
            result, why = ("differs", differs) if result == "failed" else ("failed", f"no longer: {differs}")
        line = {"name": function.__name__.replace("_", " "), "result": result, "why": why}
        print(json.dumps(line), flush=True)


def _run(function: Callable[[], object]) -> tuple[str, str]:
    if hasattr(signal, "SIGALRM"):
        signal.alarm(_SECONDS)
    try:
        function()
    except Exception as error:
        at = traceback.extract_tb(error.__traceback__)
        own = next(
            (frame for frame in reversed(at) if frame.filename == function.__code__.co_filename), at[-1]
        )
        return "failed", f"{own.line}: {type(error).__name__} {error}"[:_REASON]
    finally:
        if hasattr(signal, "SIGALRM"):
            signal.alarm(0)
    return "passed", ""


def _give_up(*_arguments: object) -> None:
    raise TimeoutError(f"{_SECONDS} s")
