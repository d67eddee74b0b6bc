"""Plug-in of pytest: run the collected tests in processes that are forked once all are collected.

    pytest -p tests.helpers.forked_workers --workers 4 tests

Each worker takes the next file as it ends one, so a module's fixtures are set up once. Workers share the
modules and tests in memory; with pytest-xdist each imports and collects all of them for itself.
Needs ``os.fork``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import groupby
from multiprocessing import connection, get_context
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Any

import pytest
from _pytest.reports import TestReport

from tests.helpers import worker_hooks

_NUMBER_BYTES = 4
_END_SECONDS = 5
"""How long a worker that is terminated may take."""
Channel = connection.Connection


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--workers", type=int, default=0, help="forked processes that run the tests")


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    pluginmanager.add_hookspecs(worker_hooks)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run all items in workers. Without ``--workers``, or when there is nothing to run, pytest does it."""
    config = session.config
    count = config.getoption("workers")
    if not count or config.option.collectonly or session.testsfailed:
        return None
    files = [list(items) for _, items in groupby(session.items, key=lambda item: item.path)]
    crew = Crew(session, files)
    try:
        crew.start(min(count, len(files)))
        crew.follow()
    finally:
        crew.stop()
    return True


class Crew:
    """The workers of a session, seen from the process that forks them."""

    def __init__(self, session: pytest.Session, files: list[list[pytest.Item]]) -> None:
        self._session = session
        self._files = files
        self._workers: dict[Channel, ForkProcess] = {}
        self._running: dict[Channel, str] = {}
        self._unfinished = {item.nodeid for item in session.items}

    def start(self, count: int) -> None:
        """Fork the workers. They draw the numbers of files from one pipe, which is written before."""
        base = self._session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
        numbers, filled = os.pipe()
        os.set_blocking(filled, False)  # more files than a pipe holds are an error, and no wait without end
        os.write(filled, b"".join(n.to_bytes(_NUMBER_BYTES, "big") for n in range(len(self._files))))
        os.close(filled)
        context = get_context("fork")
        for number in range(count):
            receiver, sender = context.Pipe(duplex=False)
            worker = Worker(self._session, self._files, numbers, sender, base / f"worker-{number}")
            process = context.Process(target=worker.run, args=([*self._workers, receiver],))
            process.start()
            sender.close()
            self._workers[receiver] = process
        os.close(numbers)

    def follow(self) -> None:
        """Report what the workers report until all have ended. Raises what ends a session early."""
        while self._workers:
            for channel in connection.wait(list(self._workers)):
                assert isinstance(channel, Channel)
                try:
                    self._take(channel, *channel.recv())
                except EOFError:
                    self._end(channel)
            if self._session.shouldfail:
                raise self._session.Failed(self._session.shouldfail)
            if self._session.shouldstop:
                raise self._session.Interrupted(self._session.shouldstop)
        if self._unfinished and not self._session.testsfailed:
            raise self._session.Failed(f"{len(self._unfinished)} tests were not run")

    def _take(self, channel: Channel, kind: str, data: Any) -> None:
        hook, config = self._session.config.hook, self._session.config
        if kind == "start":
            self._running[channel] = data
        elif kind == "report":
            hook.pytest_runtest_logreport(
                report=hook.pytest_report_from_serializable(config=config, data=data)
            )
        elif kind == "finish":
            self._running.pop(channel, None)
            self._unfinished.discard(data[0])
            hook.pytest_runtest_logfinish(nodeid=data[0], location=data[1])
        else:
            place = self._running.get(channel) or "the beginning or the end"
            raise AssertionError(f"a worker failed outside a test, at {place}:\n{data}")

    def _end(self, channel: Channel) -> None:
        """A worker has closed its pipe: it has ended, or it crashed within a test."""
        process = self._workers.pop(channel)
        process.join()
        channel.close()
        nodeid = self._running.pop(channel, "")
        if process.exitcode or nodeid:
            place = nodeid or "no test"
            what = f"a worker crashed while running {place!r} (exit code {process.exitcode})"
            report = TestReport(place, (place, None, place), {}, "failed", what, "call")
            self._session.config.hook.pytest_runtest_logreport(report=report)

    def stop(self) -> None:
        """End the workers that still run, after an interruption.

        Nobody reads their reports any more: one that runs on, as a program that a test ran in it takes the
        signal, would wait for ever in its full pipe.
        """
        for process in self._workers.values():
            process.terminate()
        for process in self._workers.values():
            process.join(_END_SECONDS)
            process.kill()
            process.join()


class Worker:
    """One forked process: runs one file after another, and sends what pytest reports of them."""

    def __init__(
        self,
        session: pytest.Session,
        files: list[list[pytest.Item]],
        numbers: int,
        channel: Channel,
        folder: Path,
    ) -> None:
        self._session = session
        self._files = files
        self._numbers = numbers
        self._channel = channel
        self._folder = folder

    def run(self, inherited: list[Channel]) -> None:
        """Run files until none is left, and end as pytest ends.

        The ends at which reports are read are closed here: a worker whose reader was killed then cannot write
        and ends, and does not wait for ever.
        """
        for receiver in inherited:
            receiver.close()
        config = self._session.config
        self._detach(config)
        try:
            config.hook.pytest_worker_begin(config=config)
            items = self._items()
            item = next(items, None)
            while item is not None:
                following = next(items, None)
                config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                item = None if self._session.shouldfail or self._session.shouldstop else following
            self._session._setupstate.teardown_exact(None)
            config._ensure_unconfigure()
        except BaseException as error:
            report = pytest.ExceptionInfo.from_exception(error).getrepr(style="short")
            self._channel.send(("failure", str(report)))
            raise
        finally:
            self._channel.close()

    def _detach(self, config: pytest.Config) -> None:
        """Write nothing to the terminal or where another process writes, and listen to pytest."""
        capture = config.pluginmanager.getplugin("capturemanager")
        assert capture is not None
        # Its files are shared with the other processes, and so is the place in them.
        capture.stop_global_capturing()
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1):
            os.dup2(nothing, stream)
        capture.start_global_capturing()
        config._tmp_path_factory._basetemp = self._folder  # type: ignore[attr-defined]
        self._folder.mkdir()
        config.pluginmanager.register(self, "forked-worker")

    def _items(self) -> Iterator[pytest.Item]:
        while number := os.read(self._numbers, _NUMBER_BYTES):
            yield from self._files[int.from_bytes(number, "big")]

    # -- what pytest tells a plug-in ---------------------------------------------
    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._channel.send(("start", nodeid))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        config = self._session.config
        data = config.hook.pytest_report_to_serializable(config=config, report=report)
        self._channel.send(("report", data))

    def pytest_runtest_logfinish(self, nodeid: str, location: tuple[str, int | None, str]) -> None:
        self._channel.send(("finish", (nodeid, location)))
