"""Do the same to many things in several processes of this program, so that every core has work."""

from __future__ import annotations

import contextlib
import gc
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, TypeVar

from collector.host.machine_load import usable_cores
from collector.host.python_processes import python_processes
from collector.host.quick_end import end_without_collecting
from collector.model.i18n import language, use_language
from collector.model.resources import asset

WORTH_STARTING = 400
"""So many things at least, or this process alone is faster: another takes seconds to start."""
_BATCH = 32
_AHEAD = 2
"""So many batches a process has at once: the next one waits in its pipe when it is done with the first."""
_MOST = 60
"""So many processes at most: Windows waits for 63 pipes at once."""
_END_S = 5.0
_GARBAGE = 50_000
"""So many new objects until a look for garbage."""
_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
_Answer = tuple[list[Any], Exception | None]
"""The results of a batch, up to the error that ended it."""


def pays_off(count: int) -> bool:
    """Whether several processes do so many things faster than one."""
    return count >= WORTH_STARTING and usable_cores() > 1


def map_in_order(
    begin: Callable[..., Callable[[_Item], _Result]], given: tuple[Any, ...], items: Sequence[_Item],
    here: Callable[[_Item], _Result],
) -> Generator[_Result, None, None]:  # fmt: skip
    """What the function that ``begin(*given)`` returns gives for each of ``items``, in their order.

    Every process calls ``begin``, a function of a module; what is handed over can be pickled. The items of a
    process that ends suddenly are given to ``here``, a function of this process that does the same. Raises
    what a call raises, in its place. The processes end with the iterator, and with this process however it
    ends.
    """
    batches = [items[start : start + _BATCH] for start in range(0, len(items), _BATCH)]
    helpers = [_Helper.start(begin, given) for _core in range(min(usable_cores(), _MOST))]
    try:
        for results, error in _answers(helpers, batches, lambda batch: _do(here, batch)):
            yield from results
            if error is not None:
                raise error
    finally:
        for helper in helpers:
            helper.end()


def _answers(
    helpers: list[_Helper], batches: list[Sequence[Any]], do_here: Callable[[Sequence[Any]], _Answer]
) -> Iterator[_Answer]:
    """The answers to batches, in their order."""
    working = {helper.pipe: helper for helper in helpers}
    known: dict[int, _Answer] = {}
    left = iter(range(len(batches)))
    for _turn in range(_AHEAD):
        for helper in helpers:
            helper.ask(next(left, None), batches)
    for number in range(len(batches)):
        while number not in known:
            for pipe in wait(list(working)):
                helper = working[pipe]  # type: ignore[index]
                done = helper.asked.pop(0) if helper.asked else None
                try:
                    answer = helper.pipe.recv()
                except (EOFError, OSError):
                    del working[helper.pipe]
                    lost = [*([done] if done is not None else []), *helper.asked]
                    known.update((batch, do_here(batches[batch])) for batch in lost)
                    continue
                assert done is not None
                known[done] = answer
                helper.ask(next(left, None), batches)
            if not working and number not in known:
                known[number] = do_here(batches[number])
        yield known.pop(number)


@dataclass(slots=True)
class _Helper:
    """A process that does batches, and the numbers of those it was asked for."""

    process: SpawnProcess
    pipe: Connection
    asked: list[int]

    @classmethod
    def start(cls, begin: Callable[..., Any], given: tuple[Any, ...]) -> _Helper:
        context = python_processes()
        pipe, its_end = context.Pipe()
        process = context.Process(target=_serve, args=(its_end, language(), begin, given), daemon=True)
        process.start()
        its_end.close()
        return cls(process, pipe, [])

    def ask(self, number: int | None, batches: list[Sequence[Any]]) -> None:
        """Ask for a batch; None for nothing more."""
        if number is None:
            return
        self.asked.append(number)
        with contextlib.suppress(OSError):  # it ended: reading from it says so
            self.pipe.send(batches[number])

    def end(self) -> None:
        """End the process after the batch that it does now: what it writes is whole."""
        self.pipe.close()
        self.process.join(_END_S)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.process.close()


def _serve(pipe: Connection, language_id: str, begin: Callable[..., Any], given: tuple[Any, ...]) -> None:
    """Do batches until the other end of the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the process that started this one
    end_without_collecting()
    gc.set_threshold(_GARBAGE)  # each item makes tens of thousands of objects, and hardly a cycle
    use_language(language_id, asset("translations"))
    try:
        work = begin(*given)
        while True:
            pipe.send(_do(work, pipe.recv()))
    except (EOFError, OSError):
        return


def _do(work: Callable[[Any], Any], batch: Sequence[Any]) -> _Answer:
    results: list[Any] = []
    for item in batch:
        try:
            results.append(work(item))
        except Exception as error:  # noqa: BLE001 - it is raised where the result would come
            return results, error
    return results, None
