"""Run functions of this program in processes of their own."""

from __future__ import annotations

import multiprocessing
import os
from multiprocessing.context import SpawnContext

from collector.host.environment import SAFE_PATH, make_environment_safe


def python_processes() -> SpawnContext:
    """What starts a function in a new interpreter, which finds no module in the current folder.

    multiprocessing cannot hand a variable to its children alone, among them its tracker of resources: the
    variable stays set in this process, and does nothing to it.
    """
    make_environment_safe()
    os.environ[SAFE_PATH] = "1"
    return multiprocessing.get_context("spawn")


def fork() -> int:
    """Go on in two processes: 0 in the new one, in this one its id. Of the threads only this one does.

    Both share the pages of memory that neither writes to. For a process on Linux that runs nothing else.
    Raises OSError.
    """
    return os.fork()
