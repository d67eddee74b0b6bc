"""The option ``--as``: who calls a verb that shows or writes what people say."""

from __future__ import annotations

import click

from collector.host.user_folders import user_name

as_person = click.option(
    "--as",
    "who",
    default=user_name,
    metavar="WHO",
    callback=lambda _context, _option, name: name.strip(),
    help="Your name; your user name by default.",
)
