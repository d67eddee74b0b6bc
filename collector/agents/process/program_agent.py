"""The agent ``process``: lets a program of any language answer, over JSON lines."""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from collector.agents.agent import SCREENSHOT, TREE, AgentEpisode, AgentUnavailable, Observation
from collector.agents.agent_log import AgentLog
from collector.agents.process import messages
from collector.agents.process.action_reader import read_action
from collector.agents.process.option_table import NODES, NONE, PATH
from collector.agents.process.program import AgentProgram, BrokenLine, ProgramFault
from collector.agents.process.program_options import ProgramOptions
from collector.agents.screen_elements import ElementList, list_elements
from collector.agents.translators.coordinates import AgentScreen
from collector.agents.translators.errors import Hallucinated, Malformed
from collector.agents.translators.registry import DIALECTS
from collector.device.errors import CallCancelled
from collector.endpoint.secret_value import SecretValue
from collector.model.action import HALLUCINATED, MALFORMED, Action, Invalid
from collector.model.episode import FOCUS, AgentTurn
from collector.model.i18n import _
from collector.store.redaction.secret_text import SecretTexts

_ALL = 1_000_000
_MAX_TEXT = 100_000
_MAX_KIND = 40
_MAX_LOGGED = 500
"""Characters of a line of the log."""
_MAX_SKIPPED = 200
"""Messages without an answer that a program may send at a step."""
_FAREWELL = {"type": messages.END}


