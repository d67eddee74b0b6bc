"""Read the agents of an experiment: kinds by name, or mappings with options."""

from __future__ import annotations

from typing import Any

from collector.agents.kinds import AgentKind, NotInstalledHere
from collector.endpoint.written_secrets import secret_in
from collector.located_yaml.diagnostics import Place
from collector.located_yaml.yaml_node import YamlNode
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.plugins.options import meant_option, option_problems, with_defaults
from collector.run.experiment.keys import AGENT, names_in
from collector.run.experiment.model import AgentEntry
from collector.run.experiment.scope import ExperimentScope
from collector.run.experiment.value_reader import ExperimentValueReader, plain_options

_AGENT_KEYS = names_in(AGENT)


class AgentReader:
    """Reads the agents; ``places`` has the node of each by its id."""

    def __init__(self, reader: ExperimentValueReader, scope: ExperimentScope) -> None:
        self._reader, self._scope = reader, scope
        self.places: dict[str, YamlNode] = {}
        self.skipped: dict[str, AgentEntry] = {}
        """Agents that are left out of the run, by id."""

    def read(self, node: YamlNode | None) -> tuple[AgentEntry, ...]:
        """The agents of a list, or the only one."""
        if node is None:
            return ()
        entries = [self._entry(item) for item in self._reader.entries(node, "agents")]
        return tuple(entry for entry in entries if entry is not None)

    def _entry(self, node: YamlNode) -> AgentEntry | None:
        if node.kind == "scalar" and node.text.strip():
            entry = AgentEntry(node.text, node.text)
            if (kind := self._kind(node)) is not None:
                self._check_options(node, kind, [], {})
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
        if self._reader.flag(node, "skip"):
            self.skipped[entry.id] = entry
            return None
        return entry

    def _of_mapping(self, node: YamlNode) -> AgentEntry:
        reader = self._reader
        kind_node = reader.found(node, "kind")
        kind = self._kind(kind_node) if kind_node is not None and kind_node.kind == "scalar" else None
        given = [pair for pair in node.pairs if pair[0].text not in _AGENT_KEYS]
        reader.check_mapping(node, AGENT, [key.text for key, _value in given])
        written = reader.text(node, "kind")
        inner = reader.found(node, "options")
        if inner is not None:
            given += reader.pairs(inner, _("options is a mapping of names to values"))
        options = self._options(given, kind)
        if kind is not None:
            self._check_options(node, kind, given, options)
        modalities = tuple(item.text for item in reader.words(node, AGENT, "modality"))
        return AgentEntry(reader.text(node, "id") or written, written, options, modalities)

    def _kind(self, node: YamlNode) -> AgentKind | None:
        kind = self._scope.kinds.get(node.text)
        if kind is None and self._scope.kinds:
            what = _("There is no kind of agent called {word}", word=node.text)
            why = _("No installed package brings it")
            self._reader.report_word("unknown-agent", what, node.text, self._scope.kinds, node.place, why)
        return kind

    def _options(self, pairs: list[tuple[YamlNode, YamlNode]], kind: AgentKind | None) -> dict[str, Any]:
        """The options as they are written; the text of a scalar where the kind declares a text."""
        texts = {option.name for option in kind.options if option.type is str} if kind is not None else set()
        options: dict[str, Any] = {}
        for key, value in pairs:
            self._check_secret(key, value)
            is_text = key.text in texts and value.kind == "scalar" and not value.is_null
            options[key.text] = value.text if is_text else plain_options(value)
        return options

    def _check_options(
        self, node: YamlNode, kind: AgentKind, pairs: list[tuple[YamlNode, YamlNode]], options: dict[str, Any]
    ) -> None:
        written = {key.text: (key, value) for key, value in pairs}
        problems = list(option_problems(kind, options))
        if not problems and self._scope.has_project:
            self._check_values(node, kind, options)
        for problem in problems:
            pair = written.get(problem.option)
            if pair is None:
                place = (node.get("kind") or node).place
                self._reader.report("bad-option", place, problem.problem, "", problem.to_do)
            elif problem.option not in {option.name for option in kind.options}:
                known = [*(option.name for option in kind.options), *_AGENT_KEYS]
                word = pair[0].text
                meant = "" if word in _AGENT_KEYS else meant_option(word, kind.options)
                self._reader.report_word(
                    "bad-option", problem.problem, word, known, pair[0].place, meant=meant
                )
            else:
                self._reader.report("bad-option", pair[1].place, problem.problem, "", problem.to_do)

    def _check_values(self, node: YamlNode, kind: AgentKind, options: dict[str, Any]) -> None:
        try:
            kind.check(with_defaults(kind, options), self._scope.project)
        except NotInstalledHere as error:
            self._reader.report("not-installed", self._place(node), error.what, error.why, error.to_do)
        except UserError as error:
            self._reader.report("bad-option", self._place(node), error.what, error.why, error.to_do)

    @staticmethod
    def _place(node: YamlNode) -> Place:
        return (node.get("kind") or node).place

    def _check_secret(self, key: YamlNode, value: YamlNode) -> None:
        if secret_in({key.text: plain_options(value)}):
            what = _("{key} looks like a key or a password", key=key.text)
            why = _("The file of an experiment is read and shared by others")
            to_do = _("Keep it in the keyring or in an environment variable, and remove it here")
            self._reader.report("secret-in-file", value.place, what, why, to_do)
