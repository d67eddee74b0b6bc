"""An agent for Waymark: replace `answer` by what it is to do. Needs nothing but Python.

Waymark starts it as an agent of the kind `process`, writes one JSON object a line to its input and reads one a
line from its output. `waymark agent try process -o 'command=["{python}", "PATH"]' --task TASK` tries it.
"""

import json
import sys
from typing import Any


def say(message: dict[str, object]) -> None:
    """Send one message: one JSON object on one line."""
    print(json.dumps(message), flush=True)


def answer(task: dict[str, Any], screen: dict[str, Any]) -> dict[str, object]:
    """The next action. `screen` has `width`, `height`, `package`, `nodes`, `screenshot`, `history` and more."""
    for node in screen["nodes"] or ():
        left, top, right, bottom = node["bounds"]
        if node["clickable"] and node["label"] and node["label"].lower() in task["instruction"].lower():
            return {"kind": "tap", "x": (left + right) // 2, "y": (top + bottom) // 2}
    return {"kind": "impossible", "reason": "nothing on the screen is named in the instruction"}


def main() -> None:
    """Answer until the input ends."""
    task: dict[str, Any] = {}
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say({"type": "ready", "protocol": 1})
        elif message["type"] == "episode":
            task = message["task"]
        elif message["type"] == "observation":
            say({"type": "answer", "id": message["id"], "thought": "", "action": answer(task, message)})
        elif message["type"] == "end":
            return


if __name__ == "__main__":
    main()
