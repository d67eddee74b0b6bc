"""``waymark judge check``, ``cost``, ``new``, ``rubric`` and ``show``: judges by models before their use."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from collector.cli.judge.judged_reference import chosen_options, chosen_trajectories, judged, judged_argument
from collector.cli.option_values import option_facts, plugin_options, read_option_values
from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.progress import judging_progress
from collector.cli.shared_options import as_person, force_option, in_project, write_new_file
from collector.cli.trajectory.reference import require_visible
from collector.cli.verb_groups import judge
from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.kinds import JudgeKind
from collector.model.episode_text import subject_text, verdict_text
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.text.one_line import one_line
from collector.model.verdicts.judgement import Judgement
from collector.model_judges.judge_files import (
    JudgeFile,
    named_model_judge,
    options_of,
    read_judge_file,
    require_known,
)
from collector.model_judges.judging_cost import JudgingCost, cost_of
from collector.model_judges.listed_judges import write_usable_judge
from collector.model_judges.methods.rubric import draft_rubric, read_rubric, rubric_document
from collector.model_judges.prices import models_of
from collector.model_judges.questions import Question
from collector.plugins.options import with_defaults
from collector.project_rules.project_rules import ProjectRules
from collector.store.files import yaml_files
from collector.store.files.layout import is_project
from collector.store.project.project import Project
from collector.store.trajectory.judgement_codec import judgement_to_line
from collector.store.trajectory.judgements import read_judgements
from collector.store.trajectory.reader import open_trajectory

_LONGEST = 300
name_argument = click.argument("name", metavar="JUDGE")


@judge.command()
@judged_argument
@click.option(
    "--judge", "name", required=True, metavar="JUDGE", help="One of `judge list` that asks a model."
)
@plugin_options
@chosen_options
@as_person
@in_project
@json_option
def cost(
    reference: str, name: str, given: tuple[str, ...], task: str, agent: str, only_undecided: bool, who: str,
    folder: Path, as_json: bool,
) -> int:  # fmt: skip
    """Say what judging takes at most: calls, pictures, tokens and USD. Nothing is sent.

    Answers that are there already cost nothing. Tokens are estimates, corrected by earlier answers.
    """
    project, folders = chosen_trajectories(reference, folder, who, name, task, agent, only_undecided)
    require_known(name, project.project)
    kind = options_of(name, project.project)
    options = read_option_values(kind.options if kind is not None else (), given)
    chosen = named_model_judge(name, project.project, options, sends=False)
    taken = cost_of(project, folders, chosen, judging_progress())
    if as_json:
        print_json({"judge": name, **asdict(taken)})
    else:
        _print_cost(taken)
    return 1 if taken.problems else 0


def _print_cost(cost: JudgingCost) -> None:
    rows = [
        (_("Trajectories"), f"{cost.trajectories:,}"),
        (_("Calls, at most"), f"{cost.calls:,}"),
        (_("Answered before"), f"{cost.kept:,}"),
        (_("Pictures"), f"{cost.pictures:,}"),
        (_("Tokens in, about"), f"{cost.input_tokens:,}"),
        (_("Tokens out, about"), f"{cost.output_tokens:,}"),
        (_("USD, about"), "-" if cost.usd is None else f"{cost.usd:.4f}"),
    ]
    print_table((_("What"), _("Amount")), rows)
    if cost.usd is None and cost.calls:
        say(_("Give price_input and price_output to see what it costs"))
    if cost.answers_before:
        say(_("Corrected by {count} earlier answers", count=cost.answers_before))
    for problem in cost.problems:
        say(problem, err=True)


@judge.command()
@name_argument
@plugin_options
@in_project
@json_option
def check(name: str, given: tuple[str, ...], folder: Path, as_json: bool) -> int:
    """Ask the models of a judge once, with a small picture, and say whether they see it.

    Exit status: 0 every model names its colour in the right form, 1 some model does not.
    """
    from collector.model_judges.judge_check import check_model

    project = Project.open(folder)
    kind = options_of(name, project)
    options = read_option_values(kind.options if kind is not None else (), given)
    models = list(models_of(named_model_judge(name, project, options)))
    checks = [(model, check_model(model)) for model in models]
    if as_json:
        rows = [
            {"judge": model.judge, "asked": model.endpoint.model, **asdict(found)} for model, found in checks
        ]
        print_json({"checks": rows})
    for model, found in () if as_json else checks:
        say(_("{judge}: {model}", judge=model.judge, model=found.model or model.endpoint.model))
        seconds = f"{(found.usage.time_ms or 0) / 1000:.1f}"
        say("  " + _("Time: {seconds} s", seconds=seconds))
        say("  " + _("Answer: {text}", text=one_line(found.raw, _LONGEST)))
        if found.problem:
            say("  " + _("Cannot be read: {why}", why=found.problem))
        elif found.sees:
            say("  " + _("It sees the picture, and answers in the right form"))
        else:
            say("  " + _("It answers in the right form, but does not see the picture"))
    return int(not all(found.sees for _model, found in checks))


@judge.command()
@name_argument
@click.option(
    "--trajectory",
    "reference",
    default="",
    metavar="TRAJECTORY",
    help="What it asked and was told of this one.",
)
@click.option(
    "--questions", is_flag=True, help="With --trajectory: the words of each question, as they were sent."
)
@as_person
@in_project
@json_option
def show(name: str, reference: str, questions: bool, who: str, folder: Path, as_json: bool) -> None:
    """Show a judge: its method, options and prompt; with --trajectory each question and its answer.

    A method shows its options and their defaults.
    """
    if questions and not reference:
        raise click.UsageError(_("--questions goes with --trajectory"))
    if reference:
        _show_answers(name, reference, who, folder, questions=questions, as_json=as_json)
        return
    project = Project.open(folder) if is_project(folder) else None
    file, kind = read_judge_file(name, project), options_of(name, project)
    if kind is None:
        require_known(name, project)
        return
    shown = _definition(name, file, kind, project)
    if as_json:
        print_json(shown)
        return
    _print_definition(shown, kind, file)


def _definition(
    name: str, file: JudgeFile | None, kind: JudgeKind, project: Project | None
) -> dict[str, Any]:
    options = with_defaults(kind, file.options if file is not None else {})
    return {
        "name": name, "method": kind.id, "path": str(file.path) if file is not None else "",
        "built_in": file is None or file.is_built_in, "options": options,
        "description": file.shown_description if file is not None else _(kind.description),
        "prompt": _prompt_text(file, kind, project),
    }  # fmt: skip


def _prompt_text(file: JudgeFile | None, kind: JudgeKind, project: Project | None) -> str:
    """The prompt of a judge, as its file has it; empty without one."""
    if file is None or not any(option.name == "prompt" for option in kind.options):
        return ""
    from collector.model_judges.default_prompts import prompt_name
    from collector.model_judges.prompt_values import JUDGE_PROMPTS

    return JUDGE_PROMPTS.path(prompt_name(kind.id, file.options), project).read_text("utf-8")


def _print_definition(shown: dict[str, Any], kind: JudgeKind, file: JudgeFile | None) -> None:
    say(f"{shown['name']}: {shown['description']}")
    say(_("Method: {method}", method=kind.id))
    if file is not None:
        say(_("File: {path}", path=shown["path"]))
    given = file.options if file is not None else {}
    rows = [
        (option.name, "-" if shown["options"][option.name] is None else shown["options"][option.name],
         "" if option.name in given else _("default"), option_facts(option), _(option.description))
        for option in kind.options
    ]  # fmt: skip
    if rows:
        print_table((_("Option"), _("Value"), "", _("Values"), _("What it does")), rows)
    if shown["prompt"]:
        say("")
        say(shown["prompt"])


def _show_answers(
    name: str, reference: str, who: str, folder: Path, *, questions: bool, as_json: bool
) -> None:
    from collector.review.hidden_trajectories import hidden_trajectories

    project, found = judged(reference, folder)
    if found is None:
        raise UserError(_("{name} is no trajectory", name=reference))
    require_visible(found, who)
    if found in hidden_trajectories(project, [found], who):
        raise UserError(
            _("What {judge} said of {id} is hidden", judge=name, id=found.name), "",
            _("Submit your review of it first"),
        )  # fmt: skip
    if questions:
        _show_questions(name, project, found, as_json=as_json)
        return
    stored = [item for item in read_judgements(found).judgements if item.judge == name]
    if not stored:
        raise UserError(_("{name} did not judge {id}", name=name, id=found.name))
    if as_json:
        print_json({"judge": name, "judgements": [judgement_to_line(item) for item in stored]})
        return
    for item in stored:
        say(_answer_line(item))


def _show_questions(name: str, project: Project, folder: Path, *, as_json: bool) -> None:
    from collector.model_judges.asked_questions import asked_questions, sent_parts

    judge = named_model_judge(name, project, sends=False)
    asked = asked_questions(ProjectRules(project), folder, judge)
    if not asked:
        raise UserError(
            _("No answer of {judge} about {id} is kept", judge=name, id=folder.name), "",
            _("Judge it by {judge} as it is now: `waymark judge run`", judge=name),
        )  # fmt: skip
    rows: list[dict[str, Any]] = [
        {
            "judge": item.question.model.judge, "states": list(item.question.states),
            "window": _steps_of(item.question), "question": sent_parts(item.question).words,
            "answer": item.reply.raw, "fault": item.reply.fault, "usage": asdict(item.reply.usage),
            "verdicts": {state: found.verdict for state, found in item.verdicts.items()},
        }
        for item in asked
    ]  # fmt: skip
    if as_json:
        print_json({"judge": name, "questions": rows})
        return
    for row in rows:
        about = ", ".join(row["states"]) or name
        verdicts = ", ".join(dict.fromkeys(map(verdict_text, row["verdicts"].values())))
        say(f"{about}  {row['window']}  {verdicts}".rstrip())
        say(row["question"])
        say("> " + row["answer"].replace("\n", "\n> "))
        say("")


def _steps_of(question: Question) -> str:
    """The steps that a question shows, counted from 1, as in ``2-3``."""
    window = question.window
    return f"{window.first + 1}-{window.last + 1}" if window is not None else ""


def _answer_line(item: Judgement) -> str:
    usage, parts = item.usage, [verdict_text(item.verdict), subject_text(item.subject)]
    if usage.input_tokens is not None:
        parts.append(
            _("{input} + {output} tokens", input=usage.input_tokens, output=usage.output_tokens or 0)
        )
    if usage.cost is not None:
        parts.append(_("{usd} USD", usd=f"{usage.cost:.4f}"))
    lines = ["  ".join(parts)]
    lines += [f"    {one_line(text, _LONGEST)}" for text in (item.reason, item.raw) if text]
    return "\n".join(lines)


@judge.command()
@name_argument
@click.option(
    "--based-on",
    "source",
    default="windows",
    show_default=True,
    metavar="JUDGE",
    help="A judge or a method to begin with.",
)
@plugin_options
@force_option
@in_project
@json_option
def new(name: str, source: str, given: tuple[str, ...], replaces: bool, folder: Path, as_json: bool) -> None:
    """Write judges/JUDGE.yaml into the project: a copy of a judge, or a method with options."""
    project = Project.open(folder)
    file, kind = read_judge_file(source, project), options_of(source, project)
    if kind is None:
        require_known(source, project)
        return
    options = {**(file.options if file is not None else {}), **read_option_values(kind.options, given)}
    description = file.description if file is not None else ""
    judge_file = JudgeFile(name, project.paths.judge(name), kind.id, description, options)
    written = write_usable_judge(project, judge_file, replace=replaces)
    if as_json:
        print_json({"path": str(written), "method": kind.id, "options": options})
        return
    say(_("Wrote {path}", path=written))


@judge.command()
@click.argument("task_id", metavar="TASK")
@force_option
@in_project
@json_option
def rubric(task_id: str, replaces: bool, folder: Path, as_json: bool) -> None:
    """Write a first draft of the rubric of a task, from its essential states and its answer.

    The method `rubric` grades by it. Edit the draft: add constraints, and what concerns the process.
    """
    project = Project.open(folder)
    rules = ProjectRules(project)
    trajectory = next(iter(project.trajectory_folders(task_id)), None)
    if project.task(task_id) is None:
        raise UserError(_("The project has no task {id}", id=task_id))
    if trajectory is None:
        raise UserError(
            _("The task {id} has no trajectory", id=task_id), "", _("Record one, or write the rubric by hand")
        )
    judged_one = JudgedTrajectory.of(open_trajectory(trajectory), project.tasks, rules.rules())
    path = project.paths.rubric(task_id)
    text = yaml_files.new(rubric_document(draft_rubric(judged_one)), path.name).decode()
    path.parent.mkdir(parents=True, exist_ok=True)
    write_new_file(path, text, replaces=replaces)
    parts = read_rubric(project, task_id)
    if as_json:
        print_json({"path": str(path), "parts": [asdict(part) for part in parts]})
        return
    say(_("Wrote {path}", path=path))
