"""The thread on which one agent lives: what it raises, answers or never answers stops nobody else."""

from __future__ import annotations

import contextlib
import json
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

from collector.agents.agent import (
    Agent,
    AgentEpisode,
    AgentUnavailable,
    Observation,
    hide_from_log,
    taken_log,
)
from collector.device.errors import CallCancelled, DeviceError
from collector.model.action import MALFORMED, Invalid
from collector.model.episode import AgentTurn
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.usage import Usage
from collector.run.cycle.operations import ANY_SCREEN, executable

ANSWER_LIMIT_S = 600.0
"""Longest wait for an answer."""
GRACE_S = 5.0
"""Longest wait for an agent whose call was cancelled; then it is left behind."""
_POLL_S = 0.05


class AgentFailed(UserError):  # noqa: N818 - a state, as AgentUnavailable
    """An agent raised what no agent may raise, or answered what is no turn."""


class AgentThread:
    """Calls one agent, on one thread, for one episode.

    ``cancel`` ends a call. An agent that does not return then is left behind on its thread.
    """

    def __init__(self, agent: Agent, cancel: threading.Event) -> None:
        self._agent, self._cancel = agent, cancel
        self._calls: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="agent", daemon=True)
        self._thread.start()

    def begin(self, episode: AgentEpisode) -> None:
        """Begin the episode. Raises UserError when it cannot be tried, AgentFailed for any other error."""
        self._result(self._submit(lambda: self._agent.begin(episode)))

    def ask(self, observation: Observation) -> Future[AgentTurn]:
        """Ask for the next action; :meth:`answer` waits for it."""
        return self._submit(lambda: self._agent.act(observation, self._cancel))

    def answer(self, asked: Future[AgentTurn], is_interrupted: Callable[[], bool]) -> AgentTurn | None:
        """Wait for an answer; None when ``is_interrupted`` says so first, and the agent goes on thinking.

        Raises AgentUnavailable, AgentFailed, and CallCancelled once the episode is cancelled.
        """
        turn = self._result(asked, is_interrupted)
        return sound_turn(turn) if asked.done() else None

    def hide_text(self, text: str) -> None:
        """Tell the agent before its next answer that a text is a password. Returns at once."""
        self._submit(lambda: hide_from_log(self._agent, text))

    def taken_log(self) -> tuple[str, ...]:
        """What the agent wrote beside its answers since this was called last."""
        try:
            return taken_log(self._agent)
        except Exception:  # noqa: BLE001 - an agent of others; its log is no reason to end an episode
            return ()

    def close(self) -> None:
        """End the thread once its call is over. The agent stays open: it belongs to the caller."""
        self._calls.put(None)
        self._thread.join(GRACE_S)

    def _submit(self, call: Callable[[], Any]) -> Future[Any]:
        result: Future[Any] = Future()
        self._calls.put((call, result))
        return result

    def _result(self, asked: Future[Any], is_interrupted: Callable[[], bool] = lambda: False) -> Any:
        end = time.monotonic() + ANSWER_LIMIT_S
        cancelled_at: float | None = None
        while True:
            try:
                return _raised_as_ours(asked, self._cancel)
            except TimeoutError:
                pass
            now = time.monotonic()
            if self._cancel.is_set():
                cancelled_at = cancelled_at or now
                if now - cancelled_at > GRACE_S:
                    raise CallCancelled("agent")
            elif is_interrupted():
                return None
            elif now > end:
                raise AgentUnavailable(
                    _("The agent did not answer within {seconds} s", seconds=round(ANSWER_LIMIT_S))
                )

    def _run(self) -> None:
        while (call := self._calls.get()) is not None:
            work, result = call
            try:
                result.set_result(work())
            except BaseException as error:  # noqa: BLE001 - an agent of others may even call sys.exit
                result.set_exception(error)


def _raised_as_ours(asked: Future[Any], cancel: threading.Event) -> Any:
    """The result of a call. Raises TimeoutError while there is none, else only errors of this product."""
    if not asked.done():
        asked.exception(_POLL_S)
    error = asked.exception(0)
    if error is None:
        return asked.result()
    if cancel.is_set():
        raise CallCancelled("agent") from error
    if isinstance(error, UserError) and not isinstance(error, DeviceError):
        raise error
    raise AgentFailed(
        _("The agent failed: {kind}: {text}", kind=type(error).__name__, text=str(error)[:300])
    ) from error


def sound_turn(turn: object) -> AgentTurn:
    """The turn with nothing in it that cannot be recorded. Raises AgentFailed for what is no turn."""
    if not isinstance(turn, AgentTurn):
        kind = type(turn).__name__
        raise AgentFailed(_("The agent answered a {kind}, and no AgentTurn", kind=kind))
    predicted = turn.predicted
    if predicted is None:
        predicted = Invalid(_text(turn.raw), MALFORMED, _("The agent answered no action"))
    predicted = executable(predicted, ANY_SCREEN)
    return replace(
        turn, thought=_text(turn.thought), raw=_text(turn.raw), predicted=predicted,
        usage=_usage(turn.usage), timings_ms=_timings(turn.timings_ms), extra=_plain(turn.extra),
    )  # fmt: skip


def _text(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)


def _usage(usage: object) -> Usage:
    if not isinstance(usage, Usage):
        return Usage()
    numbers = (usage.input_tokens, usage.output_tokens, usage.cost, usage.time_ms)
    if any(number is not None and not isinstance(number, (int, float)) for number in numbers):
        return Usage()
    return usage


def _timings(values: object) -> Mapping[str, int]:
    if not isinstance(values, Mapping):
        return {}
    return {str(key): round(value) for key, value in values.items() if isinstance(value, (int, float))}


def _plain(extra: object) -> Mapping[str, Any]:
    """What JSON can hold of an agent's extra values; the others as their texts."""
    if not isinstance(extra, Mapping):
        return {}
    return {str(key): _as_json(value) for key, value in extra.items()}


def _as_json(value: object) -> Any:
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        return str(value)


@contextlib.contextmanager
def logged_thread(
    agent: Agent, cancel: threading.Event, keep: Callable[[Sequence[str]], object]
) -> Iterator[AgentThread]:
    """The thread of an agent for one episode; ``keep`` gets what it wrote last, as before a fault."""
    thread = AgentThread(agent, cancel)
    thread.taken_log()  # of an episode before
    try:
        yield thread
    finally:
        thread.close()
        with contextlib.suppress(UserError):  # the disk refused more than the log
            keep(thread.taken_log())
