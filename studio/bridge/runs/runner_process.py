"""Start the runner of an experiment as a process of its own, which survives the window."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from collector.host.own_program import waymark_command
from collector.host.programs import Signals, start_program
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.store.files.layout import ProjectPaths

_TAIL_BYTES = 8000


@dataclass(slots=True)
class RunnerProcess:
    """A runner that this window started. It is only asked how it ended; nothing here stops it."""

    process: subprocess.Popen[bytes]
    output: Path
    """The file that it writes its output to."""

    @property
    def exit_code(self) -> int | None:
        """Its exit code; None while it lives."""
        return self.process.poll()

    def let_go(self) -> None:
        """Ask no more how it ends: the window closes, and the runner goes on."""
        if self.process.poll() is None:
            self.process.returncode = 0  # otherwise Popen warns of a process that nobody waited for

    @property
    def last_words(self) -> str:
        """The last lines of its output, without the escape codes of a terminal. Reads the disk."""
        try:
            with self.output.open("rb") as stream:
                stream.seek(max(0, self.output.stat().st_size - _TAIL_BYTES))
                text = stream.read().decode("utf-8", "replace")
        except OSError:
            return ""
        lines = [line.strip() for line in text.replace("\r", "\n").splitlines()]
        return "\n".join([line for line in lines if line][-6:])


def start_runner(project: Path, experiment: str, options: Sequence[str] = ()) -> RunnerProcess:
    """Run ``waymark run`` in a session of its own. Raises UserError when it cannot be started."""
    paths = ProjectPaths(project)
    output = paths.runner_output(experiment)
    command = [*waymark_command(), "run", str(paths.experiment(experiment)), *options]
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        with output.open("wb") as stream:
            process = start_program(
                command, stdout=stream, stderr=subprocess.STDOUT,
                variables={"PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"},
                signals=Signals.OWN_SESSION,
            )  # fmt: skip
    except OSError as error:
        raise UserError(
            _("The runner of {name} cannot be started", name=experiment), error.strerror or str(error)
        ) from None
    return RunnerProcess(process, output)
