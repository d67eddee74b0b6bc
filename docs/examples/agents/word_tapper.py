"""An agent for Waymark in plain Python: taps the element whose words are most like the task's.

It closes dialogs first, never taps the same place twice, and says that it is done when nothing fits any more.
Run by Waymark with the agent kind `process`; see docs/guide/agent-protocol.md. Needs nothing but Python.
"""

import json
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any

CLOSING = ("not now", "later", "cancel", "deny", "ignore", "continue", "close")


def say(message: dict[str, object]) -> None:
    """Send one message: one JSON object on one line."""
    print(json.dumps(message), flush=True)


def elements(observation: dict[str, Any]) -> Iterator[tuple[str, int, int]]:
    """Label and middle of each element that can be tapped."""
    for node in observation["nodes"] or []:  # with the option `tree: nodes`
        left, top, right, bottom = node["bounds"]
        if node["clickable"]:
            # `text` is what Android says of the element itself; a row of a list has only a `label`.
            words = node["text"] or node["label"]
            yield words.strip().lower(), (left + right) // 2, (top + bottom) // 2
    if not observation["xml"]:
        return
    for node in ET.fromstring(observation["xml"].encode()).iter("node"):  # noqa: S314 - from our own phone
        left, top, right, bottom = map(int, re.findall(r"-?\d+", node.get("bounds", "[0,0][0,0]")))
        inner = " ".join(part.get("text") or part.get("content-desc") or "" for part in node.iter("node"))
        if node.get("clickable") == "true" and right > left and bottom > top:
            yield inner.strip().lower(), (left + right) // 2, (top + bottom) // 2


def choose(observation: dict[str, Any], task: str) -> tuple[str, dict[str, Any]]:
    """A thought and an action for one screen."""
    words = set(re.findall(r"\w+", task.lower()))
    tapped = {(past["action"].get("x"), past["action"].get("y")) for past in observation["history"]}
    places = [place for place in elements(observation) if place[1:] not in tapped]
    for label, x, y in places:
        if label in CLOSING:
            return f"{label!r} closes something that is in the way", {"kind": "tap", "x": x, "y": y}
    ranked = sorted(places, key=lambda place: -len(words & set(re.findall(r"\w+", place[0]))))
    if ranked and words & set(re.findall(r"\w+", ranked[0][0])):
        label, x, y = ranked[0]
        return f"{label!r} is most like the task", {"kind": "tap", "x": x, "y": y}
    return "nothing here belongs to the task", {"kind": "complete"}


task = ""
for line in sys.stdin:  # ends when Waymark closes our input
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready", "protocol": 1, "name": "word-tapper"})
    elif message["type"] == "episode":
        task = message["task"]["instruction"]
    elif message["type"] == "observation":
        thought, action = choose(message, task)
        say({"type": "answer", "id": message["id"], "thought": thought, "action": action})
    elif message["type"] == "end":
        break
