"""A program that speaks the protocol, and breaks it in the way its first word names."""

import json
import os
import subprocess
import sys
import time

HOW, *WORDS = sys.argv[1:]
OUT = sys.stdout.buffer


def say(message):
    put(json.dumps(message).encode() + b"\n")


def put(data):
    OUT.write(data)
    OUT.flush()


def complain(text):
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def forever():
    while True:
        time.sleep(60)


def again_and_again(data):
    while True:
        put(data)


def fail(text, status):
    complain(text)
    sys.exit(status)


def banner():
    put(b"\n*** loading ***\n42\n[1]\n" + "\u00fc\n".encode("latin-1"))
    complain(f"warming up {os.environ.get('MY_TOKEN')}")


LOGGED = ({"message": "loading the model"}, {"text": "in another key"})

STARTS = {
    "never-ready": forever,
    "exit-at-once": lambda: fail("no module named torch", 3),
    "answer-first": lambda: say({"type": "answer", "id": 1, "action": {"kind": "wait"}}),
    "version": lambda: say({"type": "ready", "protocol": 9}),
    "garbage-ready": lambda: put(b"{not json\n"),
    "error-first": lambda: say({"type": "error", "message": "no GPU"}),
    "flood-first": lambda: again_and_again(b"loading\n" * 1000),
    "banner": banner,
    "log-first": lambda: [say({"type": "log", **words}) for words in LOGGED],
    "log-first-flood": lambda: again_and_again(b'{"type": "log", "message": "x"}\n'),
    "hang": lambda: complain("thinking hard"),
}


def tap(message, **more):
    return {"type": "answer", "id": message["id"], "action": {"kind": "tap", "x": 5, "y": 6}, **more}


def say_next(message):
    put(WORDS.pop(0).replace("ID", str(message["id"])).encode() + b"\n")


def log_and_hang(_message):
    say({"type": "log", "message": "thinking hard"})
    forever()


def exit_inside(_message):
    put(b'{"type": "ans')
    sys.exit(4)


def last_words(message):
    put(json.dumps(tap(message)).encode())
    sys.exit(0)


def close(_message):
    os.close(1)
    forever()


def errors(message):
    for _line in range(300):
        complain("e" * 5000)
    say(tap(message))


def twice(message):
    say({"type": "log", "message": "thinking"})
    say(tap(message))
    say({"type": "answer", "id": message["id"], "action": {"kind": "complete"}})


def child(message):
    started = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    say(tap(message, thought=str(started.pid)))


def names_itself(message):
    say(tap(message, thought=str(os.getpid())))


def once(message):
    names_itself(message)
    sys.exit(0)


def tells(message):
    complain("typed hunter22")
    if message["step"] > 1:
        say({"type": "error", "message": "hunter22"})
    say(tap(message, thought="hunter22"))


STEPS = {
    "say": say_next,
    "hang": lambda _message: forever(),
    "hang-after-log": log_and_hang,
    "exit": exit_inside,
    "last-words": last_words,
    "kill": lambda _message: os.kill(os.getpid(), 9),
    "close": close,
    "long": lambda _message: put(b"{" + b"x" * 3_000_000 + b"\n"),
    "flood": lambda _message: again_and_again(b'{"type": "log", "message": "x"}\n'),
    "endless": lambda _message: again_and_again(b"x" * 65536),
    "errors": errors,
    "latin": lambda _message: put(b'{"type": "answer", "thought": "\xfc\xff"}\n'),
    "ahead": lambda message: say(tap({"id": message["id"] + 5})),
    "twice": twice,
    "child": child,
    "once": once,
    "stays": names_itself,
    "tells": tells,
    "slow": lambda message: say(tap(message)) if message["step"] > 1 or WORDS else WORDS.append("asked"),
}

STARTS.get(HOW, lambda: None)()
say({"type": "ready", "protocol": 1})
if HOW == "deaf":
    forever()
for line in sys.stdin:
    received = json.loads(line)
    if received["type"] == "observation":
        STEPS.get(HOW, lambda message: say(tap(message, thought=json.dumps(message))))(received)
    elif received["type"] == "cancel":
        say({"type": "answer", "id": received["id"], "action": {"kind": "wait"}})
    elif received["type"] == "end" and HOW != "stays":
        break
if HOW == "stays":
    forever()
