"""``waymark studio``: opens the window. Qt is loaded only when the verb runs."""

from __future__ import annotations

import click


@click.command()
@click.argument("project", required=False, default="", type=click.Path(file_okay=False))
@click.option("--theme", type=click.Choice(["system", "dark", "light"]), help="Colours, for this run.")
@click.option("--language", type=click.Choice(["en", "zh_CN"]), help="Language, for this run.")
@click.option(
    "--run-command",
    "commands",
    multiple=True,
    metavar="'ID [NAME=VALUE]...'",
    help="Run a command of the window, in the one that is open or in the new one; may be repeated.",
)
@click.option("--alone", is_flag=True, help="A window of its own, even when one is open.")
def studio(
    project: str, theme: str | None, language: str | None, commands: tuple[str, ...], alone: bool
) -> int:
    """Open the window, on PROJECT if one is named."""
    # Here and not above: the other verbs run on machines without Qt.
    from studio.app.main import Options, open_studio

    return open_studio(Options(project, theme or "", language or "", commands, alone))


def register(command: click.Group) -> None:
    """Put the verb on ``command``."""
    command.add_command(studio)
