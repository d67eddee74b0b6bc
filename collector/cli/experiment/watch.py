"""``waymark experiment``: status, attach, answer, pause, resume and stop a run that another process makes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from collector.cli.json_lines import JsonLines
from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.run.display import display_for
from collector.cli.run.text import duration
from collector.cli.shared_options import as_person, in_project
from collector.cli.verb_groups import experiment
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.run.control.requests import PauseRun, ResumeRun, RunRequest, SteerWorker, StopRun
from collector.run.control.run_client import RunClient, send_request
from collector.run.control.runner_file import RunnerAddress, running_runners
from collector.run.cycle.steering.control import AnswerAgent
from collector.run.events import RunBegan, RunChanged
from collector.run.progress import RunProgress, WorkerProgress
from collector.store.project.project import Project

_name = click.argument("name", metavar="EXPERIMENT")


@experiment.command()
@click.argument("name", metavar="[EXPERIMENT]", default="")
@in_project
@json_option
def status(name: str, folder: Path, as_json: bool) -> None:
    """Show how far the runs of the project are that go on now, or the run of EXPERIMENT."""
    project = Project.open(folder)
    runners = [runner for runner in running_runners(project.paths) if name in ("", runner.experiment)]
    rows = [_row(project, runner) for runner in runners]
    if as_json:
        print_json({"runs": rows})
    elif not rows:
        say(_("No experiment of the project is being run"))
    else:
        print_table(
            ("EXPERIMENT", "STATE", "FINISHED", "OF", "WORKERS", "LEFT", "PROCESS"),
            [
                (row["experiment"], row["state"], row["finished"], row["total"], row["workers"],
                 duration(row["seconds_left"]) if row["seconds_left"] else "", row["process"])
                for row in rows
            ],
        )  # fmt: skip


def _row(project: Project, runner: RunnerAddress) -> dict[str, Any]:
    progress, state = RunProgress(keeps_cells=False), _("on another computer")
    if runner.is_here:
        state = "starting"
        with RunClient.attach(project.paths, runner.experiment, pictures=False, patience_s=1) as client:
            for event in client.present():
                progress.apply(event)
                if isinstance(event, RunBegan):
                    state = "running"
                elif isinstance(event, RunChanged):
                    state = event.state
    return {
        "experiment": runner.experiment,
        "state": state,
        "finished": progress.finished,
        "total": progress.total,
        "workers": sum(not worker.is_gone for worker in progress.workers.values()),
        "seconds_left": progress.seconds_left,
        "process": runner.process,
        "pid": runner.pid,
    }


@experiment.command()
@_name
@in_project
@json_option
def attach(name: str, folder: Path, as_json: bool) -> int:
    """Watch the run of EXPERIMENT until it ends. Ctrl+C stops watching; the run goes on.

    With --json each event is a document on a line of its own.
    Exit status: 0 the run ended, 1 it is not being run, or its process died.
    """
    project = Project.open(folder)
    with (
        RunClient.attach(project.paths, name, pictures=False) as client,
        display_for(JsonLines(sys.stdout) if as_json else None) as display,
    ):
        try:
            for event in client.events():
                display.show(event)
        except KeyboardInterrupt:
            return 0
    if client.ended is not None:
        return 0
    say(_("The runner of {name} ended without a word; run it again to go on", name=name), err=True)
    return 1


@experiment.command()
@_name
@in_project
@json_option
def pause(name: str, folder: Path, as_json: bool) -> None:
    """Pause the run of EXPERIMENT: no episode does another action, and none is begun."""
    _send(name, folder, PauseRun(), "pause", _("The run is paused"), as_json)


@experiment.command()
@_name
@in_project
@json_option
def resume(name: str, folder: Path, as_json: bool) -> None:
    """Go on with the paused run of EXPERIMENT."""
    _send(name, folder, ResumeRun(), "resume", _("The run goes on"), as_json)


@experiment.command()
@_name
@in_project
@json_option
def stop(name: str, folder: Path, as_json: bool) -> None:
    """Stop the run of EXPERIMENT: running episodes end without an outcome, and are run again later."""
    stopping = _("The run is stopping; the episodes that are running will be run again")
    _send(name, folder, StopRun(), "stop", stopping, as_json)


@experiment.command("answer")
@_name
@click.argument("text")
@click.option("--worker", default="", help="The worker whose agent asks; by default the one that does.")
@as_person
@in_project
@json_option
def answer_agent(name: str, text: str, worker: str, who: str, folder: Path, as_json: bool) -> None:
    """Answer with TEXT what an agent asks its user in the run of EXPERIMENT; an empty one is no answer.

    The experiment lets a person answer with `user: person`. `attach` shows what is asked.
    """
    project = Project.open(folder)
    asked = _question(project, name, worker)
    command = AnswerAgent(text, who)
    send_request(project.paths, name, SteerWorker(asked.name, command))
    if as_json:
        print_json({"experiment": name, "worker": asked.name, "question": asked.question, "answer": text})
    else:
        say(_("Answered: {question}", question=asked.question))


def _question(project: Project, name: str, worker: str) -> WorkerProgress:
    """The worker whose agent waits for an answer. Raises UserError."""
    progress = RunProgress(keeps_cells=False)
    with RunClient.attach(project.paths, name, pictures=False) as client:
        for event in client.present():
            progress.apply(event)
    asking = [item for item in progress.workers.values() if item.question and worker in ("", item.name)]
    if not asking:
        raise UserError(
            _("No agent of the run asks anything now"), "", _("`waymark experiment attach` shows the run")
        )
    if len(asking) > 1:
        names = ", ".join(item.name for item in asking)
        raise UserError(_("Several agents ask: {names}", names=names), "", _("Choose one with --worker"))
    return asking[0]


def _send(name: str, folder: Path, request: RunRequest, word: str, sentence: str, as_json: bool) -> None:
    """Send a request to the run of an experiment, and print what came of it. Raises UserError."""
    send_request(Project.open(folder).paths, name, request)
    if as_json:
        print_json({"experiment": name, "request": word})
    else:
        say(sentence)
