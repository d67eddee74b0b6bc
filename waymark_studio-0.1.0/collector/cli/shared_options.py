"""The options that several groups of verbs share, so that each has one name and one meaning."""

from __future__ import annotations

from pathlib import Path

import click

from collector.host.user_folders import user_name

PAUSE_HELP = "Seconds from step to step with --timing fixed."

as_person = click.option(
    "--as",
    "who",
    default=user_name,
    metavar="WHO",
    callback=lambda _context, _option, name: name.strip(),
    help="Your name; your user name by default.",
)
in_project = click.option(
    "--project",
    "folder",
    type=click.Path(path_type=Path),
    default=".",
    help="The project's folder; the current one by default.",
)
where_option = click.option(
    "--where",
    "query",
    default="",
    metavar="QUERY",
    help="Only the trajectories that fit, as `trajectory list` finds them.",
)
comment_option = click.option("--comment", default="", help="Why, in a sentence.")
replace_option = click.option("--replace", "replaces", is_flag=True, help="Replace what is there.")
