"""Rules and dumps made at random, as strange as files of people get; every one from a seed."""

from __future__ import annotations

import random
from typing import Any
from xml.sax.saxutils import quoteattr

TEXTS = (
    "", "Drive", "Near", "by", "Nearby Metro", "Wi-Fi 5", "true", "5", "1.0", "None", "稻香", "购物车 (3)",
    "ΟΔΟΣ", "İstanbul", "R&D", "<b>", "emoji \U0001f6d2", "a  b", " lead", "it's", 'say "hi"', "add to cart",
)  # fmt: skip
IDS = ("", "app:id/cart", "app:id/like_button", "id/稻", "app:id/title")
CLASSES = ("android.widget.TextView", "android.widget.Button", "android.view.View")
NAMES = ("text", "resource-id", "content-desc", "class", "selected", "checked", "package", "hint", "index")
DGARA_TYPES = (
    "element_exists", "element_not_exists", "element_property", "element_property_contains",
    "element_text_equals", "element_text_contains",
)  # fmt: skip


def random_dump(rng: random.Random) -> bytes:
    """A dump: mostly plain, now and then with Appium's tags, a node for its root, or broken."""
    form = rng.choice(("plain",) * 6 + ("appium", "mixed", "root node", "empty", "two roots"))
    tag = {
        "appium": lambda: rng.choice(CLASSES),
        "mixed": lambda: rng.choice((*CLASSES, "node", "node")),
    }.get(form, lambda: "node")
    body = "" if form == "empty" else _random_node(rng, tag, 0)
    if form == "two roots":
        body += _random_node(rng, tag, 0)
    if form != "root node":
        body = f'<hierarchy rotation="0" text="on the root">{body}</hierarchy>'
    head = rng.choice(("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>", "", "\ufeff"))
    return _spoiled(rng, (head + body).encode())


def _spoiled(rng: random.Random, dump: bytes) -> bytes:
    match rng.randrange(20):
        case 0:
            return dump[: rng.randrange(len(dump) + 1)]
        case 1:
            return dump + b"\nUI hierchary dumped to: /dev/tty\n"
        case 2:
            return b"ERROR: could not get idle state.\n"
        case 3:
            at = rng.randrange(len(dump))
            return dump[:at] + rng.choice((b"\xff", b"&", b"<", b"\x00")) + dump[at:]
        case 4:
            return b""
    return dump


def _random_node(rng: random.Random, tag: Any, depth: int) -> str:
    values = {
        "index": str(rng.randrange(3)),
        "text": rng.choice(TEXTS),
        "resource-id": rng.choice(IDS),
        "class": rng.choice(CLASSES),
        "package": rng.choice(("com.example.shop", "com.example.maps")),
        "content-desc": rng.choice(TEXTS) if rng.random() < 0.4 else "",
        "checked": rng.choice(("true", "false")),
        "selected": rng.choice(("true", "false")),
        "bounds": f"[0,{depth}][1080,{depth + 100}]",
    }
    if rng.random() < 0.15:
        del values[rng.choice(list(values))]
    if rng.random() < 0.1:
        values["hint"] = rng.choice(TEXTS)
    name = tag()
    inner = "".join(_random_node(rng, tag, depth + 1) for _ in range(rng.randrange(4) if depth < 3 else 0))
    written = " ".join(f"{key}={quoteattr(value)}" for key, value in values.items())
    return f"<{name} {written}>{inner}</{name}>" if inner else f"<{name} {written} />"


def random_word(rng: random.Random) -> Any:
    """A keyword: of a node, reaching from one into the next, or no text at all."""
    match rng.randrange(9):
        case 0:
            return rng.choice(TEXTS)[-3:] + " " + rng.choice((*TEXTS, *IDS))[:3]
        case 1:
            return f"{rng.choice(TEXTS)}  "
        case 2:
            return rng.choice((5, True, None, 1.5, "", " "))
        case 3:
            return rng.choice(IDS)
        case _:
            return rng.choice(TEXTS).swapcase()[: rng.randrange(1, 9)]


def random_injection_condition(rng: random.Random) -> Any:
    """One condition of D-GARA's rule engine, as PyYAML loads it."""
    match rng.randrange(12):
        case 0:
            condition: dict[str, Any] = {
                "type": "current_activity_is",
                "value": rng.choice((".Main", "a.b.C", "Main", "", None, 5)),
            }
        case 1:
            condition = {
                "type": rng.choice(("element_exists", "no_such_type", None, 7)),
                "selector": "text='x'",
            }
        case 2:
            return rng.choice(({}, None, "text", ["a"], 5))
        case _:
            condition = {
                "type": "semantic_element_exists",
                "keywords": [random_word(rng) for _ in range(rng.randrange(5))],
            }
            if rng.random() < 0.8:
                condition["match_threshold"] = rng.choice(
                    (0, 0.25, 0.5, 0.75, 1, 1.0, True, 0.3, 2, -1, "0.5", None, float("inf"))
                )
            if rng.random() < 0.1:
                condition["keywords"] = rng.choice(("Drive", "", None, 5, {"Drive": 1}, ["Drive", "Drive"]))
            if rng.random() < 0.05:
                del condition["keywords"]
    if rng.random() < 0.2:
        condition["min_step"] = rng.choice((0, 1, 2, 3, 2.5, "2", None, True))
    return condition


def random_selector(rng: random.Random) -> Any:
    """A selector: quoted, unquoted, badly quoted, with operators D-GARA does not know, or no text."""
    name, value = rng.choice(NAMES), rng.choice((*TEXTS, *IDS, *CLASSES))
    match rng.randrange(14):
        case 0:
            return f"{name}={value}"
        case 1:
            return f"{name}='{value}\""
        case 2:
            return f"{name}*='{value}'"
        case 3:
            return rng.choice(
                (f"{name} = '{value}'", f"{name} ='{value}'", f" {name}='{value}'", f"@{name}='{value}'")
            )
        case 4:
            return rng.choice((None, "", 5, True, ["text='x'"], "//node[@text='x']", "='x'", "a:b='x'"))
        case 5:
            return f"{name}='{value}' and text='Drive'"
    return f"{name}={rng.choice(chr(39) + chr(34))}{value}{rng.choice(chr(39) + chr(34))}"


def random_success_condition(rng: random.Random, depth: int = 0) -> Any:
    """One condition of D-GARA's success validator, as PyYAML loads it."""
    match rng.randrange(16):
        case 0 | 1 | 2 if depth < 3:
            parts: Any = [random_success_condition(rng, depth + 1) for _ in range(rng.randrange(4))]
            return {"type": "any_of", "sub_conditions": rng.choice((parts, parts, parts, None, 5))}
        case 3:
            return rng.choice(
                ({}, None, "text", {"type": "any_of"}, {"type": "element_exists"}, {"selector": "text='5'"})
            )
        case 4:
            kind: Any = rng.choice(("no_such_type", "semantic_element_exists", 7, None))
        case _:
            kind = rng.choice(DGARA_TYPES)
    value = rng.choice((*TEXTS, "rue", True, False, 5, 1.0, None, ["a"]))
    condition: dict[str, Any] = {"type": kind, "selector": random_selector(rng)}
    if kind in ("element_property", "element_property_contains"):
        condition |= {"attribute": rng.choice((*NAMES, None, 5)), "value": value}
    elif kind in ("element_text_equals", "element_text_contains"):
        condition["text"] = value
    if len(condition) > 2 and rng.random() < 0.1:
        del condition[rng.choice(list(condition))]
    return condition
