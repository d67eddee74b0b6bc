"""A program that signs in to the shop and cannot keep the password to itself.

Words: a file with the password, and ``focus`` or a dialect in which it types with a place.
"""

import base64
import json
import sys
from pathlib import Path

PASSWORD, HOW = Path(sys.argv[1]).read_text(), sys.argv[2]
SPELLED = "-".join(PASSWORD)


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def complain(text):
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def middle(node):
    left, top, right, bottom = node["bounds"]
    return [(left + right) // 2, (top + bottom) // 2]


def tapped(node):
    x, y = middle(node)
    return {"action": {"kind": "tap", "x": x, "y": y}}


def typed(node, text):
    x, y = middle(node)
    if HOW == "focus":
        return {"action": {"kind": "type", "text": text, "focus": [x, y]}}
    action = {"action_type": "input_text", "text": text, "x": x, "y": y}
    return {"dialect": HOW, "raw": f"Reason: {PASSWORD.upper()}\nAction: {json.dumps(action)}"}


def answer(seen):
    nodes = {node["resource_id"].rpartition("/")[2]: node for node in seen["nodes"]}
    step = seen["step"]
    complain(f"step {step}: {PASSWORD}")
    if "shop" not in seen["package"]:
        return f"I open the shop. Then I sign in with {PASSWORD}", {
            "action": {"kind": "open_app", "name": "Shop"}
        }
    if "account" in nodes and "password" not in nodes and step < 4:
        return f"I will need {SPELLED}", tapped(nodes["account"])
    if step == 3:
        return "My address has a plus", typed(nodes["email"], "+shop")
    if step == 4:
        return f"Now {base64.b64encode(b'pw:' + PASSWORD.encode()).decode()}", typed(
            nodes["password"], PASSWORD
        )
    if step == 5:
        return f"{PASSWORD[::-1]} is typed", tapped(nodes["continue"])
    return f"I am done: {' '.join(PASSWORD)}", {"action": {"kind": "complete"}}


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready", "protocol": 1})
    elif message["type"] == "observation":
        thought, said = answer(message)
        say({"type": "answer", "id": message["id"], "thought": thought, **said})
    elif message["type"] == "end":
        break
