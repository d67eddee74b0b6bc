"""Read the values of an anomaly library as its grammar defines them."""

from __future__ import annotations

import re

from collector.anomalies import grammar
from collector.anomalies.model import (
    ANY_VERSION,
    AndroidVersions,
    AnomalyParameter,
    ChangeCheck,
    FollowUp,
    NativeCommands,
    RememberedValue,
    ShellCommand,
)
from collector.located_yaml.diagnostics import Place
from collector.located_yaml.value_reader import ValueReader, is_flag, is_number
from collector.located_yaml.yaml_node import YamlNode
from collector.model.companion.activities import FLAG, TEXT
from collector.model.i18n import _

_VERSIONS = re.compile(r"(\d{1,2})(?:(\+)|-(\d{1,2}))?")


class AnomalyValueReader(ValueReader):
    """Reads versions, commands, parameters and follow-ups of anomalies."""

    def versions(self, node: YamlNode | None) -> AndroidVersions:
        """``12+``, ``8-11`` or ``10``."""
        if node is None:
            return ANY_VERSION
        match = _VERSIONS.fullmatch(node.text) if node.kind == "scalar" else None
        if match is None or (match[3] and int(match[3]) < int(match[1])):
            self.wrong_shape(node, _("Android versions are written 12+, 8-11 or 10"))
            return ANY_VERSION
        lowest = int(match[1])
        return AndroidVersions(lowest, 0 if match[2] else int(match[3] or lowest))

    def command(self, node: YamlNode) -> ShellCommand:
        if node.kind != "scalar" or not node.text.strip() or "\0" in node.text:
            self.wrong_shape(node, _("A shell command was expected here"))
            return ShellCommand("", node.place)
        return ShellCommand(node.text, node.place)

    def commands(self, node: YamlNode | None) -> tuple[ShellCommand, ...]:
        return tuple(command for item in self.items(node) if (command := self.command(item)).text)

    # -- parameters ----------------------------------------------------------
    def parameters(self, node: YamlNode | None) -> tuple[AnomalyParameter, ...]:
        """The parameters of an entry; a plain value is a text, as D-GARA sends it."""
        parameters = (self._parameter(key.text, value) for key, value in self.pairs(node))
        return tuple(parameter for parameter in parameters if parameter is not None)

    def _parameter(self, name: str, node: YamlNode) -> AnomalyParameter | None:
        if node.kind == "scalar":
            return self._plain(name, node)
        if node.kind != "mapping":
            self.wrong_shape(node, _("{key} has to be a text", key=name))
            return None
        self.check_keys(node, grammar.PARAMETER_KEYS)
        kind = self.word(node, "type", tuple(grammar.TYPES)) or TEXT
        value = node.get("value")
        if value is None or not _is(kind, value):
            what = _("The value of {key} has to be of the type {type}", key=name, type=kind)
            self.wrong_shape(value or node, what)
            return None
        lowest, highest = self.number(node, "minimum"), self.number(node, "maximum")
        plain = value.text if kind == TEXT else value.plain
        if not self._is_carried(name, value.text, value.place):
            return None
        if not isinstance(plain, str) and not _between(plain, lowest, highest):
            what = _("{key} is {value}", key=name, value=value.text)
            self.report("out-of-range", value.place, what)
        return AnomalyParameter(
            name, kind, plain, lowest, highest, self.text(node, "description"), value.place
        )

    def _plain(self, name: str, node: YamlNode) -> AnomalyParameter | None:
        """A text as D-GARA writes it; a key without a value is an empty text."""
        text = "" if node.plain is None else node.text
        if self._is_carried(name, text, node.place):
            return AnomalyParameter(name, TEXT, text, place=node.place)
        return None

    def _is_carried(self, name: str, text: str, place: Place) -> bool:
        """Whether a command can carry a text; report one that it cannot."""
        if "\0" in text:
            self.report("wrong-shape", place, _("{key} has a character no command can carry", key=name))
        return "\0" not in text

    # -- what runs -----------------------------------------------------------
    def follow_ups(self, node: YamlNode) -> tuple[FollowUp, ...]:
        """The follow-ups of one answer."""
        follow_ups = (self._follow_up(item) for item in self.items(node))
        return tuple(follow_up for follow_up in follow_ups if follow_up is not None)

    def _follow_up(self, node: YamlNode) -> FollowUp | None:
        if node.kind != "mapping":
            self.wrong_shape(node, _("What follows an answer is a mapping with a type"))
            return None
        kind = self.word(node, "type", tuple(grammar.FOLLOW_UP_KEYS))
        if not kind:
            if node.get("type") is None:
                self.report("missing-field", node.place, _("What follows an answer needs a type"))
            return None
        self.check_keys(node, grammar.FOLLOW_UP_KEYS[kind])
        description = self.text(node, "description")
        if kind == grammar.LOG:
            return FollowUp(kind, None, self.text(node, "message"), description)
        written = node.get("command")
        if written is None:
            self.report("missing-field", node.place, _("A follow-up of the type adb needs a command"))
            return None
        command = self.command(written)
        return FollowUp(kind, command, "", description) if command.text else None

    def native(self, node: YamlNode | None) -> tuple[NativeCommands, ...]:
        """What makes a native change, for each range of Android versions."""
        commands = []
        for item in self.items(node):
            if item.kind != "mapping":
                self.wrong_shape(item, _("Commands are mappings with what they apply"))
                continue
            self.check_keys(item, grammar.NATIVE_KEYS)
            apply = self.commands(item.get("apply"))
            if not apply:
                self.report("missing-field", item.place, _("The commands apply nothing"))
            remember = {key.text: self._remembered(value) for key, value in self.pairs(item.get("remember"))}
            checks = [self._check(check) for check in self.items(item.get("verify"))]
            versions, undo = self.versions(item.get("android")), self.commands(item.get("undo"))
            verify = tuple(check for check in checks if check is not None)
            commands.append(NativeCommands(versions, apply, undo, remember, verify))
        return tuple(commands)

    def _remembered(self, node: YamlNode) -> RememberedValue:
        """A command, or a mapping of one and the pattern of what counts in its output."""
        if node.kind != "mapping":
            return RememberedValue(self.command(node))
        self.check_keys(node, grammar.REMEMBER_KEYS)
        pattern = self._pattern(node, "pattern")
        if pattern and not re.compile(pattern).groups:
            self.wrong_shape(node, _("The pattern has no group, as in (.+)"))
            pattern = ""
        return RememberedValue(self.command(node.get("command") or node), pattern)

    def _check(self, node: YamlNode) -> ChangeCheck | None:
        if node.kind != "mapping":
            self.wrong_shape(node, _("A check is a mapping of command and expect"))
            return None
        self.check_keys(node, grammar.VERIFY_KEYS)
        command = self.command(node.get("command") or node)
        expect = self._pattern(node, "expect")
        if not expect and node.get("expect") is None:
            self.report("missing-field", node.place, _("A check needs what it expects"))
        once = self.flag(node, "once")
        return ChangeCheck(command, expect, once) if command.text and expect else None

    def _pattern(self, node: YamlNode, key: str) -> str:
        """A regular expression, its ``{parameter}`` not filled in; empty when it is none."""
        text = self.text(node, key)
        try:
            re.compile(grammar.NAMED.sub("x", text))
        except re.error as error:
            place = (node.get(key) or node).place
            self.report("wrong-shape", place, _("{key} is no regular expression: {why}", key=key, why=error))
            return ""
        return text


def _is(kind: str, node: YamlNode) -> bool:
    """Whether a scalar is of a type; true and false are no numbers, and any scalar reads as a text."""
    if node.kind != "scalar" or kind == TEXT:
        return node.kind == "scalar"
    if kind == FLAG:
        return is_flag(node)
    return is_number(node) and isinstance(node.plain, grammar.TYPES[kind])


def _between(value: float, lowest: float | None, highest: float | None) -> bool:
    return (lowest is None or value >= lowest) and (highest is None or value <= highest)
