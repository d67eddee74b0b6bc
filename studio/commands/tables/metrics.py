"""Commands of the Metrics workspace."""

from __future__ import annotations

from functools import partial

from collector.model.i18n import N_
from studio.commands.command import Command
from studio.commands.keys import chord

_command = partial(Command, scope="metrics")
_HAS_EPISODES = "metrics.episodes"

METRICS_COMMANDS = (
    _command(
        "metrics.view",
        N_("Table or paper..."),
        N_("Show the table of numbers, or the numbers laid out as the tables of a paper"),
        shortcut=chord("V"),
        when=_HAS_EPISODES,
        icon="table",
        menu="view/metrics-table",
    ),
    _command(
        "metrics.rows",
        N_("Rows..."),
        N_("Choose what the numbers are broken down by"),
        shortcut=chord("R"),
        when="metrics.pivot",
        icon="list",
        menu="view/metrics-table",
    ),
    _command(
        "metrics.measures",
        N_("Columns..."),
        N_("Choose the numbers of the table"),
        shortcut=chord("C"),
        when="metrics.pivot",
        icon="metrics",
        menu="view/metrics-table",
    ),
    _command(
        "metrics.filter",
        N_("Tasks and search..."),
        N_("Choose the tasks whose episodes are counted, or search episodes as in the list of trajectories"),
        shortcut=chord("F"),
        when=_HAS_EPISODES,
        icon="filter",
        menu="view/metrics-episodes",
    ),
    _command(
        "metrics.condition",
        N_("Conditions..."),
        N_("Choose the conditions whose episodes are counted; pairs still find their baselines"),
        shortcut=chord("O"),
        when=_HAS_EPISODES,
        icon="zap",
        menu="view/metrics-episodes",
    ),
    _command(
        "metrics.judge",
        N_("Judge..."),
        N_("Choose whose verdicts say how episodes ended"),
        shortcut=chord("J"),
        when=_HAS_EPISODES,
        icon="check",
        menu="view/metrics-episodes",
    ),
    _command(
        "metrics.seeds",
        N_("Seeds..."),
        N_("Choose the seeds whose episodes are counted"),
        shortcut=chord("S"),
        when=_HAS_EPISODES,
        icon="dice",
        menu="view/metrics-episodes",
    ),
    _command(
        "metrics.experiment",
        N_("Experiments..."),
        N_("Choose the experiments whose episodes are counted"),
        shortcut=chord("X"),
        when=_HAS_EPISODES,
        icon="run",
        menu="view/metrics-episodes",
    ),
    _command(
        "metrics.leave-out-stale",
        N_("Leave out stale results"),
        N_("Count no episodes of which the agent, the task or the rules changed since; again counts them"),
        when="metrics.stale",
        icon="clock",
        menu="view/metrics-episodes",
    ),
    _command(
        "metrics.count-all",
        N_("Count all episodes"),
        N_("Take back the search and every choice of what is counted"),
        shortcut=chord("A"),
        when="metrics.narrowed",
        icon="refresh",
        menu="view/metrics-episodes",
    ),
    _command(
        "metrics.copy",
        N_("Copy table"),
        N_("Copy what is on show as Markdown, CSV or LaTeX"),
        shortcut=chord("Y"),
        when="metrics.tables",
        icon="copy",
        menu="view/metrics-copy",
        toolbar="right",
    ),
    _command(
        "metrics.copy-markdown", N_("Copy the table as Markdown"), shortcut=chord("Ctrl+Shift+M"),
        when="metrics.tables", icon="copy", menu="view/metrics-copy",
    ),
    _command(
        "metrics.copy-csv", N_("Copy the table as CSV"), when="metrics.tables", icon="copy",
        menu="view/metrics-copy",
    ),
    _command(
        "metrics.copy-latex", N_("Copy the table as LaTeX"), when="metrics.tables", icon="copy",
        menu="view/metrics-copy",
    ),
    _command(
        "metrics.export",
        N_("Export..."),
        N_("Write what is on show to a file: Markdown, CSV, LaTeX or JSON"),
        shortcut=chord("Ctrl+E"),
        when="metrics.tables",
        icon="down",
        menu="view/metrics-copy",
        toolbar="right",
    ),
    _command(
        "metrics.study-windows",
        N_("Study windows..."),
        N_("Let judges judge labelled trajectories with several windows and intervals, and compare them"),
        when="project.open and not metrics.studying",
        icon="play",
        menu="task/studies",
    ),
    _command(
        "metrics.go-to-episodes",
        N_("Go to the episodes of the number"),
        N_("Give the keyboard to the list of the episodes behind the selected number"),
        shortcut=chord("E"),
        when="metrics.number",
        icon="list",
        menu="view/metrics-number",
    ),
    _command(
        "metrics.open-episode",
        N_("Open the episode in Review"),
        N_("Step through the chosen episode of the selected number"),
        shortcut=chord("Shift+O"),
        when="metrics.number and metrics.episode",
        icon="review",
        menu="view/metrics-number",
    ),
    _command(
        "metrics.copy-episodes",
        N_("Copy the folders of the episodes"),
        N_("Copy the folders of all listed episodes, one a line"),
        when="metrics.number and metrics.episode",
        icon="copy",
        menu="view/metrics-number",
    ),
)  # fmt: skip
