"""Commands of the Metrics workspace."""

from __future__ import annotations

from functools import partial

from collector.model.i18n import N_
from studio.commands.command import Command
from studio.commands.keys import chord

_command = partial(Command, scope="metrics", when="metrics.episodes")

METRICS_COMMANDS = (
    _command("metrics.view", N_("View"), N_("Show rows and columns of your own, or the tables of a paper"),
             shortcut=chord("V"), icon="table", menu="view/metrics", toolbar="left"),
    _command("metrics.rows", N_("Rows"), N_("Choose what the rows of the table are broken down by"),
             shortcut=chord("R"), icon="list", menu="view/metrics", toolbar="left"),
    _command("metrics.measures", N_("Columns"), N_("Choose the numbers of the table"),
             shortcut=chord("C"), icon="metrics", menu="view/metrics", toolbar="left"),
    _command("metrics.filter", N_("Filter..."), N_("Count the episodes alone that fit a search"),
             shortcut=chord("F"), icon="filter", menu="view/metrics", toolbar="left"),
    _command("metrics.condition", N_("Conditions"), N_("Count the episodes of some conditions alone"),
             shortcut=chord("O"), icon="zap", menu="view/metrics", toolbar="left"),
    _command("metrics.seeds", N_("Seeds"), N_("Count the episodes of some seeds alone"),
             shortcut=chord("S"), icon="dice", menu="view/metrics", toolbar="left"),
    _command("metrics.copy-markdown", N_("Copy as Markdown"),
             N_("Copy the table with its intervals and notes"), shortcut=chord("Ctrl+Shift+M"),
             icon="copy", menu="view/metrics-copy", toolbar="right"),
    _command("metrics.copy-csv", N_("Copy as CSV"),
             N_("Copy the table for a spreadsheet; no cell is a formula"),
             icon="copy", menu="view/metrics-copy"),
    _command("metrics.copy-latex", N_("Copy as LaTeX"), N_("Copy the table for a paper"),
             icon="copy", menu="view/metrics-copy"),
)  # fmt: skip