class ProgramAgent:
    """Starts the program at the first episode, and keeps it for the next ones.

    One that fails is ended; the next episode starts it anew.
    """

    def __init__(self, options: ProgramOptions, folder: Path) -> None:
        """``folder`` is where the program runs."""
        self.options, self._folder = options, folder
        self._program: AgentProgram | None = None
        self._pictures: Path | None = None
        self._episode: AgentEpisode | None = None
        self._number = 0
        self._keys = [SecretValue(value) for value in options.secrets()]
        self._passwords = SecretTexts()
        self._log = AgentLog()

    def start(self) -> None:
        """Start the program and wait until it is ready. Raises AgentUnavailable when it fails."""
        with self._ending_on_fault():
            if self._program is not None and self._program.has_ended():
                self._program.end()
                self._program = None
            if self._program is None:
                self._start()

    def begin(self, episode: AgentEpisode) -> None:
        """Begin an episode. Raises AgentUnavailable when the program cannot be started or does not listen."""
        self._episode = episode
        self._remove_pictures()
        if self.options.screenshot == PATH:
            self._pictures = Path(tempfile.mkdtemp(prefix="waymark-agent-"))
        self.start()
        with self._ending_on_fault():
            self._spoken().send(messages.episode_message(episode), self.options.start_timeout_s)

    def act(self, observation: Observation, cancel: threading.Event) -> AgentTurn:
        """Ask the program. Raises AgentUnavailable and CallCancelled."""
        if self._episode is None:
            raise RuntimeError("act before begin")
        began = time.monotonic()
        elements = self._elements(observation)
        self._number += 1
        with self._ending_on_fault():
            program = self._spoken()
            try:
                answer = self._answer(program, self._message(observation, elements), cancel)
            except BrokenLine as line:
                answer = {"raw": line.raw, "problem": str(line)}
            except CallCancelled:
                with contextlib.suppress(ProgramFault):
                    program.send({"type": messages.CANCEL, "id": self._number}, 0.1)
                raise
        milliseconds = round((time.monotonic() - began) * 1000)
        return self._turn(answer, observation, elements, milliseconds)

    def hide_text(self, text: str) -> None:
        """Keep a password that was typed out of the log, whatever the program writes."""
        self._passwords.add_typed(text)

    def take_log(self) -> list[str]:
        """What the program wrote to its standard error and to the log since this was called last."""
        return [self._mask_of_log(line)[:_MAX_LOGGED] for line in self._log.take()]

    def close(self) -> None:
        """Say goodbye to the program, and end it."""
        program, self._program = self._program, None
        if program is not None:
            program.end(_FAREWELL)
        self._remove_pictures()

    # -- speaking ------------------------------------------------------------
    def _start(self) -> None:
        options = self.options
        program = self._program = AgentProgram(options.command[0], self._mask_of_log, self._log)
        program.start(options.arguments(), self._folder, options.environment(), options.start_timeout_s)
        try:
            reply = self._first_reply(program)
        except BrokenLine as line:
            raise ProgramFault(
                _("its first message cannot be read: {line}", line=repr(line.raw[:80]))
            ) from None
        if reply.get("type") == messages.ERROR:
            raise ProgramFault(_error_text(reply))
        if reply.get("type") != messages.READY:
            kind = repr(str(reply.get("type"))[:40])
            raise ProgramFault(_("it sent {kind} before `ready`", kind=kind))
        if reply.get("protocol", messages.VERSION) != messages.VERSION:
            version = repr(reply["protocol"])[:40]
            raise ProgramFault(_("it speaks version {version} of the protocol", version=version))

    def _first_reply(self, program: AgentProgram) -> dict[str, Any]:
        """The reply to `hello`; lines for the log may come before it."""
        seconds = self.options.start_timeout_s
        end = time.monotonic() + seconds
        reply = program.ask(messages.hello(self.options.config), seconds)
        for _number in range(_MAX_SKIPPED):
            if reply.get("type") != messages.LOG:
                return reply
            program.note(messages.log_text(reply))
            reply = program.receive(max(0.0, end - time.monotonic()), seconds)
        raise ProgramFault(_("it writes without waiting for observations"))

    def _answer(
        self, program: AgentProgram, observation: dict[str, Any], cancel: threading.Event
    ) -> dict[str, Any]:
        """The answer to an observation; late ones to observations before it are skipped."""
        end = time.monotonic() + self.options.timeout_s
        message = program.ask(observation, self.options.timeout_s, cancel)
        for _number in range(_MAX_SKIPPED):
            match message.get("type"):
                case messages.ERROR:
                    raise ProgramFault(_error_text(message))
                case messages.ANSWER:
                    number = message.get("id")
                    if number == self._number or not isinstance(number, int):
                        return message
                    if number > self._number:
                        raise ProgramFault(_("it answered {number}, which was not asked yet", number=number))
                case messages.LOG:
                    program.note(messages.log_text(message))
                case None:
                    return {"raw": json.dumps(message)[:_MAX_TEXT], "problem": _("The message has no `type`")}
                case messages.READY:
                    pass
                case unknown:
                    kind = json.dumps(unknown)[:_MAX_KIND]
                    problem = _("There is no message of the type {kind}", kind=kind)
                    return {"raw": json.dumps(message)[:_MAX_TEXT], "problem": problem}
            left = end - time.monotonic()
            if left <= 0:
                break
            message = program.receive(left, self.options.timeout_s, cancel)
        raise ProgramFault(_("it sent no answer within {seconds} s", seconds=f"{self.options.timeout_s:g}"))

    def _message(self, observation: Observation, elements: ElementList) -> dict[str, Any]:
        assert self._episode is not None
        hides_tree = self._episode.modality == SCREENSHOT
        return messages.observation_message(
            self._number, observation, self._episode.task.instruction, self._picture(observation),
            NONE if hides_tree else self.options.tree, elements.elements,
        )  # fmt: skip

    def _picture(self, observation: Observation) -> bytes | Path | None:
        assert self._episode is not None
        frame = observation.screen.frame
        if frame is None or self._episode.modality == TREE or self.options.screenshot == NONE:
            return None
        if self._pictures is None:
            return frame.png()
        path = self._pictures / f"screen-{self._number}.png"
        path.write_bytes(frame.png())
        return path

    def _elements(self, observation: Observation) -> ElementList:
        """The nodes that are sent, which answers of a dialect name by number."""
        assert self._episode is not None
        if self.options.tree != NODES or self._episode.modality == SCREENSHOT:
            return ElementList()
        return list_elements(
            observation.tree, observation.size, lambda point: (point.x, point.y), "compact", _ALL
        )

    # -- reading -------------------------------------------------------------
    def _turn(
        self, answer: dict[str, Any], observation: Observation, elements: ElementList, time_ms: int
    ) -> AgentTurn:
        usage = messages.read_usage(answer.get("usage"), time_ms)
        timings = {"think": time_ms}
        thought = self._text(answer.get("thought"))
        given = answer.get("raw")
        raw = self._text(given if isinstance(given, str) else json.dumps(answer.get("action")))
        problem = answer.get("problem") if "type" not in answer else None
        if problem is None and not isinstance(answer.get("id"), int):
            problem = _("The answer has no `{name}`", name="id")
        if problem is not None:
            return AgentTurn(thought, raw, Invalid(raw, MALFORMED, str(problem)), usage, timings)
        if answer.get("action") is None and isinstance(given, str):
            return self._turn_of_dialect(answer, raw, thought, observation, elements, usage, timings)
        predicted: Action
        extra: dict[str, Any] = {}
        try:
            read = read_action(answer.get("action"), observation.size)
            predicted = read.action
            if read.focus is not None:
                extra = {FOCUS: [read.focus.x, read.focus.y]}
        except Hallucinated as error:
            predicted = Invalid(raw, HALLUCINATED, str(error))
        except Malformed as error:
            predicted = Invalid(raw, MALFORMED, str(error))
        return AgentTurn(thought, raw, predicted, usage, timings, extra)

    def _turn_of_dialect(
        self, answer: dict[str, Any], raw: str, thought: str, observation: Observation, elements: ElementList,
        usage: Any, timings: dict[str, int],
    ) -> AgentTurn:  # fmt: skip
        name = answer.get("dialect") or self.options.dialect
        dialect = DIALECTS.get(name) if isinstance(name, str) else None
        if dialect is None:
            problem = _("The answer is raw text, and names no dialect that is known")
            return AgentTurn(thought, raw, Invalid(raw, MALFORMED, problem), usage, timings)
        size = observation.size
        with contextlib.suppress(ValueError):
            size = dialect.image_size(size)
        turn = dialect.read(raw, AgentScreen(observation.size, size, elements.rects))
        return AgentTurn(thought or turn.thought, raw, turn.predicted, usage, timings, turn.extra)

    def _text(self, value: object) -> str:
        text = value if isinstance(value, str) else ""
        return self._mask(text[: _MAX_TEXT + 1].encode("utf-8", "replace").decode())

    def _mask(self, text: str) -> str:
        for key in self._keys:
            text = key.mask(text)
        return text

    def _mask_of_log(self, text: str) -> str:
        return self._passwords.masked(self._mask(text))

    # -- ending --------------------------------------------------------------
    def _spoken(self) -> AgentProgram:
        if self._program is None:
            raise ProgramFault(_("it does not run"))
        return self._program

    @contextlib.contextmanager
    def _ending_on_fault(self) -> Any:
        """End a program that cannot be spoken with, and say so as AgentUnavailable."""
        try:
            yield
        except ProgramFault as fault:
            program, self._program = self._program, None
            if program is not None:
                program.end()
            what = _("The agent's program {command} gives no answer", command=self.options.text)
            raise AgentUnavailable(what, self._mask_of_log(str(fault)), self._where_written()) from None

    def _where_written(self) -> str:
        """Where a person finds what the program wrote: before an episode begins there is no log of one."""
        if not self._log.is_written:
            return ""
        if self._episode is None:
            return _("`waymark agent try` shows what it wrote")
        return _("`waymark agent try` and the log of the episode show what it wrote")

    def _remove_pictures(self) -> None:
        folder, self._pictures = self._pictures, None
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


def _error_text(message: dict[str, Any]) -> str:
    text = message.get("message")
    return _("it reports: {text}", text=" ".join(str(text).split())[:300])
