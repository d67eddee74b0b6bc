"""A thousand made screens, a hundred and fifty rules and a plain engine: what rules are measured with."""

from __future__ import annotations

import random
from typing import Any
from xml.etree import ElementTree as ET

from collector.rules.columns.corpus import Corpus
from collector.rules.grammar.model import Rule
from collector.rules.grammar.rule_reader import read_rules
from tests.helpers.dumps import hierarchy, node
from tests.helpers.memory_trajectory import MemoryTrajectory, RecordedScreen

STATES, TRAJECTORIES, RULES = 1000, 40, 150
_WORDS = (
    *("Sort", "Filter", "Metro", "Cart", "Home", "Search", "Settings", "Nearby"),
    *("Drive", "Mine", "Follow", "Like", "Buy", "Price", "Map", "Route"),
)


def thousand_dumps() -> list[bytes]:
    """A thousand screens of about 60 nodes and 20 kB, all different."""
    rng = random.Random(11)
    return [_screen(rng, number) for number in range(STATES)]


def _screen(rng: random.Random, number: int) -> bytes:
    rows = [
        node(
            *(_leaf(rng, row, cell) for cell in range(5)),
            resource_id=f"com.example.shop:id/row_{row}",
            class_="android.widget.LinearLayout",
            bounds=f"[0,{row * 200}][1080,{row * 200 + 200}]",
        )
        for row in range(10)
    ]
    return hierarchy(node(*rows, resource_id="com.example.shop:id/list", text=f"Screen {number}")).encode()


def _leaf(rng: random.Random, row: int, cell: int) -> str:
    text = f"{rng.choice(_WORDS)} {rng.randrange(400)}" if rng.random() < 0.6 else ""
    return node(
        text=text,
        resource_id=f"com.example.shop:id/cell_{rng.randrange(60)}",
        content_desc=rng.choice(_WORDS) if rng.random() < 0.1 else "",
        class_="android.widget.TextView",
        clickable=rng.choice(("true", "false")),
        bounds=f"[{cell * 200},{row * 200}][{cell * 200 + 200},{row * 200 + 100}]",
    )


def benchmark_rules() -> list[Rule]:
    """Half of them injection rules of keywords, half success rules of elements, in D-GARA's grammar."""
    rng = random.Random(5)
    half = RULES // 2
    injection = [
        f"- id: i{at}\n  conditions:\n    all:\n    - {{type: semantic_element_exists, match_threshold: 0.75,"
        f" keywords: [{', '.join(f'{word} {rng.randrange(40)}' for word in rng.sample(_WORDS, 4))}]}}\n"
        "  actions: [{type: inject_interference, interference_id: x}]\n"
        for at in range(half)
    ]
    success = [
        f"s{at}:\n  conditions:\n"
        f"  - {{type: element_exists, selector: \"text='{rng.choice(_WORDS)} {rng.randrange(400)}'\"}}\n"
        f"  - {{type: element_property, selector: \"resource-id='com.example.shop:id/cell_{at % 60}'\","
        f' attribute: clickable, value: "true"}}\n'
        f"  - {{type: element_text_contains, selector: \"resource-id='com.example.shop:id/list'\","
        f" text: '{at}'}}\n"
        for at in range(half)
    ]
    first = read_rules("rules:\n" + "".join(injection))
    second = read_rules("".join(success), kind="success")
    assert len(first.rules) == len(second.rules) == half
    return [*first.rules, *second.rules]


def corpus_of(dumps: list[bytes]) -> Corpus:
    size = STATES // TRAJECTORIES
    return Corpus(
        MemoryTrajectory(f"t{at}", [RecordedScreen(xml) for xml in dumps[at * size : (at + 1) * size]])
        for at in range(TRAJECTORIES)
    )


class PlainEngine:
    """The rival: verdicts alone."""

    def run(self, rules: list[Rule], dumps: list[bytes]) -> list[list[bool]]:
        table: list[list[bool]] = [[] for _rule in rules]
        for xml in dumps:
            root = ET.fromstring(xml)
            words = " ".join(
                " ".join(element.get(name, "") for name in ("text", "resource-id", "content-desc"))
                for element in root.iter("node")
            ).lower()
            for rule, verdicts in zip(rules, table, strict=True):
                listed = rule.raw["conditions"]
                listed = listed["all"] if isinstance(listed, dict) else listed
                verdicts.append(all(self._holds(condition, root, words) for condition in listed))
        return table

    def _holds(self, condition: dict[str, Any], root: ET.Element, words: str) -> bool:
        if condition["type"] == "semantic_element_exists":
            keywords = condition["keywords"]
            enough = len(keywords) * condition["match_threshold"]
            return bool(sum(word.lower() in words for word in keywords) >= enough)
        name, _sign, value = condition["selector"].partition("=")
        element = root.find(f".//*[@{name}={value}]")
        if element is None or condition["type"] == "element_exists":
            return element is not None
        if condition["type"] == "element_property":
            return bool(element.get(condition["attribute"]) == condition["value"])
        return condition["text"] in element.get("text", "")
