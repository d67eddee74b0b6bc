"""Read the conditions of an experiment: baseline, anomalies at steps, or the project's injection rules."""

from __future__ import annotations

from collector.anomalies.dialogs.dialog_forms import form_with_buttons
from collector.anomalies.model import Anomaly
from collector.located_yaml.diagnostics import Place
from collector.located_yaml.yaml_node import YamlNode
from collector.model.episode_text import BASELINE
from collector.model.i18n import _
from collector.run.experiment.keys import ALL, CONDITION, DEFAULT_AT, INJECTION, RULES_WORD
from collector.run.experiment.model import PlannedInjection, RunCondition
from collector.run.experiment.scope import ExperimentScope
from collector.run.experiment.value_reader import ExperimentValueReader


class RunConditionReader:
    """Reads the conditions; ``places`` has the node of each by its id."""

    def __init__(self, reader: ExperimentValueReader, scope: ExperimentScope) -> None:
        self._reader, self._scope = reader, scope
        self._rules = scope.injection_rules
        self.places: dict[str, YamlNode] = {}
        self.skipped: dict[str, RunCondition] = {}
        """Conditions that are left out of the run, by id."""

    def read(self, node: YamlNode | None) -> tuple[RunCondition, ...]:
        """The conditions of a list, or the only one; the baseline when the key is missing."""
        if node is None:
            return (RunCondition(BASELINE),)
        conditions = [self._condition(item) for item in self._reader.entries(node, "conditions")]
        return tuple(condition for condition in conditions if condition is not None)

    def _condition(self, node: YamlNode) -> RunCondition | None:
        if node.kind == "scalar" and node.text.strip():
            condition = self._of_word(node)
        elif node.kind == "mapping":
            condition = self._of_mapping(node)
        else:
            what = _("A condition is a word or a mapping")
            to_do = _("Write baseline, rules, the id of an anomaly, or a mapping with anomaly or rules")
            self._reader.wrong_shape(node, what, to_do)
            return None
        if condition is None:
            return None
        if condition.id in self.places:
            self._reader.report(
                "duplicate-id", (node.get("id") or node).place,
                _("Two conditions are called {id}", id=condition.id), "", _("Give one of them another id"),
            )  # fmt: skip
            return None
        self.places[condition.id] = node
        if self._reader.flag(node, "skip"):
            self.skipped[condition.id] = condition
            return None
        return condition

    def _of_word(self, node: YamlNode) -> RunCondition | None:
        word = node.text
        if word == BASELINE:
            return RunCondition(BASELINE)
        if word == RULES_WORD:
            return RunCondition(RULES_WORD, rules=())
        if word in self._rules and word not in self._scope.anomalies:
            return RunCondition(word, rules=(word,))
        known = [BASELINE, RULES_WORD, *self._scope.anomalies, *self._rules]
        if self._scope.has_project and word not in known:
            what = _("There is no anomaly and no injection rule called {word}", word=word)
            self._reader.report_word("unknown-name", what, word, known, node.place)
            return None
        anomaly = self._scope.anomalies.get(word)
        return RunCondition(
            word, (PlannedInjection(word, DEFAULT_AT),), category=anomaly.category if anomaly else ""
        )

    def _of_mapping(self, node: YamlNode) -> RunCondition | None:
        reader = self._reader
        reader.check_mapping(node, CONDITION)
        buttons, limit = reader.whole(node, CONDITION, "buttons"), reader.whole(node, CONDITION, "limit")
        self._refuse_mixtures(node)
        injections = self._injections(node, buttons)
        rules = self._rule_ids(node, buttons)
        anomalies = [injection.anomaly for injection in injections]
        name = reader.text(node, "id") or written_name(node)
        if (
            not injections
            and rules is None
            and any(node.get(key) for key in ("anomaly", "anomalies", "rules"))
        ):
            return None  # reported by its reader
        first = self._scope.anomalies.get(anomalies[0]) if anomalies else None
        category = first.category if first is not None else ""
        return RunCondition(name, injections, rules, limit or 1, buttons, category)

    def _refuse_mixtures(self, node: YamlNode) -> None:
        """Report keys that exclude each other, and those that have no effect."""
        present = [key for key in ("anomaly", "anomalies", "rules") if node.get(key) is not None]
        if len(present) > 1:
            what = _("A condition has either {first} or {second}", first=present[0], second=present[1])
            place = _key_place(node, present[1])
            self._reader.report("wrong-shape", place, what, to_do=_("Make two conditions of it"))
        for key, needed in (("at", "anomaly"), ("limit", "rules")):
            if node.get(key) is not None and node.get(needed) is None:
                what = _("{key} has no effect here", key=key)
                why = _("It belongs to {needed}", needed=needed)
                self._reader.report("unknown-setting", _key_place(node, key), what, why)
        if node.get("buttons") is not None and not present:
            what = _("{key} has no effect here", key="buttons")
            why = _("Nothing is injected")
            self._reader.report("unknown-setting", _key_place(node, "buttons"), what, why)

    def _injections(self, node: YamlNode, buttons: int | None) -> tuple[PlannedInjection, ...]:
        if node.get("anomaly") is not None:
            injection = self._injection(node, CONDITION, buttons)
            return (injection,) if injection is not None else ()
        value = self._reader.found(node, "anomalies")
        if value is None:
            return ()
        injections = [self._listed(item, buttons) for item in self._reader.entries(value, "anomalies")]
        planned = [injection for injection in injections if injection is not None]
        return tuple(sorted(planned, key=lambda injection: injection.at))

    def _listed(self, node: YamlNode, buttons: int | None) -> PlannedInjection | None:
        """An item of several in a row: an id, or a mapping with a step."""
        if node.kind == "scalar" and node.text.strip():
            anomaly = self._anomaly(node, buttons)
            return PlannedInjection(anomaly, DEFAULT_AT) if anomaly else None
        if node.kind != "mapping":
            self._reader.wrong_shape(node, _("An injection is an id, or a mapping of anomaly and at"))
            return None
        self._reader.check_mapping(node, INJECTION)
        return self._injection(node, INJECTION, buttons)

    def _injection(self, node: YamlNode, within: str, buttons: int | None) -> PlannedInjection | None:
        at = self._reader.whole(node, within, "at")
        value = self._reader.found(node, "anomaly")
        if value is None:
            return None
        if value.kind != "scalar":
            self._reader.wrong_shape(value, _("{key} has to be a text", key="anomaly"))
            return None
        anomaly = self._anomaly(value, buttons)
        return PlannedInjection(anomaly, at or DEFAULT_AT) if anomaly else None

    def _anomaly(self, node: YamlNode, buttons: int | None) -> str:
        """The id of the anomaly in the form that is asked for; empty when there is none."""
        if not self._scope.has_project:
            return node.text
        anomaly = self._scope.anomalies.get(node.text)
        if anomaly is None:
            what = _("There is no anomaly called {word}", word=node.text)
            self._reader.report_word("unknown-name", what, node.text, self._scope.anomalies, node.place)
            return ""
        form = form_with_buttons(anomaly, buttons, self._scope.anomalies.values())
        if form is None:
            self._report_form(anomaly, buttons, node.place)
            return ""
        return form.id

    def _report_form(self, anomaly: Anomaly, buttons: int | None, place: Place) -> None:
        what = _("{anomaly} has no form with {count} buttons", anomaly=anomaly.id, count=buttons)
        family = [known for known in self._scope.anomalies.values() if known.family == anomaly.family]
        counts = sorted({str(form.buttons) for form in family if form.language == anomaly.language})
        why = _("Its forms have {counts}", counts=", ".join(counts))
        self._reader.report("no-such-form", place, what, why, _("Choose another number, or another anomaly"))

    def _rule_ids(self, node: YamlNode, buttons: int | None) -> tuple[str, ...] | None:
        value = self._reader.found(node, "rules")
        if value is None:
            return None
        if value.kind == "scalar" and value.text == ALL:
            return ()
        ids = []
        for item in self._reader.words(node, CONDITION, "rules"):
            rule = self._rules.get(item.text)
            if rule is None and self._scope.has_project:
                what = _("There is no injection rule called {word}", word=item.text)
                self._reader.report_word("unknown-name", what, item.text, [ALL, *self._rules], item.place)
                continue
            ids.append(item.text)
            for action in rule.actions if rule is not None else ():
                anomaly = self._scope.anomalies.get(action.interference_id)
                known = self._scope.anomalies.values()
                if anomaly is not None and form_with_buttons(anomaly, buttons, known) is None:
                    self._report_form(anomaly, buttons, item.place)
        return tuple(ids) or None


def written_name(node: YamlNode) -> str:
    """The name of a condition that gives none itself: what it injects, and the number of buttons."""
    listed = node.get("anomalies") or node.get("anomaly") or node.get("rules")
    if listed is None:
        return BASELINE
    items = listed.items if listed.kind == "sequence" else [listed]
    named = [item.get("anomaly") or item for item in items]
    words = [RULES_WORD if item is node.get("rules") and item.text == ALL else item.text for item in named]
    buttons = node.get("buttons")
    return "+".join(words) + (f":{buttons.text}" if buttons is not None else "")


def _key_place(node: YamlNode, key: str) -> Place:
    written = node.key(key)
    return written.place if written is not None else node.place
