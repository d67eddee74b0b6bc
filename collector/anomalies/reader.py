"""Read a library of anomalies, D-GARA's or ours, with a diagnostic for what cannot be read."""

from __future__ import annotations

from dataclasses import replace

from collector.anomalies import grammar
from collector.anomalies.model import (
    CATEGORIES,
    COMPANION_KIND,
    KINDS,
    NATIVE,
    Anomaly,
    AnomalyLibrary,
    DialogAnswer,
    FollowUp,
)
from collector.anomalies.value_reader import AnomalyValueReader
from collector.located_yaml.diagnostics import Place
from collector.located_yaml.source import YamlSource, read_source
from collector.located_yaml.yaml_node import YamlNode
from collector.model.anomaly_terms import EVENT_PREFIX, STANDARD_ANSWERS
from collector.model.companion.activities import ACTIVITIES, DialogButton
from collector.model.i18n import _
from collector.model.risk import RISKS


def read_library(text: str, path: str = "") -> AnomalyLibrary:
    """The anomalies of ``text``, with all diagnostics of its grammar. Never raises."""
    return library_of(read_source(text), path)


def library_of(source: YamlSource, path: str = "") -> AnomalyLibrary:
    """As :func:`read_library`, from a text or an entry that was parsed already."""
    reader = AnomalyValueReader(list(source.diagnostics))
    anomalies = tuple(_anomaly(reader, node) for node in _entries(reader, source.root))
    diagnostics = (replace(diagnostic, path=path) for diagnostic in reader.diagnostics)
    return AnomalyLibrary(anomalies, tuple(diagnostics), path)


def _entries(reader: AnomalyValueReader, root: YamlNode | None) -> list[YamlNode]:
    """The mappings of the list that ``root`` is or holds."""
    if root is None:
        return []
    listed: YamlNode | None = root
    if root.kind == "mapping":
        listed = next((node for name in grammar.ROOTS if (node := root.get(name)) is not None), None)
    if listed is not None and listed.kind == "scalar" and listed.plain is None:
        return []  # the list whose last anomaly was taken out
    if listed is None or listed.kind != "sequence":
        what = _("A library is a list called {name}", name=grammar.ROOTS[0])
        reader.report("wrong-shape", (listed or root).place, what)
        return []
    for item in listed.items:
        if item.kind != "mapping":
            reader.wrong_shape(item, _("An anomaly is a mapping with an id"))
    return [item for item in listed.items if item.kind == "mapping"]


def _anomaly(reader: AnomalyValueReader, node: YamlNode) -> Anomaly:
    reader.rule_id = ""
    reader.rule_id = reader.text(node, "id")
    if not reader.rule_id:
        reader.report("missing-field", node.place, _("The anomaly has no id"))
    reader.check_keys(node, grammar.ENTRY_KEYS)
    native = node.get("commands") is not None
    kind = reader.word(node, "kind", KINDS) or (NATIVE if native else COMPANION_KIND)
    activity = reader.text(node, "target_activity")
    if not activity and kind == COMPANION_KIND:
        reader.report("missing-field", node.place, _("The anomaly names no target_activity"))
    if kind == NATIVE and not native:
        reader.report("missing-field", node.place, _("The anomaly has no commands"))
    events, places = _events(reader, node)
    return Anomaly(
        reader.rule_id,
        kind,
        reader.text(node, "family") or reader.rule_id,
        reader.word(node, "category", CATEGORIES),
        reader.text(node, "language") or _language_of(reader.rule_id),
        reader.text(node, "description"),
        activity,
        reader.parameters(node.get("params")),
        _answers(node, activity, events),
        events,
        places,
        reader.commands(node.get("undo")),
        reader.native(node.get("commands")),
        reader.versions(node.get("android")),
        reader.word(node, "answer", STANDARD_ANSWERS),
        reader.word(node, "risk", tuple(RISKS)),
        _unsafe(reader, node),
        _place(node, "id"),
        _place(node, "target_activity"),
    )


def _unsafe(reader: AnomalyValueReader, node: YamlNode) -> tuple[str, ...]:
    """The answers under ``unsafe``: a word, or a list of words."""
    written = node.get("unsafe")
    if written is None:
        return ()
    names = written.items if written.kind == "sequence" else [written]
    for name in names:
        reader.check_word(name.text, STANDARD_ANSWERS, name, _("There is no answer {word}", word=name.text))
    return tuple(name.text for name in names if name.text in STANDARD_ANSWERS)


def _place(node: YamlNode, key: str) -> Place:
    return (node.get(key) or node).place


def _language_of(anomaly_id: str) -> str:
    """D-GARA names the language in the id, and its Chinese ones not at all."""
    ending = anomaly_id.rpartition("_")[2]
    return ending if ending in ("en", "zh") else ""


def _events(
    reader: AnomalyValueReader, node: YamlNode
) -> tuple[dict[str, tuple[FollowUp, ...]], dict[str, Place]]:  # fmt: skip
    events: dict[str, tuple[FollowUp, ...]] = {}
    places: dict[str, Place] = {}
    for name in ("post_actions", "follow_up"):
        for key, value in reader.pairs(node.get(name)):
            events[key.text] = (*events.get(key.text, ()), *reader.follow_ups(value))
            places[key.text] = key.place
    return events, places


def _answers(
    node: YamlNode, activity: str, events: dict[str, tuple[FollowUp, ...]]
) -> tuple[DialogAnswer, ...]:  # fmt: skip
    known = ACTIVITIES.get(activity)
    params = node.get("params")
    answers = []
    for button in known.buttons if known is not None else ():
        text, event = (_scalar(params, name) for name in (button.text, button.event))
        if text is None and event is None and (not button.default or _is_left_out(button, params)):
            continue  # nobody is to press it: D-GARA's sign-in and advertisement log nothing
        shown, written = (node.text if node is not None else "" for node in (text, event))
        follow = (*events.get(EVENT_PREFIX + written, ()), *events.get(button.answer, ()))
        place = (event or text or params or node).place
        answers.append(DialogAnswer(button.answer, shown, written, follow, place))
    return tuple(answers)


def _is_left_out(button: DialogButton, params: YamlNode | None) -> bool:
    """Whether the dialog does not have the button: a forced update has no way to refuse it."""
    forced = _scalar(params, "param_forced")
    return button.answer == "deny" and forced is not None and forced.text.lower() in ("true", "yes", "1")


def _scalar(params: YamlNode | None, name: str) -> YamlNode | None:
    """A parameter's value, plain or as the ``value`` of a mapping; None where it has none."""
    value = params.get(name) if params is not None else None
    if value is not None and value.kind == "mapping":
        value = value.get("value")
    return value if value is not None and value.kind == "scalar" and value.plain is not None else None
