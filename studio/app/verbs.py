"""The verbs ``waymark studio``, ``waymark demo`` and ``waymark rules edit``. Qt is imported when one runs."""

from __future__ import annotations

from pathlib import Path

import click

from collector.cli.verb_groups import LazyGroup
from collector.store.layout import project_around


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
    # Imported here: the other verbs run on machines without Qt.
    from studio.app.main import Options, open_studio

    return open_studio(Options(project, theme or "", language or "", commands, alone))


@click.command()
@click.option(
    "--headless",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Take a scripted tour on a screen of its own and leave pictures and a recording in DIR.",
)
@click.option("--quick", is_flag=True, help="The shortest tour.")
@click.option("--offscreen", is_flag=True, help="Take the tour by Qt's own events, without an X server.")
def demo(folder: Path | None, quick: bool, offscreen: bool) -> int:
    """Open the sample project beside a virtual phone, ready to record.

    Where there is no screen the tour is taken instead, into waymark-demo.
    """
    from studio.app.main import has_display, open_studio

    if folder is None and not (quick or offscreen) and has_display():
        from studio.app.demo.window_options import DEMO_OPTIONS

        return open_studio(DEMO_OPTIONS)
    from studio.app.demo.headless_tour import HeadlessTour

    HeadlessTour(folder or Path("waymark-demo"), click.echo, quick=quick, offscreen=offscreen).run()
    return 0


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(dir_okay=False))
@click.option(
    "--project",
    type=click.Path(file_okay=False, exists=True),
    help="Whose recordings the rules are tried on.",
)
@click.option("--theme", type=click.Choice(["system", "dark", "light"]), help="Colours, for this run.")
@click.option("--language", type=click.Choice(["en", "zh_CN"]), help="Language, for this run.")
def edit(files: tuple[str, ...], project: str | None, theme: str | None, language: str | None) -> int:
    """Edit rule FILES in a window of their own, one of each kind.

    They are tried on the recordings of --project, or of the project they lie in.
    """
    from studio.app.main import Options, open_studio

    project_folder = project or next(
        (str(folder) for file in files if (folder := project_around(Path(file)))), ""
    )
    return open_studio(Options(project_folder, theme or "", language or "", alone=True, rule_files=files))


def register(command: LazyGroup) -> None:
    """Add the verbs to ``command``."""
    command.add_to("rules", edit)
    command.add_command(studio)
    command.add_command(demo)
