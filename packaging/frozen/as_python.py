"""The frozen program in the place of an interpreter, which it does not bring as a program of its own.

``collector/host/own_program.py`` starts modules of the program, and agents in Python, by ``--python`` and the
words of Python: ``-P``, then ``-m MODULE`` or a file, then its arguments. multiprocessing starts its
processes by words of its own.
"""

from __future__ import annotations

import io
import os
import runpy
import sys
from pathlib import Path

OF_MULTIPROCESSING = ("from multiprocessing.resource_tracker import main",)


def run_as_python() -> bool:
    """Run what the command line asks of Python, and return whether it did."""
    # multiprocessing would run the file of this name in its processes, and there is none.
    vars(sys.modules["__main__"]).pop("__file__", None)
    words = sys.argv[1:]
    if words[:1] == ["--multiprocessing-fork"]:
        from multiprocessing import spawn

        spawn.freeze_support()
    elif words[-2:-1] == ["-c"] and words[-1].startswith(OF_MULTIPROCESSING):
        exec(words[-1], {"__name__": "__main__"})  # noqa: S102 - what it begins with was checked
    elif words[:1] == ["--python"]:
        _run(words[1:])
    else:
        return False
    return True


def _run(words: list[str]) -> None:
    is_safe = words[:1] == ["-P"]
    words = words[is_safe:]
    _write_at_once()
    if words[:1] == ["-m"]:
        sys.argv = words[1:]
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        return
    sys.argv = words
    if not is_safe:
        sys.path.insert(0, str(Path(words[0]).resolve().parent))
    runpy.run_path(words[0], run_name="__main__")


def _write_at_once() -> None:
    """Do as PYTHONUNBUFFERED and PYTHONIOENCODING say, which a frozen program does not read."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(
                encoding=os.environ.get("PYTHONIOENCODING") or None,
                write_through=bool(os.environ.get("PYTHONUNBUFFERED")),
            )
