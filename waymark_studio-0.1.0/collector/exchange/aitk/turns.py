"""What an agent said in a step of an AITK run: its thought, its answer, and the action it asked for.

AITK keeps the answer as it came (``agent_message``) and the action that its translator made of it. An answer
that a translator cannot read, and an action that cannot be executed, are both written as ``end``, which is
what an agent's word of completion looks like. They are told apart here.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from collector.agents.translators import autoglm, qwen, ui_tars, ui_venus
from collector.agents.translators.coordinates import AgentScreen, smart_resize
from collector.agents.translators.dialect import Dialect
from collector.exchange.aitk.actions import action_from
from collector.model.action import HALLUCINATED, MALFORMED, Action, Complete, Impossible, Invalid, Wait
from collector.model.episode import AgentTurn
from collector.model.geometry import Point, Size
from collector.model.i18n import _

_NOT_EXECUTED = "task execution failed: "
_UNKNOWN_APP = "app_package"
"""In the error of AITK's executor for an app that its task file does not name."""
_UNREADABLE = frozenset((
    "No format output", "No action generated", "Click not parsed", "Long Press not parsed",
    "Swipe not parsed", "Drag not parsed", "Scroll not parsed", "Type text not parsed",
    "Open app not parsed", "Tap missing coordinates", "Long Press missing coordinates",
    "Double Tap missing coordinates", "Swipe missing coordinates",
))  # fmt: skip
"""What AITK's translators write for answers they cannot read."""
_UNKNOWN = frozenset(("unknown action", "System button not parsed"))
"""What they write for answers that are well-formed and ask for what AITK does not have."""
_PARSE_ERROR, _UNSUPPORTED = "Parse Error: ", "Unsupported action: "
_TERMINATED = {"success": Complete(), "failure": Impossible()}
"""``terminate`` of Qwen's agents: its status becomes the answer."""
_TOOL_CALL = re.compile(r"<tool_call>(.*?)(?:</tool_call>|\Z)", re.DOTALL)
_THOUGHTS = (
    re.compile(
        r"<(think|thinking|thought)>(.*?)(?:</\1>|(?=<(?:action|answer|tool_call)>)|\Z)",
        re.DOTALL | re.IGNORECASE,
    ),
    re.compile(
        r"(?:^|\n)\s*(Thought|Thinking|Reason)\s*:\s*(.*?)(?=\n\s*Action\s*:|<tool_call>|\Z)", re.DOTALL
    ),
    re.compile(r"\A(\s*)([^<\s].*?)(?=<tool_call>|<action>|<answer>)", re.DOTALL),
    re.compile(r"\A(\s*)([^<{(\[]+)\Z"),
)
"""Tagged, announced, before the tagged action, or prose alone; the thought is the second group."""
_FIELDS = ("thought", "thinking", "reason")


_TRANSLATORS: Mapping[str, tuple[Dialect, int]] = {
    "qwen25_vl": (qwen.QWEN25, 784_000),
    "infigui_r1": (qwen.QWEN25, 784_000),
    "infigui_g1": (qwen.QWEN25, 784_000),
    "ui_genie": (qwen.QWEN25, 784_000),
    "qwen3_vl": (qwen.QWEN3, 1_024_000),
    "ui_tars": (ui_tars.UI_TARS_15, 784_000),
    "ui_venus": (ui_venus.DIALECT, 784_000),
    "autoglm": (autoglm.DIALECT, 1_024_000),
}
"""AITK's translators: the dialect of each, and how many pixels it shows its agent unless told otherwise."""
_LEAST_PIXELS = 56 * 56
_ROUNDING_PX = 2
_MEASURED = ("duration_ms", "path", "length", "package")
_NO_SIZE = Size(0, 0)


@dataclass(frozen=True, slots=True)
class AitkStep:
    """A step of a run: what was executed, and what the agent said before it."""

    action: Action | None
    turn: AgentTurn


@dataclass(frozen=True, slots=True)
class AitkTranslator:
    """How the answers of a run are read: the dialect of its translator, when that is one of AITK's own."""

    dialect: Dialect | None = None
    max_pixels: int = 0
    """Of the images that the agent was shown; 0 when it saw them unchanged."""

    @classmethod
    def of(cls, config: object) -> AitkTranslator:
        """The translator of a run by its ``exp_args``."""
        config = config if isinstance(config, Mapping) else {}
        name, arguments = config.get("translator"), config.get("translator_args")
        dialect, usual = _TRANSLATORS.get(name, (None, 0)) if isinstance(name, str) else (None, 0)
        given = arguments.get("max_pixels") if isinstance(arguments, Mapping) else None
        return cls(dialect, given if type(given) is int and given > 0 else usual)

    def turn(self, raw: str, size: Size, executed: Action | None) -> AgentTurn | None:
        """What an answer about a screen of ``size`` says; None when the dialect or the size is not known.

        A fork may show its agent the screen itself: what was ``executed`` tells.
        """
        if self.dialect is None or size.is_empty or not raw:
            return None
        try:
            image = smart_resize(size, factor=28, min_pixels=_LEAST_PIXELS, max_pixels=self.max_pixels)
        except ValueError:
            return None
        whole = self.dialect.read(raw, AgentScreen(size))
        if executed is not None and _is_same(whole.predicted, executed):
            return whole
        return self.dialect.read(raw, AgentScreen(size, image))


