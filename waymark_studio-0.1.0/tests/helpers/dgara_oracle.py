"""D-GARA's rule engine and success validator restated from their published behaviour, as small as can be.

Nothing here is shared with ``collector.rules``: rules are what PyYAML loads, dumps are texts, verdicts are
booleans. Where the original ends with an exception the verdict is False, as nothing holds then.
"""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

SEED = 123


@lru_cache(maxsize=512)
def parsed(dump: bytes) -> ET.Element | None:
    text = dump.decode("utf-8", errors="ignore")
    if "<!DOCTYPE" in text:  # Waymark reads no document types; the dumps have none
        return None
    try:
        return ET.fromstring(text)
    except (ET.ParseError, ValueError):
        return None


def injects(rule: dict[str, Any], dump: bytes, activity: str = "", step: int = 1) -> bool:
    """Whether the conditions of an injection rule hold before ``step``."""
    try:
        wanted = rule.get("conditions", {}).get("all", [])
        return all(_met(condition, dump, activity, step) for condition in wanted)
    except Exception:  # whatever the original dies of
        return False


def _met(condition: dict[str, Any], dump: bytes, activity: str, step: int) -> bool:
    if step < condition.get("min_step", 0):
        return False
    match condition.get("type"):
        case "current_activity_is":
            shown = activity or "Unknown"
            if "." not in shown and shown != "Unknown":
                shown = "." + shown
            return bool(condition.get("value")) and condition.get("value") == shown
        case "semantic_element_exists":
            blob = _blob(dump)
            if blob is None:
                return False
            keywords = condition.get("keywords", [])
            hits = 0
            for keyword in keywords:
                hits += keyword.lower() in blob
            return bool(hits >= len(keywords) * condition.get("match_threshold", 1.0))
        case _:
            return True


@lru_cache(maxsize=512)
def _blob(dump: bytes) -> str | None:
    root = parsed(dump)
    if root is None:
        return None
    nodes = [node.attrib for node in root.iter("node")]
    triples = (
        (have.get("text", ""), have.get("resource-id", ""), have.get("content-desc", "")) for have in nodes
    )
    return "".join(f"{words} " for triple in triples for words in triple).lower() if nodes else None


def passes(rule: dict[str, Any], dump: bytes) -> bool:
    """Whether the success validator takes the state for a success."""
    try:
        wanted = rule.get("conditions", [])
        root = parsed(dump)
        if not wanted or root is None:
            return False
        return all(_true_of(condition, root) for condition in wanted)
    except Exception:  # whatever the original dies of
        return False


def _true_of(condition: dict[str, Any], root: ET.Element) -> bool:
    kind, selector = condition.get("type"), condition.get("selector")
    if kind == "any_of":
        return any(_true_of(part, root) for part in condition.get("sub_conditions", []) or [])
    if not kind or not selector:
        return False
    split = re.match(r"([^=]+)=['\"]([^'\"]+)['\"]", selector)
    element = root.find(f".//*[@{split[1]}='{split[2]}']") if split else None
    if kind == "element_not_exists":
        return element is None
    if element is None:
        return False
    have = element.attrib
    match kind:
        case "element_exists":
            return True
        case "element_property" | "element_property_contains":
            name, value = condition.get("attribute"), condition.get("value")
            if name is None or value is None:
                return False
            return (
                have.get(name) == str(value)
                if kind == "element_property"
                else str(value) in have.get(name, "")
            )
        case "element_text_equals":
            return bool(have.get("text") == condition.get("text", ""))
        case "element_text_contains":
            text = condition.get("text")
            return text is not None and str(text) in have.get("text", "")
    return False


class Episode:
    """One task: which rule injects which anomaly at which step. ``doubled`` is the draw as published."""

    def __init__(
        self, rules: Sequence[dict[str, Any]], targets: Sequence[str], most: int = 1, *, doubled: bool = True
    ) -> None:
        ordered = sorted(rules, key=lambda rule: rule.get("priority", 99))
        self._by_id = {rule["id"]: rule for rule in ordered}
        self._targets = targets
        self._most = most
        self._factor = 2 if doubled else 1
        self._draws = random.Random(SEED)
        self._done: list[str] = []

    def before_step(self, dump: bytes, activity: str, step: int) -> tuple[str, str] | None:
        """Rule and anomaly injected before ``step``, None for none."""
        if len(self._done) >= self._most:
            return None
        for name in self._targets:
            rule = self._by_id.get(name)
            if rule is None or (rule.get("once", True) and name in self._done):
                continue
            if injects(rule, dump, activity, step):
                return self._fire(name, rule)
        return None

    def _fire(self, name: str, rule: dict[str, Any]) -> tuple[str, str] | None:
        for action in rule.get("actions", []):
            if self._draws.random() * self._factor >= action.get("trigger_probability", 1.0):
                continue
            self._done.append(name)
            return name, action["interference_id"]
        return None
