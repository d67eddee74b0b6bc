"""The verbs ``waymark studio``, ``demo`` and ``rules edit``. Qt is imported when one of them runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click

from collector.cli.verb_groups import WaymarkGroup
from collector.model.i18n import _, languages
from collector.model.resources import asset
from collector.model.review_link import SCHEME, parse_link
from collector.store.files.layout import PROJECT_FILE, project_around
from studio.app import anomaly_verbs
from studio.app.qt_loading import load_qt


class ProjectPlace(click.Path):
    """A project: its folder, the file that marks it, or the address that a file manager gives of one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The folder of the project, or a link unchanged."""
        text = str(value)
        if text.startswith("file:"):
            from urllib.request import url2pathname  # it loads a client of HTTP, which verbs do not wait for

            text = url2pathname(urlsplit(text).path)
        path = Path(text)
        if path.name == PROJECT_FILE and path.is_file():
            text = str(path.parent)
        return super().convert(text, param, ctx)


_LANGUAGES = languages(asset("translations"))


@click.command()
@click.argument("place", metavar="[PROJECT]", required=False, default="", type=ProjectPlace(file_okay=False))
@click.option(
    "--project", "named", type=ProjectPlace(file_okay=False), help="The project's folder, instead of PROJECT."
)
@click.option("--theme", type=click.Choice(["system", "dark", "light"]), help="Theme for this run.")
@click.option("--language", type=click.Choice(_LANGUAGES), help="Language for this run.")
@click.option(
    "--run-command",
    "commands",
    multiple=True,
    metavar="'ID [NAME=VALUE]...'",
    help="Run a command of the window, in the open window or in the new one; repeatable.",
)
@click.option("--alone", is_flag=True, help="Open a new window, even when one is open.")
def studio(
    place: str, named: str | None, theme: str | None, language: str | None, commands: tuple[str, ...],
    alone: bool,
) -> int:  # fmt: skip
    """Open the window, with PROJECT if given: a folder, or a waymark:// link to a step in Review.

    The project.yaml of a folder stands for the folder.
    """
    if place and named is not None:
        raise click.UsageError(_("Name the project once: as PROJECT, or with --project"))
    project = named or place
    load_qt()
    # Imported here: the other verbs run on machines without Qt.
    from studio.app.main import Options, open_studio

    if project.startswith(f"{SCHEME}:"):
        link, text = parse_link(project), project
        project, commands = link.project, (f"review.open folder={text}", *commands)
    return open_studio(Options(project, theme or "", language or "", commands, alone))


@click.command()
@click.option(
    "--headless",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Show the main job on a virtual screen; write pictures and a recording to DIR.",
)
@click.option("--tour", "whole", is_flag=True, help="Show every page on the virtual screen: the whole tour.")
@click.option("--offscreen", is_flag=True, help="Show it with Qt's own events, without an X server.")
def demo(folder: Path | None, whole: bool, offscreen: bool) -> int:
    """Open the sample project beside a virtual phone, ready to record.

    Without a screen it shows the main job on a virtual screen instead and writes to waymark-demo.
    """
    load_qt()
    from studio.app.main import has_display, open_studio

    if folder is None and not (whole or offscreen) and has_display():
        from studio.app.demo.window_options import DEMO_OPTIONS

        return open_studio(DEMO_OPTIONS)
    from studio.app.demo.headless_tour import HeadlessTour

    HeadlessTour(folder or Path("waymark-demo"), click.echo, whole=whole, offscreen=offscreen).run()
    return 0


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(dir_okay=False))
@click.option(
    "--project",
    type=click.Path(file_okay=False, exists=True),
    help="Project whose recordings the rules are tried on.",
)
@click.option("--theme", type=click.Choice(["system", "dark", "light"]), help="Theme for this run.")
@click.option("--language", type=click.Choice(_LANGUAGES), help="Language for this run.")
def edit(files: tuple[str, ...], project: str | None, theme: str | None, language: str | None) -> int:
    """Edit rule FILES in a separate window.

    The rules are tried on the recordings of --project, or of the project that holds the files.
    """
    load_qt()
    from studio.app.main import Options, open_studio

    project_folder = project or next(
        (str(folder) for file in files if (folder := project_around(Path(file)))), ""
    )
    return open_studio(Options(project_folder, theme or "", language or "", alone=True, rule_files=files))


def register(command: WaymarkGroup) -> None:
    """Add the verbs to ``command``."""
    command.add_to("rules", edit)
    command.add_to("anomaly", anomaly_verbs.new)
    command.add_to("anomaly", anomaly_verbs.copy)
    command.add_command(studio)
    command.add_command(demo)
