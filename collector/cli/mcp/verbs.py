"""``waymark mcp``: serve a phone to clients of the Model Context Protocol."""

from __future__ import annotations

import importlib.util
import logging
import sys
from pathlib import Path

import click

from collector.cli.output import say
from collector.cli.shared_options import VARIATION_HELP, VARIATION_METAVAR, asks_permissions_option
from collector.host.extras import how_to_add
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.seeds import DEFAULT_SEED


@click.command()
@click.argument("project", metavar="[PROJECT]", type=click.Path(path_type=Path), required=False)
@click.option("--task", default="", metavar="TASK", help="The task of the first episode; none by default.")
@click.option("--variation", default="", metavar=VARIATION_METAVAR, help=VARIATION_HELP)
@click.option("--seed", type=int, default=DEFAULT_SEED, show_default=True, help="Seed of the apps' content.")
@click.option("--locale", default="en-US", show_default=True, help="Language and region, such as zh-CN.")
@click.option("--size", metavar="WxH", default="480x1064", show_default=True, help="Screen in pixels.")
@click.option(
    "--density", type=click.IntRange(72, 1000), default=213, show_default=True, help="Dots per inch."
)
@click.option(
    "--app", "apps", multiple=True, metavar="NAME", help="App to install; all by default; repeatable."
)
@asks_permissions_option
@click.option(
    "--max-steps", type=click.IntRange(0), default=0,
    help="Most steps of an episode whose task names no number; 0 for any number.",
)  # fmt: skip
@click.option(
    "--http", "port", type=click.IntRange(0, 65535), metavar="PORT",
    help="Serve over HTTP on 127.0.0.1 in place of standard input and output; 0 takes a free port.",
)  # fmt: skip
@click.option(
    "--token-file", type=click.Path(path_type=Path),
    help="With --http: the file of the token that clients send; written when it is not there. Without it a "
    "new token is printed.",
)  # fmt: skip
def mcp(
    project: Path | None, task: str, variation: str, seed: int, locale: str, size: str, density: int,
    apps: tuple[str, ...], asks_permissions: bool, max_steps: int, port: int | None, token_file: Path | None,
) -> None:  # fmt: skip
    """Serve a virtual phone to a client of the Model Context Protocol, with the tasks of PROJECT.

    The client starts it and talks over standard input and output; with --http clients connect, each to a
    phone of its own.
    """
    if importlib.util.find_spec("mcp") is None:
        raise UserError(
            _("The phone cannot be served"), _("the package mcp is not installed"),
            how_to_add("mcp"),
        )  # fmt: skip
    if token_file is not None and port is None:
        raise click.UsageError(_("--token-file goes with --http"))
    from collector.mcp_server.phone_sessions import PhoneSessions
    from collector.mcp_server.served_phone import ServedSetup
    from collector.model.phone.phone_setup import read_locale, read_screen

    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="waymark: %(message)s")
    try:
        screen, spoken = read_screen(size), read_locale(locale)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    setup = ServedSetup(
        project, task, variation, seed, screen, density, spoken, apps, max_steps, asks_permissions
    )
    setup.environment().close()  # what is wrong with it is said here, not to the client
    if port is None:
        from collector.mcp_server.stdio_transport import serve_stdio

        serve_stdio(setup)
        return
    from collector.mcp_server.access_token import new_token, token_in
    from collector.mcp_server.http_transport import serve_http

    token = new_token() if token_file is None else token_in(token_file)

    def ready(address: str) -> None:
        say(_("Serving phones at {address}", address=address), err=True)
        if token_file is None:
            say(_("Clients send: Authorization: Bearer {token}", token=token), err=True)

    serve_http(PhoneSessions(setup), port, token, ready)
