"""MobiFlow's milestones: a YAML file of nodes with conditions, joined by ``deps`` (and) and ``next`` (or).

``deps`` become ``after``. A node that several nodes name in ``next`` waits for one of them, by the condition
that one of these states was reached. ``success`` says which states the task names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from collector.exchange.exchange_log import LOSS, NOTE, ExchangeLog
from collector.exchange.source.states import REACHED, SourceStates, state_with
from collector.model.i18n import _

_ACTIONS = {
    "click": "tap", "tap": "tap", "long_press": "long_press", "double_click": "double_tap", "input": "type",
    "type": "type", "swipe": "swipe", "scroll": "scroll", "drag": "drag", "wait": "wait", "done": "complete",
    "open_app": "open_app", "press": "key", "back": "key", "home": "key",
}  # fmt: skip
_CHECKS = {"text": "text_match", "regex": "regex_match", "xml": "xml_text_match", "ocr": "ocr_match",
           "action": "action_match", "icons": "icons_match", "ui": "ui_flag", "llm": "llm",
           "dynamic_match": "dynamic_match"}  # fmt: skip
_Plain = dict[str, Any]


def is_flow(document: object) -> bool:
    """Whether a loaded YAML document is a file of MobiFlow."""
    nodes = document.get("nodes") if isinstance(document, Mapping) else None
    return isinstance(nodes, list) and any(
        isinstance(node, Mapping) and "condition" in node for node in nodes
    )


def read_states(document: Mapping[str, Any], log: ExchangeLog) -> SourceStates:
    """The nodes as states, in their order."""
    nodes = [node for node in document["nodes"] if isinstance(node, Mapping) and node.get("id") is not None]
    ids = [str(node["id"]) for node in nodes]
    before: dict[str, list[str]] = {name: [] for name in ids}
    for node in nodes:
        for name in _texts(node.get("next")):
            before.setdefault(name, []).append(str(node["id"]))
    ends, any_of = _success(document, nodes, before)
    states = []
    for node in nodes:
        name = str(node["id"])
        deps, ways = _texts(node.get("deps")), before[name]
        conditions = _conditions(node, name, log)
        after = deps or (ways if len(ways) == 1 else [])
        if not deps and len(ways) > 1 and conditions:
            one_of = [{"type": REACHED, "state": way} for way in ways]
            conditions = [{"any": one_of}, *conditions]
        others = ends[1:] if any_of and ends[:1] == [name] else []
        sentence = str(node.get("name") or "")
        states.append(state_with(name, conditions, sentence=sentence, after=after, alternatives=others))
    return SourceStates(tuple(states), tuple(ends[:1] if any_of else ends))


def _success(
    document: Mapping[str, Any], nodes: Sequence[Mapping[str, Any]], before: Mapping[str, list[str]]
) -> tuple[list[str], bool]:
    """The states that decide, and whether one of them is enough; without a word of it one of the last."""
    said = document.get("success")
    if isinstance(said, Mapping) and (all_of := _texts(said.get("all_of"))):
        return [name for name in all_of if name in before], False
    if isinstance(said, Mapping) and (any_of := _texts(said.get("any_of"))):
        return [name for name in any_of if name in before], True
    named = {name for node in nodes for name in _texts(node.get("deps"))}
    last = [str(node["id"]) for node in nodes if not _texts(node.get("next"))]
    return [name for name in last if name not in named] or last, True


def _conditions(node: Mapping[str, Any], name: str, log: ExchangeLog) -> list[_Plain]:
    """The conditions of a node; none when it is left to people."""
    condition = node.get("condition")
    if not isinstance(condition, Mapping):
        return []
    kind, params = str(condition.get("type") or ""), condition.get("params")
    params = params if isinstance(params, Mapping) else {}
    if kind not in ("escalate", "juxtaposition"):
        plain = _check(kind, params, name, log)
        return [plain] if plain is not None else []
    parts = [
        (key, _check(_CHECKS[key], _params(value), name, log, is_alone=kind == "juxtaposition"))
        for key, value in params.items()
        if key in _CHECKS and isinstance(value, Mapping)
    ]
    known = [plain for _key, plain in parts if plain is not None]
    if kind == "juxtaposition":
        return known
    return [{"any": known}] if len(known) > 1 else known


def _params(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """The parameters of a check inside another, which may be written as a condition of its own."""
    inner = value.get("params")
    return inner if isinstance(inner, Mapping) else value


def _check(
    kind: str, params: Mapping[str, Any], name: str, log: ExchangeLog, *, is_alone: bool = True
) -> _Plain | None:
    """One check as a condition; None when it does not translate. ``is_alone``: then something is lost."""
    match kind:
        case "text_match" | "ocr_match" | "xml_text_match":
            plain = _words(params, keywords=kind == "xml_text_match")
            if kind == "ocr_match" and plain is not None:
                log.add("text-of-tree", _("Words are looked for in the tree, and not read from the picture"),
                        step=name, severity=NOTE)  # fmt: skip
        case "regex_match":
            pattern = str(params.get("pattern") or "")
            plain = {"type": "text_matches", "pattern": _flagged(pattern, params)} if pattern else None
        case "action_match":
            plain = _action(params)
        case _:
            plain = None
    if plain is None:
        log.add(
            "state-lost", _("{what} became no condition: {why}", what=kind or "-",
                            why=_("no tree and no action can say it")),
            step=name, severity=LOSS if is_alone else NOTE,
        )  # fmt: skip
    return plain


def _words(params: Mapping[str, Any], *, keywords: bool) -> _Plain | None:
    """The words of ``any`` and ``all``; with ``keywords`` also in ids and descriptions."""
    groups: list[_Plain] = []
    for key in ("any", "all"):
        words = _texts(params.get(key))
        found = [
            {"type": "semantic_element_exists", "keywords": [word]}
            if keywords
            else {"type": "text_matches", "pattern": re.escape(word)}
            for word in words
        ]
        if found:
            groups.append(found[0] if len(found) == 1 else {key: found})
    if pattern := str(params.get("pattern") or ""):
        groups.append({"type": "text_matches", "pattern": pattern})
    return None if not groups else groups[0] if len(groups) == 1 else {"all": groups}


def _flagged(pattern: str, params: Mapping[str, Any]) -> str:
    return f"(?i){pattern}" if params.get("ignore_case") else pattern


def _action(params: Mapping[str, Any]) -> _Plain | None:
    kind = _ACTIONS.get(str(params.get("type") or ""))
    if kind is None:
        return None
    plain: _Plain = {"type": "action_was", "action": kind}
    contains = params.get("contains")
    text = contains.get("text") if isinstance(contains, Mapping) else None
    if kind == "key" and params.get("type") in ("back", "home"):
        text = params["type"]
    if text is not None:
        plain |= {"text": str(text), "exact": True}
    return plain


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [str(item) for item in value if item is not None] if isinstance(value, list) else []
