"""The file by which other processes find the runner of an experiment, and by which it is the only one.

It is locked while the runner lives, however it ends, and only this account can read it: the token in it
allows to steer the run.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from collector.host.file_lock import HeldFile, hold, holder
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.text.local_time import local_time
from collector.store.files.errors import write_error
from collector.store.files.layout import ProjectPaths
from collector.store.files.links import refuse_link


class RunnerActive(UserError):  # noqa: N818 - a state, as DeviceTaken
    """Another process runs the experiment."""


class NoRunner(UserError):  # noqa: N818 - a state
    """No process runs the experiment, or none that can be reached from here."""


@dataclass(frozen=True, slots=True)
class RunnerAddress:
    """A runner that lives."""

    experiment: str
    pid: int
    host: str
    """Name of its computer."""
    port: int
    """On the loopback interface of that computer; 0 until it listens."""
    token: str
    since: str
    """When it began: ISO 8601, UTC."""

    @property
    def is_here(self) -> bool:
        """Whether it runs on this computer."""
        return self.host == platform.node()

    @property
    def process(self) -> str:
        """The process, for a person."""
        since = self.since
        with contextlib.suppress(ValueError):
            since = local_time(dt.datetime.fromisoformat(since)).strftime("%Y-%m-%d %H:%M:%S")
        return _("process {pid} on {host}, since {time}", pid=self.pid, host=self.host, time=since)


class RunnerFile:
    """The file of this process's runner, from :meth:`hold` to :meth:`release`."""

    def __init__(self, held: HeldFile, experiment: str) -> None:
        self._held = held
        self._experiment = experiment

    @classmethod
    def hold(cls, paths: ProjectPaths, experiment: str) -> RunnerFile:
        """Become the runner of an experiment. Raises RunnerActive while another process is."""
        path = paths.runner_file(experiment)
        refuse_link(path)
        try:
            held = hold(path, {"experiment": experiment})
            if held is not None:
                path.chmod(0o600)
        except OSError as error:
            raise write_error(path, error) from error
        if held is None:
            note = _address(holder(path))
            raise RunnerActive(
                _("The experiment {name} is being run already", name=experiment),
                note.process if note is not None else "",
                _("Watch it with: waymark experiment attach {name}", name=experiment),
            )
        return cls(held, experiment)

    def publish(self, port: int, token: str) -> None:
        """Tell others how to reach the runner."""
        self._held.write({"experiment": self._experiment, "port": port, "token": token})

    def release(self) -> None:
        """Let another process run the experiment. May be called twice."""
        self._held.release()


def find_runner(paths: ProjectPaths, experiment: str) -> RunnerAddress | None:
    """The runner of an experiment; None when none lives."""
    return _living(paths.runner_file(experiment))


def running_runners(paths: ProjectPaths) -> list[RunnerAddress]:
    """All runners of a project that live, by the name of the experiment."""
    runners = [runner for path in paths.runner_files() if (runner := _living(path)) is not None]
    return sorted(runners, key=lambda runner: runner.experiment)


def _living(path: Path) -> RunnerAddress | None:
    """Who holds a file. That of a dead runner stays for the next: whoever removed it would hold it first,
    and look like a runner to others."""
    return None if path.is_symlink() else _address(holder(path))


def _address(note: Mapping[str, Any] | None) -> RunnerAddress | None:
    if not note or not isinstance(note.get("pid"), int):
        return None
    port = note.get("port")
    return RunnerAddress(
        experiment=str(note.get("experiment") or ""),
        pid=note["pid"],
        host=str(note.get("host") or ""),
        port=port if isinstance(port, int) else 0,
        token=str(note.get("token") or ""),
        since=str(note.get("since") or ""),
    )
