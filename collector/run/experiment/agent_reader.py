"""Read the agents of an experiment: kinds by name, or mappings with options."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from collector.agents.kinds import AgentKind, AgentOption
from collector.located_yaml.value_reader import is_flag, is_number
from collector.located_yaml.yaml_node import YamlNode
from collector.model.i18n import _
from collector.run.experiment import secrets
from collector.run.experiment.keys import AGENT, names_in
from collector.run.experiment.model import AgentEntry
from collector.run.experiment.scope import ExperimentScope
from collector.run.experiment.value_reader import ExperimentValueReader, plain_options

_AGENT_KEYS = names_in(AGENT)
_TYPE_NAMES = {
    str: "text", int: "whole number", float: "number", bool: "true or false", list: "list", dict: "mapping",
}  # fmt: skip


class AgentReader:
    """Reads the agents; ``places`` has the node of each by its id."""

    def __init__(self, reader: ExperimentValueReader, scope: ExperimentScope) -> None:
        self._reader, self._scope = reader, scope
        self.places: dict[str, YamlNode] = {}

    def read(self, node: YamlNode | None) -> tuple[AgentEntry, ...]:
        """The agents of a list, or the only one."""
        if node is None:
            return ()
        entries = [self._entry(item) for item in self._reader.entries(node, "agents")]
        return tuple(entry for entry in entries if entry is not None)

    def _entry(self, node: YamlNode) -> AgentEntry | None:
        if node.kind == "scalar" and node.text.strip():
            entry = AgentEntry(node.text, node.text)
            self._kind(node)
        elif node.kind == "mapping":
            entry = self._of_mapping(node)
        else:
            what = _("An agent is a kind, or a mapping with a kind")
            to_do = _("Write {example}, for example", example="{id: mine, kind: golden}")
            self._reader.wrong_shape(node, what, to_do)
            return None
        if not entry.kind:
            return None
        if entry.id in self.places:
            self._reader.report(
                "duplicate-id", (node.get("id") or node).place,
                _("Two agents are called {id}", id=entry.id), "", _("Give one of them another id"),
            )  # fmt: skip
            return None
        self.places[entry.id] = node
        return entry

    def _of_mapping(self, node: YamlNode) -> AgentEntry:
        reader = self._reader
        kind_node = reader.value(node, "kind")
        kind = self._kind(kind_node) if kind_node is not None and kind_node.kind == "scalar" else None
        given = [pair for pair in node.pairs if pair[0].text not in _AGENT_KEYS]
        reader.check_mapping(node, AGENT, [key.text for key, _value in given])
        written = reader.plain_text(node, "kind")
        inner = reader.value(node, "options")
        if inner is not None:
            given += reader.pairs(inner, _("options is a mapping of names to values"))
        options = self._options(given, kind)
        if kind is not None:
            self._check_required(node, kind, options)
        modalities = tuple(item.text for item in reader.words(node, AGENT, "modality"))
        return AgentEntry(reader.plain_text(node, "id") or written, written, options, modalities)

    def _kind(self, node: YamlNode) -> AgentKind | None:
        kind = self._scope.kinds.get(node.text)
        if kind is None and self._scope.kinds:
            what = _("There is no kind of agent called {word}", word=node.text)
            why = _("no installed package brings it")
            self._reader.report_word("unknown-agent", what, node.text, self._scope.kinds, node.place, why)
        return kind

    def _options(self, pairs: list[tuple[YamlNode, YamlNode]], kind: AgentKind | None) -> Mapping[str, Any]:
        options: dict[str, Any] = {}
        known = {option.name: option for option in kind.options} if kind is not None else None
        for key, value in pairs:
            self._check_secret(key, value)
            if known is not None and kind is not None and key.text not in known:
                what = _("Agents of the kind {kind} have no option {key}", kind=kind.id, key=key.text)
                self._reader.report_word("bad-option", what, key.text, [*known, *_AGENT_KEYS], key.place)
                continue
            if known is None or self._fits(known[key.text], value):
                options[key.text] = plain_options(value)
        return options

    def _fits(self, option: AgentOption, node: YamlNode) -> bool:
        if not _is_of(option.type, node):
            what = _("{key} has to be a {type}", key=option.name, type=_TYPE_NAMES.get(option.type, "text"))
            self._reader.report("bad-option", node.place, what)
            return False
        if option.choices and node.text not in option.choices:
            what = _("There is no {key} called {word}", key=option.name, word=node.text)
            self._reader.report_word("bad-option", what, node.text, option.choices, node.place)
            return False
        return True

    def _check_required(self, node: YamlNode, kind: AgentKind, options: Mapping[str, Any]) -> None:
        for option in kind.options:
            if option.required and option.name not in options:
                what = _("Agents of the kind {kind} need {key}", kind=kind.id, key=option.name)
                self._reader.report("bad-option", (node.get("kind") or node).place, what, option.description)

    def _check_secret(self, key: YamlNode, value: YamlNode) -> None:
        if secrets.looks_like_a_secret(key.text, json.dumps(plain_options(value))):
            what = _("{key} looks like a key or a password", key=key.text)
            why = _("the file of an experiment is read and shared by others")
            to_do = _("Keep it in the keyring or in an environment variable, and remove it here")
            self._reader.report("secret-in-file", value.place, what, why, to_do)


def _is_of(kind: type, node: YamlNode) -> bool:
    """Whether a node is of the type of an option; any scalar reads as a text."""
    if kind is list:
        return node.kind == "sequence"
    if kind is dict:
        return node.kind == "mapping"
    if node.kind != "scalar" or node.is_null:
        return False
    if kind is bool:
        return is_flag(node)
    if kind in (int, float):
        return is_number(node) and (kind is float or isinstance(node.plain, int))
    return True
