"""Read scripts of agents: YAML lists of actions, by task or for every task, with errors that say where."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from collector.agents.script import AgentScript, NodePlace, PixelPlace, ScriptedAction, ScriptPlace
from collector.hierarchy.errors import SelectorError
from collector.hierarchy.selectors import parse_selector
from collector.hierarchy.xpath.find import looks_like_xpath
from collector.located_yaml.diagnostics import Diagnostic, Severity
from collector.located_yaml.nearest_word import nearest
from collector.located_yaml.source import read_source
from collector.located_yaml.value_reader import is_number
from collector.located_yaml.yaml_node import YamlNode
from collector.model.action import ACTIONS, DIRECTIONS, KEY_NAMES
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.rules.grammar.condition_reader import ConditionReader
from collector.rules.grammar.model import Group
from collector.rules.grammar.value_reader import RuleValueReader

IF, WAIT_FOR = "if", "wait_for"
DEFAULT = "default"
"""The script of the tasks that a file does not name."""
_AT, _FROM, _TO, _ERASE, _DIRECTION = "at", "from", "to", "erase", "direction"


@dataclass(frozen=True, slots=True)
class _Shape:
    """How an action is written: what its short form means, and the keys of its long form."""

    short: str = ""
    """Key that a value which is no mapping stands for; empty for an action without values."""
    keys: Mapping[str, type] = ()  # type: ignore[assignment]
    required: tuple[str, ...] = ()


_PLACE = object
_SHAPES: Mapping[str, _Shape] = {
    "tap": _Shape(_AT, {_AT: _PLACE, "duration_ms": int}, (_AT,)),
    "double_tap": _Shape(_AT, {_AT: _PLACE}, (_AT,)),
    "long_press": _Shape(_AT, {_AT: _PLACE, "duration_ms": int}, (_AT,)),
    "swipe": _Shape(_DIRECTION, {_FROM: _PLACE, _TO: _PLACE, _DIRECTION: str, "duration_ms": int}),
    "drag": _Shape("", {_FROM: _PLACE, _TO: _PLACE, "duration_ms": int}, (_FROM, _TO)),
    "scroll": _Shape(_DIRECTION, {_AT: _PLACE, _DIRECTION: str}),
    "pinch": _Shape(_AT, {_AT: _PLACE, "scale": float, "duration_ms": int}, (_AT,)),
    "type": _Shape("text", {"text": str, _ERASE: int}, ("text",)),
    "key": _Shape("key", {"key": str}, ("key",)),
    "open_app": _Shape("package", {"package": str, "name": str}),
    "wait": _Shape("duration_ms", {"duration_ms": int}),
    "answer": _Shape("text", {"text": str}, ("text",)),
    "complete": _Shape(),
    "impossible": _Shape("reason", {"reason": str}),
    "ask_user": _Shape("question", {"question": str}),
}


def read_script_file(text: str, name: str) -> dict[str, AgentScript]:
    """The scripts of a file by task; a file that is one list has it under DEFAULT.

    Raises UserError with the line of the first mistake.
    """
    reader = _ScriptReader(text, name)
    root = reader.root
    if root is not None and root.kind == "mapping":
        scripts = {key.text: reader.script(value) for key, value in root.pairs}
    else:
        scripts = {DEFAULT: reader.script(root)}
    reader.refuse_mistakes()
    return scripts


def read_script(actions: list[Any]) -> AgentScript:
    """The script that an experiment holds itself. Raises UserError with the number of the wrong action."""
    try:
        text = json.dumps(actions, ensure_ascii=False)
    except (TypeError, ValueError) as error:
        raise UserError(_("The actions of the script cannot be read"), str(error)) from None
    reader = _ScriptReader(text, "")
    script = reader.script(reader.root)
    reader.refuse_mistakes()
    return script


class _ScriptReader:
    def __init__(self, text: str, name: str) -> None:
        source = read_source(text)
        self.root = source.root
        self._name = name
        self._diagnostics: list[Diagnostic] = list(source.diagnostics)
        self._values = RuleValueReader(self._diagnostics)
        self._conditions = ConditionReader(self._values)

    def script(self, node: YamlNode | None) -> AgentScript:
        if node is None or node.kind != "sequence":
            place = node.place if node is not None else None
            if place is not None and not self._diagnostics:
                self._values.report("wrong-shape", place, _("A script is a list of actions"))
            return AgentScript((), self._name)
        actions = []
        for number, item in enumerate(node.items, start=1):
            self._values.rule_id = str(number)
            action = self._action(number, item)
            if action is not None:
                actions.append(action)
        self._values.rule_id = ""
        return AgentScript(tuple(actions), self._name)

    def refuse_mistakes(self) -> None:
        """Raise UserError for the first mistake."""
        wrong = [entry for entry in self._diagnostics if entry.severity is not Severity.INFO]
        if not wrong:
            return
        first = min(wrong, key=lambda entry: entry.place)
        fix = first.fixes[0].title if first.fixes else ""
        if self._name:
            where = f"{self._name}:{first.place.line}:{first.place.column}"
        else:
            where = _("Action {number} of the script", number=first.rule_id or 1)
        what = _("{where}: {what}", where=where, what=first.what)
        raise UserError(what, first.why, first.to_do or fix)

    # -- one action ----------------------------------------------------------
    def _action(self, number: int, node: YamlNode) -> ScriptedAction | None:
        if node.kind == "scalar" and node.text == "complete":
            return ScriptedAction(node.text, number, place=node.place)
        if node.kind != "mapping":
            what = _("An action is written as {example}", example="tap: \"text='Save'\"")
            self._values.report("wrong-shape", node.place, what)
            return None
        kinds = [(key, value) for key, value in node.pairs if key.text not in (IF, WAIT_FOR)]
        if not kinds:
            self._values.report("missing-field", node.place, _("Here is no action to do"))
            return None
        for key, _value in kinds[1:]:
            self._values.report("unknown-key", key.place, _("{key} is a second action", key=key.text))
        key, value = kinds[0]
        shape = _SHAPES.get(key.text)
        if shape is None:
            near = nearest(key.text, _SHAPES)
            to_do = _("Write {word}", word=near) if near else _("Use: {known}", known=", ".join(_SHAPES))
            what = _("There is no action {name}", name=key.text)
            self._values.report("unknown-type", key.place, what, to_do=to_do)
            return None
        return self._of_shape(number, key, value, shape, node)

    def _of_shape(
        self, number: int, key: YamlNode, value: YamlNode, shape: _Shape, node: YamlNode
    ) -> ScriptedAction | None:  # fmt: skip
        mistakes = len(self._diagnostics)
        given = {name: self._value(key.text, name, item, shape) for name, item in self._given(value, shape)}
        for name in shape.required:
            if name not in given:
                what = _("{action} needs {key}", action=key.text, key=name)
                self._values.report("missing-field", key.place, what)
        if key.text == "swipe" and not (_DIRECTION in given or {_FROM, _TO} <= set(given)):
            what = _("swipe needs a direction, or from and to")
            self._values.report("missing-field", key.place, what)
        if key.text == "open_app" and not given:
            self._values.report("missing-field", key.place, _("open_app needs a package or a name"))
        when, wait_for = self._group(node.get(IF)), self._group(node.get(WAIT_FOR))
        if len(self._diagnostics) > mistakes:
            return None
        at, to = given.pop(_AT, None) or given.pop(_FROM, None), given.pop(_TO, None)
        erase = given.pop(_ERASE, 0)
        direction = given.pop(_DIRECTION, "") if key.text == "swipe" else ""
        return ScriptedAction(key.text, number, at, to, given, direction, erase, when, wait_for, node.place)

    def _given(self, value: YamlNode, shape: _Shape) -> Iterator[tuple[str, YamlNode]]:
        """The keys of the long form; the short form has one, an action without values none."""
        if value.kind == "mapping" and not {"x", "y"} <= {key.text for key, _value in value.pairs}:
            self._values.check_keys(value, shape.keys)
            yield from ((key.text, item) for key, item in value.pairs if key.text in dict(shape.keys))
        elif value.is_null:
            return
        elif shape.short:
            yield shape.short, value
        else:
            self._values.report("wrong-shape", value.place, _("This action takes no value"))

    def _value(self, kind: str, name: str, node: YamlNode, shape: _Shape) -> Any:
        wanted = dict(shape.keys)[name]
        if wanted is _PLACE:
            return self._place(node)
        if wanted is str:
            return self._text(kind, name, node)
        number = node.plain if is_number(node) else None
        if number is None or number < 0 or (wanted is int and number != int(number)):
            self._values.report("wrong-shape", node.place, _("{key} has to be a number", key=name))
            return 0
        return wanted(number)

    def _text(self, kind: str, name: str, node: YamlNode) -> str:
        if node.kind != "scalar" or node.is_null:
            self._values.report("wrong-shape", node.place, _("{key} has to be a text", key=name))
            return ""
        known = DIRECTIONS if name == _DIRECTION else KEY_NAMES if kind == "key" else ()
        if known and node.text not in known and not node.text.startswith("code:"):
            near = nearest(node.text, known)
            what = _("There is no {key} called {word}", key=name, word=node.text)
            to_do = _("Write {word}", word=near) if near else _("Use: {known}", known=", ".join(known))
            self._values.report("unknown-type", node.place, what, to_do=to_do)
        return node.text

    def _place(self, node: YamlNode) -> ScriptPlace | None:
        """``[x, y]``, ``{x:, y:}``, a selector, an XPath or words."""
        numbers = node.items
        if node.kind == "mapping":
            numbers = [item for name in ("x", "y") if (item := node.get(name)) is not None]
            self._values.check_keys(node, ("x", "y"))
        if node.kind in ("sequence", "mapping"):
            if len(numbers) != 2 or not all(is_number(item) and item.plain >= 0 for item in numbers):
                what = _("A place is [x, y] in pixels, or in shares of the screen as in [0.5, 0.9]")
                self._values.report("wrong-shape", node.place, what)
                return None
            x, y = (item.plain for item in numbers)
            return PixelPlace(x, y, any(isinstance(value, float) for value in (x, y)) and max(x, y) <= 1)
        if node.is_null or not node.text.strip():
            self._values.report("wrong-shape", node.place, _("A node or a place was expected here"))
            return None
        return self._node(node)

    def _node(self, node: YamlNode) -> NodePlace | None:
        text = node.text
        try:
            selector = parse_selector(text)
        except SelectorError as error:
            if looks_like_xpath(text) or _looks_like_selector(text):
                self._values.report("bad-selector", node.place, error.what, error.why, error.to_do)
                return None
            return NodePlace(text)
        return NodePlace(text, selector)

    def _group(self, node: YamlNode | None) -> Group | None:
        return self._conditions.group(node, dgara_list=True) if node is not None else None


def _looks_like_selector(text: str) -> bool:
    """Whether somebody meant a selector, and not the words on a node."""
    name, equals, _value = text.partition("=")
    return bool(equals) and name.strip("*^$ ").replace("-", "").isidentifier()


assert set(_SHAPES) == set(ACTIONS) - {"invalid"}
