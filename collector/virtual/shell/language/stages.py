"""Commands that run in threads: the stages of pipelines, and what ``&`` started."""

from __future__ import annotations

import logging
from collections.abc import Callable

from collector.virtual.shell.language.arithmetic import ExpansionError
from collector.virtual.shell.language.jobs import TERMINATED
from collector.virtual.shell.language.shell_state import ShellState
from collector.virtual.shell.pipes import Pipe, Streams
from collector.virtual.shell.process_table import Interrupted

_log = logging.getLogger(__name__)
_BROKEN_PIPE = 141
"""128 and the number of SIGPIPE."""


def run_stage(
    shell: ShellState, body: Callable[[], int], streams: Streams, upstream: Pipe | None, pipe: Pipe
) -> int:
    """Run a stage of a pipeline in its thread and close its ends of the pipes; return its exit status."""
    try:
        return body()
    except ExpansionError as error:
        shell.complain(str(error), streams)
        return 1
    except (Interrupted, BrokenPipeError):
        _log.debug("a stage of a pipeline ended early")
        return _BROKEN_PIPE
    except Exception:  # noqa: BLE001 - a thread's end, which nobody waits for: the other stages go on
        _log.exception("a stage of a pipeline failed")
        return 1
    finally:
        pipe.close_writing()
        if upstream:
            upstream.close_reading()


def run_quietly(body: Callable[[], int]) -> int:
    """Run a command in the background; return its exit status."""
    try:
        return body()
    except BrokenPipeError:
        _log.debug("a background command ended early")
        return _BROKEN_PIPE
    except Interrupted:
        return TERMINATED
    except Exception:  # noqa: BLE001 - a thread's end, which nobody waits for: its shell goes on
        _log.exception("a background command failed")
        return 1
