"""The verb groups of ``waymark``. The module of a verb is imported when the verb is called."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping

import click

from collector.cli.output import say
from collector.model.errors import UserError
from collector.model.i18n import _

PLUGINS = "waymark.verbs"
"""Entry points of packages that add verbs; each names a function that is given the :class:`WaymarkGroup`."""
RETIRED = {
    "judge settle": "review adjudicate",
    "trajectory judge": "review submit",
    "trajectory label": "review submit",
}
"""Verbs that there were -> the verb that does it now."""

ALIASES = {"project list": "task list"}
"""Verbs of the version before -> the verb that they are now; no help shows them."""


def retired(old: str) -> click.Command:
    """A verb that there was: whatever it is called with, it names the one that does it now."""

    def refuse(_rest: tuple[str, ...]) -> None:
        raise UserError(
            _("`waymark {old}` is now `waymark {new}`", old=old, new=RETIRED[old]),
            "",
            _("See `waymark {new} --help`", new=RETIRED[old]),
        )

    rest = click.Argument(["_rest"], nargs=-1, type=click.UNPROCESSED)
    settings = {"ignore_unknown_options": True}
    return click.Command(old, settings, refuse, [rest], add_help_option=False)


class VerbGroup(click.Group):
    """A built-in group of verbs. ``modules`` maps each module of this package to the verbs it registers."""

    def __init__(self, name: str, help: str, modules: Mapping[str, tuple[str, ...]]) -> None:  # noqa: A002 - click's name
        super().__init__(name, help=help)
        self._module_of = {verb: module for module, verbs in modules.items() for verb in verbs}

    def list_commands(self, ctx: click.Context) -> list[str]:
        _load_plugins_of(ctx)
        return sorted({*self._module_of, *super().list_commands(ctx)})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if f"{self.name} {cmd_name}" in RETIRED:
            return retired(f"{self.name} {cmd_name}")
        if f"{self.name} {cmd_name}" in ALIASES:
            group, verb = ALIASES[f"{self.name} {cmd_name}"].split()
            return VERB_GROUPS[group].get_command(ctx, verb)
        if cmd_name not in self._module_of:
            _load_plugins_of(ctx)
        elif cmd_name not in self.commands:
            importlib.import_module(f"collector.cli.{self._module_of[cmd_name]}")
        return super().get_command(ctx, cmd_name)


class DefaultVerbGroup(VerbGroup):
    """A group whose first verb is meant when none is named: ``waymark metrics PROJECT``."""

    @property
    def default(self) -> str:
        """The verb that is meant."""
        return next(iter(self._module_of))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or args[0] not in (*self._module_of, *ctx.help_option_names):
            args = [self.default, *args]
        return super().parse_args(ctx, args)


agent = VerbGroup(
    "agent",
    "List, show, write, check and try agents, and keep the keys and hosts of endpoints.",
    {
        "agent.verbs": ("list", "show"),
        "agent.new": ("new",),
        "agent.check": ("check",),
        "agent.host": ("host",),
        "agent.key": ("key",),
        "agent.try_agent": ("try",),
        "agent.ask": ("ask",),
    },
)
anomaly = VerbGroup(
    "anomaly",
    "List, show, check and inject anomalies.",
    {
        "anomaly.verbs": ("list", "show", "check"),
        "anomaly.fire": ("fire", "undo"),
        "anomaly.rehearse": ("rehearse",),
        "anomaly.solvable": ("solvable",),
    },
)
device = VerbGroup(
    "device",
    "List, diagnose and check phones, and run virtual ones and emulators.",
    {
        "device.verbs": ("virtual",),
        "device.fleet": ("fleet",),
        "device.emulator": ("emulator",),
        "device.list": ("list", "connect", "doctor"),
        "device.reset": ("reset",),
        "device.check": ("check",),
        "device.profile": ("profile",),
        "device.files": ("install", "push"),
        "device.companion": ("companion",),
        "device.data": ("data",),
        "device.practice": ("practice",),
    },
)
experiment = VerbGroup(
    "experiment",
    "Make, list, show, check, copy and delete experiments, steer their runs, recompute and compare episodes.",
    {
        "experiment.verbs": ("list", "show", "check", "schema"),
        "experiment.new": ("new",),
        "experiment.change": ("copy", "delete"),
        "experiment.compare": ("compare",),
        "experiment.steps": ("steps",),
        "experiment.recompute": ("recompute",),
        "experiment.watch": ("status", "attach", "answer", "pause", "resume", "stop"),
    },
)
judge = VerbGroup(
    "judge",
    "List judges, judge trajectories, and compare the judges.",
    {
        "judge.verbs": ("list", "run"),
        "judge.compare": ("agreement", "quality"),
        "judge.task": ("levels", "process"),
        "judge.models": ("check", "cost", "new", "rubric", "show"),
        "judge.study": ("study",),
        "judge.training": ("samples",),
    },
)
metrics = DefaultVerbGroup(
    "metrics",
    "Show the numbers of a project's runs: success, robustness, essential states, with intervals.",
    {"metrics.verbs": ("show", "list", "check")},
)
project = VerbGroup(
    "project",
    "Create, check, redact, import into and export projects.",
    {
        "project.verbs": ("new", "check", "recover", "index"),
        "project.exchange": ("import", "imports", "export", "exports", "formats"),
        "project.merge": ("merge",),
        "project.tidy": ("duplicate-task", "empty-trash"),
        "project.trust": ("trust",),
        "project.reasons": ("reasons",),
        "project.redact": ("redact",),
        "project.health": ("health",),
    },
)
review = VerbGroup(
    "review",
    "Review and share trajectories: queues, verdicts of people, approval, adjudication, export.",
    {
        "review.verbs": ("status", "next"),
        "review.submit": ("submit", "skip"),
        "review.step": ("step",),
        "review.steps": ("steps",),
        "review.decide": ("approve", "reject", "adjudicate", "undo"),
        "review.queue": ("queue",),
        "review.export": ("export",),
    },
)
rules = VerbGroup(
    "rules",
    "Check rules, and try them on recordings.",
    {
        "rules.verbs": ("check", "schema"),
        "rules.try_rules": ("test", "backtest", "compare", "suggest"),
        "rules.follow": ("follow",),
    },
)
states = VerbGroup(
    "states",
    "List, check, suggest, propose, define, audit, import and export essential states.",
    {
        "states.verbs": ("list", "check"),
        "states.exchange": ("import", "export"),
        "states.suggest": ("suggest",),
        "states.propose": ("propose",),
        "states.define": ("define",),
        "states.audit": ("audit",),
        "states.status": ("history", "status", "undo"),
    },
)
task = VerbGroup(
    "task",
    "List, check, add, change and generate the tasks of a project.",
    {
        "task.list": ("list",),
        "task.check": ("check",),
        "task.edit": ("new", "edit"),
        "task.expand": ("expand",),
        "task.library": ("library", "copy", "generate"),
        "task.reward": ("reward",),
        "task.rewards": ("rewards",),
        "task.prove": ("prove",),
    },
)
trajectory = VerbGroup(
    "trajectory",
    "List, show, verify, edit, comment on, redact, rename, delete and replay trajectories.",
    {
        "trajectory.verbs": ("show",),
        "trajectory.align": ("align",),
        "trajectory.comment": ("comment",),
        "trajectory.diff": ("diff",),
        "trajectory.list": ("list",),
        "trajectory.verify": ("verify",),
        "trajectory.video": ("video",),
        "trajectory.change": ("delete", "restore", "rename", "duplicate"),
        "trajectory.edit": ("split", "join", "trim", "drop", "insert", "replace-state"),
        "trajectory.history": ("history", "undo", "redo"),
        "trajectory.redact": ("redact",),
        "trajectory.replay": ("replay",),
        "trajectory.rerecord": ("rerecord",),
    },
)
variations = VerbGroup(
    "variations",
    "List, check and draw variations of the virtual phone: how apps look, and what they hold.",
    {
        "variations.verbs": ("list", "show", "check"),
        "variations.render": ("render",),
    },
)
VERB_GROUPS = {
    str(group.name): group
    for group in (
        agent,
        anomaly,
        device,
        experiment,
        judge,
        metrics,
        project,
        review,
        rules,
        states,
        task,
        trajectory,
        variations,
    )
}


VERBS = {"mcp": "mcp.verbs", "record": "record.verbs", "run": "run.verbs", "updates": "updates"}
"""Module of each built-in verb that is in no group."""


class WaymarkGroup(click.Group):
    """The ``waymark`` command itself: the built-in groups, and plug-ins.

    These are looked for when a verb is asked for that no built-in group has: finding them takes time.
    """

    _loaded = False

    def add_to(self, group: str, verb: click.Command) -> None:
        """Add a verb to one of the built-in groups."""
        VERB_GROUPS[group].add_command(verb)

    def list_commands(self, ctx: click.Context) -> list[str]:
        self.load_plugins()
        return sorted({*VERB_GROUPS, *VERBS, *super().list_commands(ctx)})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in VERB_GROUPS:
            return VERB_GROUPS[cmd_name]
        if cmd_name in VERBS:
            verb: click.Command = getattr(
                importlib.import_module(f"collector.cli.{VERBS[cmd_name]}"), cmd_name
            )
            return verb
        self.load_plugins()
        return super().get_command(ctx, cmd_name)

    def load_plugins(self) -> None:
        """Load the plug-ins once. One that fails is left out with a sentence; the other verbs stay."""
        if self._loaded:
            return
        self._loaded = True
        from collector.plugins.entry_points import load_plugins  # here: most verbs need no plug-in

        def use(plugin: Callable[[WaymarkGroup], object], _value: str) -> None:
            plugin(self)

        for broken in load_plugins(PLUGINS, use).broken:
            say(broken.problem, err=True)


def _load_plugins_of(ctx: click.Context) -> None:
    """Load the plug-ins of the ``waymark`` command that a context belongs to."""
    command = ctx.find_root().command
    if isinstance(command, WaymarkGroup):
        command.load_plugins()
