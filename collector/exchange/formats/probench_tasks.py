"""A CSV table with ``Application`` and ``Task Instruction``; also type, language and category."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path

from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.format import FOR_BENCHMARKS, TASKS, Format
from collector.exchange.source import files as source_files
from collector.exchange.source.model import SourceItem, SourceTasks
from collector.model.i18n import N_, _
from collector.model.task import PROCESS_TASK, STATE_TASK, Task
from collector.store.files.disk import Disk

_COLUMNS = {
    "ID": "id", "Application": "app", "Package": "package", "Category": "app_category",
    "Language": "language", "Type": "type", "Task Instruction": "instruction", "Max Steps": "max_steps",
}  # fmt: skip
"""Column -> field of a task."""
_FIELDS = {column.casefold(): field for column, field in _COLUMNS.items()}
_NEEDED = {"application", "task instruction"}
_TYPES = {STATE_TASK: "State-related", PROCESS_TASK: "Process-related"}
_LANGUAGES = {"en": "English", "zh": "Chinese"}
_MOST_BYTES = 50_000_000
_FORMULA = re.compile("'*[=+@\t\r-]")


def detect(path: Path) -> float:
    """Sure when the first line of a ``.csv`` file names ``Application`` and ``Task Instruction``."""
    for candidate in _candidates(path):
        header = next(csv.reader(io.StringIO(source_files.read_text(candidate, 4096))), [])
        if {_key(cell) for cell in header} >= _NEEDED:
            return 0.9 if path.is_file() else 0.5
    return 0.0


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """Read the tasks of every table of this format."""
    for candidate in _candidates(path):
        if detect(candidate):
            log.where = candidate.name
            log.use(candidate)
            yield SourceTasks(candidate.name, list(_tasks(candidate, log)))


def _candidates(path: Path) -> list[Path]:
    return [file for file in source_files.files(path) if file.suffix.lower() == ".csv"]


def _tasks(path: Path, log: ExchangeLog) -> Iterator[Task]:
    rows = csv.DictReader(io.StringIO(source_files.read_text(path, _MOST_BYTES), newline=""))
    numbers: Counter[str] = Counter()
    try:
        for number, row in enumerate(rows, start=1):
            cells = {str(name).strip(): _cell(value) for name, value in row.items() if isinstance(value, str)}
            task = _task(cells, numbers)
            if task.instruction.strip():
                yield task
            else:
                log.add("task-incomplete", _("A task without an instruction was left out"), step=number)
    except csv.Error as error:
        log.add("record-unreadable", str(error))


def _task(cells: Mapping[str, str], numbers: Counter[str]) -> Task:
    values = {_FIELDS[_key(name)]: value for name, value in cells.items() if _key(name) in _FIELDS}
    steps = values.get("max_steps", "").strip()
    app = values.get("app", "")
    series = re.sub(r"\W+", "-", app.casefold()).strip("-") or "task"
    numbers[series] += 1
    return Task(
        id=values.get("id", "").strip() or f"{series}-{numbers[series]:02}",
        instruction=values.get("instruction", ""),
        app=app,
        package=values.get("package", ""),
        app_category=values.get("app_category", ""),
        type=_word(values.get("type", ""), _TYPES),
        language=_word(values.get("language", ""), _LANGUAGES),
        max_steps=int(steps) if steps.isascii() and steps.isdecimal() and len(steps) < 10 else 0,
        extra={name: value for name, value in cells.items() if _key(name) not in _FIELDS and name and value},
    )


def _word(written: str, words: Mapping[str, str]) -> str:
    """Our word for a cell as ``State-related``, ``State-related Task`` or ``state``; else the cell."""
    text = written.strip().casefold()
    known = (own for own, word in words.items() if text == own or text.startswith(word.casefold()))
    return next(known, written)


def _key(cell: str) -> str:
    return " ".join(cell.split()).casefold()


def _cell(text: str) -> str:
    """A cell without the sign that keeps table programs from taking it for a formula."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


def _guarded(text: str) -> str:
    """A cell that no table program takes for a formula; :func:`_cell` gives the text back."""
    return f"'{text}" if _FORMULA.match(text) else text


def write(part: ExportedPart, path: Path, log: ExchangeLog) -> None:
    """Write the tasks of ``part`` as a table, a row each."""
    text = _("The format holds tasks alone; trajectories, rules and anomalies are only in the project")
    log.add("tasks-only", text, severity=NOTE)
    tasks = part.tasks
    names = (name for task in tasks for name, value in task.extra.items() if _fits(name, value))
    more = list(dict.fromkeys(names))
    table = io.StringIO(newline="")
    writer = csv.writer(table)
    writer.writerow([*_COLUMNS, *map(_guarded, more)])
    for task in tasks:
        _report_losses(task, log)
        known = [_written(task, field) for field in _COLUMNS.values()]
        extra = [task.extra.get(name, "") if _fits(name, task.extra.get(name)) else "" for name in more]
        writer.writerow([_guarded(cell) for cell in (*known, *extra)])
    log.written.tasks += [task.id for task in tasks]
    Disk().write(path, table.getvalue().encode("utf-8", "replace"))


def _fits(name: str, value: object) -> bool:
    """Whether a further key of a task is a column with a text."""
    return isinstance(value, str) and bool(value) and _key(name) not in _FIELDS and name == name.strip()


def _written(task: Task, field: str) -> str:
    text = str(getattr(task, field) or "")
    words = {"type": _TYPES, "language": _LANGUAGES}.get(field, {})
    return words.get(text, text)


def _report_losses(task: Task, log: ExchangeLog) -> None:
    unset = Task("", "")
    others = [field.name for field in fields(Task) if field.name not in (*_COLUMNS.values(), "extra")]
    lost = [name for name in others if getattr(task, name) != getattr(unset, name)]
    for name in (*lost, *(name for name, value in task.extra.items() if not _fits(name, value))):
        log.add("field-lost", _("The format has no place for `{name}`", name=name), step=task.id)


FORMAT = Format(
    id="probench-tasks",
    title=N_("ProBench task table"),
    use=FOR_BENCHMARKS,
    holds=(TASKS,),
    files=N_("A CSV table: id, application, package, category, language, type, instruction, step limit"),
    detect=detect,
    read=read,
    write=write,
    ending=".csv",
)
