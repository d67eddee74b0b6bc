"""Write the script of every golden trajectory of a project, each in the folder of its task."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.format import FOR_SCRIPTS, STATES, TASKS, TRAJECTORIES, Format
from collector.exchange.scripts.compile_script import compile_script
from collector.exchange.scripts.script import PhoneScript
from collector.judge.evaluation.task_rules import rules_by_task
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.trajectory import GOLDEN
from collector.project_rules.project_rules import ProjectRules
from collector.store.trajectory.reader import open_trajectory

SCRIPTS = "scripts"
"""The folder of an export that holds a folder for each task."""
Render = Callable[[PhoneScript, ExchangeLog], str]
"""The text of a program; what its language cannot say goes into the log."""


def script_format(name: str, title: str, files: str, ending: str, render: Render) -> Format:
    """The format with the id ``name``, whose files have that ending and what ``render`` returns."""

    def write(part: ExportedPart, path: Path, log: ExchangeLog) -> None:
        _write_scripts(part, path, log, ending, render)

    holds = (TRAJECTORIES, TASKS, STATES)
    return Format(
        use=FOR_SCRIPTS,
        id=name,
        title=title,
        holds=holds,
        files=files,
        write=write,
        entries=(SCRIPTS,),
        kind=GOLDEN,
    )


def _write_scripts(part: ExportedPart, path: Path, log: ExchangeLog, ending: str, render: Render) -> None:
    """Write ``scripts/TASK/TRAJECTORY.ending`` below ``path`` for each finished golden trajectory."""
    project = part.project
    (path / SCRIPTS).mkdir(parents=True, exist_ok=True)
    rules_of = rules_by_task(project, ProjectRules(project).rules())
    for folder in part.folders():
        log.where = project.paths.relative(folder)
        if not log.begin(log.where):  # raises for a password, which ends the export
            continue
        try:
            stored = open_trajectory(folder)
        except UserError as error:
            log.add("trajectory-unreadable", _("A trajectory was left out: {why}", why=error))
            continue
        for problem in stored.problems:
            log.add("step-unreadable", problem)
        task = project.task(stored.header.task_id)
        script = compile_script(stored, task, rules_of(stored.header.task_id), folder.name, log)
        target = path / SCRIPTS / folder.parent.name / f"{folder.name}{ending}"
        target.parent.mkdir(exist_ok=True)
        log.makes(target)
        target.write_text(render(script, log), encoding="utf-8", newline="\n")
        if ending == ".sh":
            target.chmod(0o755)
        log.written.trajectories.append(log.where)
        log.keep()
    log.where = ""


def head_lines(script: PhoneScript) -> list[str]:
    """The lines that every script begins with: the task, and what the phone must be like."""
    lines = [
        " ".join(script.instruction.split()) or script.task,
        "",
        f"Golden trajectory {script.name} of task {script.task}, exported by Waymark Studio.",
        "The phone begins on its home screen, with app data as in the recording"
        + (f", in the language {script.language}." if script.language else "."),
    ]
    if script.secrets:
        lines.append(f"Hidden texts are read from the environment: {', '.join(script.secrets)}.")
    # What a file of a project says must not begin a line of a program.
    return [" ".join(line.split()) for line in lines]


def docstring(script: PhoneScript, run: str) -> str:
    """The head of a Python program; ``run`` says how to start it."""
    lines = [line.replace('"""', "'''").rstrip('"\\') for line in head_lines(script)]
    prefix = "r" if any("\\" in line for line in lines) else ""
    return "\n".join([f'{prefix}"""' + lines[0], *lines[1:], "", run, '"""', ""])
