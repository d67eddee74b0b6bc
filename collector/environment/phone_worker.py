"""The process of one phone of a vector: it reads requests, a line of JSON each, and answers with a line each.

It ends when its input ends, so with the program that started it, however that happens.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from collector.environment.observation import StepObservation
from collector.environment.phone_environment import PhoneEnvironment
from collector.environment.picture_memory import open_picture_memory
from collector.environment.screen_copy import ScreenCopy
from collector.host.quick_end import end_without_collecting
from collector.model.action import MALFORMED, Action, Invalid, action_from_dict
from collector.model.errors import UserError
from collector.model.geometry import Size
from collector.virtual.memory import configure_malloc, release_memory

RESET, STEP, STATE = "reset", "step", "state"
"""What is asked for, each with its values."""
ACTION, GIVEN = "action", "given"
"""How an action is written: as its class says, or as the caller gave it."""
NUMBER = "number"
"""Key of a request, and of its answer."""
ERROR = "error"
"""Key of an answer that says in three texts why there is none."""
_RELEASED_EVERY = 50
"""Requests after which memory that is not used goes back to the system."""


def main() -> None:
    """Serve a phone on standard input and output."""
    configure_malloc()
    end_without_collecting()
    # What anything prints must not stand between the answers.
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as answers:
        os.dup2(2, 1)
        _serve(sys.stdin, answers)


def _serve(requests: IO[str], answers: IO[str]) -> None:
    environment: PhoneEnvironment | None = None
    for number, line in enumerate(requests):
        request = json.loads(line)
        try:
            if environment is None:
                environment, answer = _open(request), {}
            else:
                answer = _answer(environment, request)
        except UserError as error:
            answer = {ERROR: [error.what, error.why, error.to_do]}
        answers.write(json.dumps({**answer, NUMBER: request[NUMBER]}) + "\n")
        answers.flush()
        if number == 1:
            gc.freeze()  # what is loaded by now is never garbage
            release_memory()
        elif number % _RELEASED_EVERY == 0:
            gc.collect()  # nodes of trees know their parents
            release_memory()
    if environment is not None:
        environment.close()


def _open(options: Mapping[str, Any]) -> PhoneEnvironment:
    memory = open_picture_memory(Path(options["memory"]), writes=True)
    values = {name: value for name, value in options.items() if name not in ("memory", NUMBER)}
    values["size"] = Size(*options["size"])
    return PhoneEnvironment(**values, copies=False, screen=ScreenCopy(memory))


def _answer(environment: PhoneEnvironment, request: Mapping[str, Any]) -> dict[str, Any]:
    if RESET in request:
        return {"observation": _written(environment.reset(**request[RESET]))}
    if STATE in request:
        return {"state": environment.state()}
    asked = request[STEP]
    action = _action(asked[ACTION]) if ACTION in asked else asked[GIVEN]
    observation, reward, terminated, truncated, info = environment.step(action)
    return {
        "observation": _written(observation), "reward": reward, "terminated": terminated,
        "truncated": truncated, "info": info,
    }  # fmt: skip


def _action(values: dict[str, Any]) -> Action:
    """The action that was given; one with values that none has is an Invalid, as it is without a process."""
    try:
        return action_from_dict(values)
    except (TypeError, ValueError) as error:
        return Invalid(repr(values)[:500], MALFORMED, str(error))


def _written(seen: StepObservation) -> dict[str, Any]:
    """An observation without its picture, which is in the shared memory."""
    return {
        "step": seen.step, "size": [seen.size.width, seen.size.height], "rotation": seen.rotation,
        "package": seen.package, "activity": seen.activity, "xml": seen.xml.decode(),
    }  # fmt: skip


if __name__ == "__main__":
    main()
