"""The values of a task's parameters by a seed, and the task with them in its texts."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from collector.located_yaml.safe_load import YamlError, safe_load
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.resources import asset
from collector.model.seeds import DEFAULT_SEED
from collector.model.task import Task
from collector.model.task_parameter import (
    ISO,
    PARAMETERS,
    Parameter,
    filled,
    filled_in,
    fixed,
    problem_of_parameter,
    spelled_date,
)
from collector.model.trajectory import TrajectoryHeader
from collector.targets.reader import TargetError, read_target

_PLAIN_WORDS = (
    "amber", "anchor", "apple", "autumn", "basket", "bridge", "button", "candle", "carpet", "cherry",
    "circle", "copper", "cotton", "desert", "dragon", "engine", "falcon", "feather", "forest", "garden",
    "ginger", "guitar", "hammer", "harbor", "hazel", "honey", "island", "jacket", "jungle", "kettle",
    "ladder", "lantern", "lemon", "marble", "meadow", "mirror", "mountain", "needle", "nutmeg", "ocean",
    "olive", "orange", "paper", "pepper", "pillow", "planet", "pocket", "rabbit", "ribbon", "river",
    "rocket", "saddle", "salmon", "shadow", "silver", "spring", "stable", "summer", "sunset", "table",
    "tiger", "tomato", "tunnel", "velvet", "violet", "walnut", "window", "winter", "yellow", "zebra",
)  # fmt: skip


def values_of(task: Task, seed: int) -> dict[str, str]:
    """The value of each parameter of a task: the same for the same seed, on every computer.

    A date has a second value, with ``.iso`` after its name. Raises UserError for a parameter without values.
    """
    values: dict[str, str] = {}
    for parameter in task.parameters:
        number = int.from_bytes(
            hashlib.sha256(f"{task.id}/{parameter.name}/{seed}".encode()).digest()[:8], "big"
        )
        try:
            values |= _drawn(parameter, number, task.language)
        except (ValueError, IndexError) as error:
            why = problem_of_parameter(parameter) or str(error)
            raise UserError(
                _("Task {id} has no value for {name}", id=task.id, name=parameter.name), why,
                _("Correct it under `parameters` of the task"),
            ) from None  # fmt: skip
    return values


def bound(task: Task, values: Mapping[str, str]) -> Task:
    """The task with values in its texts, and no other ones for any seed; the same task without parameters."""
    if not task.parameters:
        return task
    answer, target = task.expected_answer, task.target
    if answer is not None:
        answer = replace(answer, texts=tuple(filled(text, values) for text in answer.texts))
    if target is not None:
        try:
            target = read_target(filled_in(dict(target.source), values))
        except TargetError as error:
            raise UserError(_("The target of task {id} cannot be read", id=task.id), str(error)) from None
    return replace(
        task,
        instruction=filled(task.instruction, values),
        rewordings={
            style: tuple(filled(text, values) for text in texts) for style, texts in task.rewordings.items()
        },
        expected_answer=answer,
        target=target,
        replies=tuple(
            replace(reply, question=filled(reply.question, values), answer=filled(reply.answer, values))
            for reply in task.replies
        ),
        parameters=fixed(values),
    )


def bound_by_seed(task: Task, seed: int) -> Task:
    """The task with the values of a seed. Raises UserError."""
    return bound(task, values_of(task, seed)) if task.parameters else task


def recorded_values(header: TrajectoryHeader, task: Task | None) -> Mapping[str, str]:
    """The values that a trajectory was recorded with; those of its seed where nobody kept them.

    Empty for a task without parameters, and where one has no values.
    """
    if task is None or not task.parameters:
        return {}
    kept = header.extra.get(PARAMETERS)
    if isinstance(kept, Mapping):
        return {str(name): str(value) for name, value in kept.items()}
    seed = header.episode.seed if header.episode is not None else None
    try:
        return values_of(task, DEFAULT_SEED if seed is None else seed)
    except UserError:
        return {}


def kept_values(values: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """What a header keeps of the values, in its ``extra``; nothing without any."""
    return {PARAMETERS: dict(values)} if values else {}


def phone_contents(source: str, language: str = "") -> tuple[str, ...]:
    """The texts of ``app.list.field`` that a new virtual phone holds, in a language. Raises ValueError."""
    try:
        app, listed, field = source.split(".")
    except ValueError:
        raise ValueError(_("{source} is no app, list and field", source=source)) from None
    records = _records_of(app, listed)
    texts = [_text(record.get(field), language) for record in records if isinstance(record, Mapping)]
    found = tuple(dict.fromkeys(text for text in texts if text and not set(text) & set("\"'{}\\")))
    if not found:
        raise ValueError(_("no new phone holds {source}", source=source))
    return found


@lru_cache(maxsize=64)
def _records_of(app: str, listed: str) -> Sequence[object]:
    path = asset("virtual", f"{app}.yaml")
    if not app.isidentifier() or not path.is_file():
        return ()
    try:
        document = safe_load(path.read_text(encoding="utf-8"), "")
    except YamlError:
        return ()
    records = document.get(listed) if isinstance(document, Mapping) else None
    return records if isinstance(records, list) else ()


def _text(value: object, language: str) -> str:
    if isinstance(value, Mapping):
        value = value.get(language.partition("-")[0] or "en", value.get("en"))
    return str(value) if isinstance(value, str | int) else ""


def _drawn(parameter: Parameter, number: int, language: str) -> dict[str, str]:
    name = parameter.name
    match parameter.kind:
        case "words":
            words = []
            for _word in range(parameter.count):
                number, at = divmod(number, len(_PLAIN_WORDS))
                words.append(_PLAIN_WORDS[at])
                number = number or parameter.count + at
            return {name: " ".join(words)}
        case "number":
            first, last = int(parameter.first), int(parameter.last)
            return {name: str(first + number % (last - first + 1))}
        case "date":
            first, last = (
                dt.date.fromisoformat(day).toordinal() for day in (parameter.first, parameter.last)
            )
            day = dt.date.fromordinal(first + number % (last - first + 1))
            return {name: spelled_date(day, parameter.format), name + ISO: day.isoformat()}
        case "phone":
            texts = phone_contents(parameter.source, language)
            return {name: texts[number % len(texts)]}
    return {name: parameter.options[number % len(parameter.options)]}