_ANY_TRANSLATOR = AitkTranslator()


def read_step(
    values: Mapping[str, Any], translator: AitkTranslator = _ANY_TRANSLATOR, size: Size = _NO_SIZE
) -> AitkStep:
    """Read a step of a run, taken on a screen of ``size``."""
    message = values.get("agent_message")
    raw = message if isinstance(message, str) else "" if message is None else json.dumps(message)
    action = values.get("action")
    executed = _read_action(action, raw) if isinstance(action, Mapping) else None
    said = translator.turn(raw, size, executed)
    turn = AgentTurn(thought=(said.thought if said else "") or thought_of(raw), raw=raw)
    was_lost = executed is None or (isinstance(executed, Wait) and _failed(action))
    predicted = None if was_lost else executed
    if said is not None and (was_lost or _differs(said.predicted, executed)):
        predicted = said.predicted
    if executed is None and raw and (predicted is None or isinstance(predicted, Invalid)):
        # An answer that is no action is a step all the same.
        executed = predicted = predicted or Invalid(raw, MALFORMED, _("The answer asks for no action"))
    return AitkStep(executed, dataclasses.replace(turn, predicted=predicted))


def _read_action(action: Mapping[str, Any], raw: str) -> Action:
    try:
        return _executed(action, raw)
    except ValueError as error:
        problem = HALLUCINATED if str(error).startswith("unknown") else MALFORMED
        text = raw or json.dumps(action, ensure_ascii=False)
        return Invalid(text, problem, _("AITK cannot execute it: {why}", why=error))


def _differs(predicted: Action | None, executed: Action | None) -> bool:
    """Whether the agent asked for something else than was executed.

    What AITK understood is no invalid answer, even if we cannot read it; only the corner of the screen is
    what some of its translators tap when they understood nothing.
    """
    if executed is None or not isinstance(predicted, Invalid) or isinstance(executed, Invalid):
        return executed is None or not _is_same(predicted, executed)
    return executed.point == Point(0, 0)


def _is_same(predicted: Action | None, executed: Action) -> bool:
    """Whether AITK executed what was asked for, to its rounding and its small letters."""
    if predicted is None or predicted.kind != executed.kind:
        return False
    if isinstance(executed, Invalid):
        return True
    asked, done = dataclasses.asdict(predicted), dataclasses.asdict(executed)
    return all(
        abs(asked[name] - value) <= _ROUNDING_PX
        if name[0] in "xy"
        else str(asked[name]).casefold() == str(value).casefold()
        for name, value in done.items()
        if name not in _MEASURED
    )


def thought_of(raw: str) -> str:
    """The part of an answer in which the agent thinks aloud; empty when the answer is an action alone."""
    for pattern in _THOUGHTS:
        match = pattern.search(raw)
        if match and match[2].strip():
            return match[2].strip()
    try:
        values = json.loads(raw)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(values, dict):
        return ""
    return next((str(values[name]) for name in _FIELDS if values.get(name)), "")


def _executed(action: Mapping[str, Any], raw: str) -> Action:
    if action.get("action") != "end":
        return action_from(action)
    answer = str(action.get("answer") or "")
    if _failed(action):
        return _not_executed(answer.removeprefix(_NOT_EXECUTED), raw)
    if answer in _TERMINATED:
        return _TERMINATED[answer]
    if answer in _UNREADABLE or answer.startswith(_PARSE_ERROR) or _is_json_error(answer, raw):
        return Invalid(raw, MALFORMED, _("AITK could not read the answer: {why}", why=answer))
    if answer in _UNKNOWN or answer.startswith(_UNSUPPORTED):
        return Invalid(raw, HALLUCINATED, _("AITK has no such action: {why}", why=answer))
    return action_from(action)


def _failed(action: object) -> bool:
    if not isinstance(action, Mapping) or action.get("action") != "end":
        return False
    return str(action.get("answer") or "").startswith(_NOT_EXECUTED)


def _not_executed(why: str, raw: str) -> Action:
    """AITK's executor failed, and the run went on. Only the name of an unknown app is the agent's fault."""
    if _UNKNOWN_APP in why:
        return Invalid(raw, HALLUCINATED, _("AITK knows no app of the name in the answer"))
    return Wait(0)


def _is_json_error(answer: str, raw: str) -> bool:
    """Whether the answer is the error of Python that AITK writes for JSON it cannot read."""
    call = _TOOL_CALL.search(raw)
    if not answer or call is None:
        return False
    try:
        values = json.loads(call[1].strip())
        values["arguments"]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        return str(error) == answer
    return False
