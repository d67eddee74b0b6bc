"""``waymark review export``: share one to four trajectories as a page, a video, a picture or a report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from collector.cli.output import json_option, print_json, say
from collector.cli.progress import ProgressOutput
from collector.cli.shared_options import PAUSE_HELP, as_person, force_option, in_project
from collector.cli.trajectory.reference import find_or_zip
from collector.cli.verb_groups import review
from collector.comparison.alignment.trajectory_alignment import MOST
from collector.model.i18n import _
from collector.sharing.export_options import RECORDED, TIMINGS, ExportOptions
from collector.sharing.export_progress import ExportProgress
from collector.sharing.exports import FORMATS, export_review, suggested_name
from collector.sharing.frame_colors import THEMES, Theme
from collector.sharing.review_of_files import review_of_files
from collector.sharing.shared_review import SharedReview

_HEIGHTS = click.IntRange(200, 1600)


@review.command()
@click.argument("references", metavar="TRAJECTORY...", nargs=-1, required=True)
@click.option(
    "--format", "form", type=click.Choice(list(FORMATS)), help="By default the ending of --output, else html."
)
@click.option("--output", type=click.Path(path_type=Path, dir_okay=False), help="The file to write.")
@click.option("--theme", type=click.Choice(THEMES), default="dark", help="Of videos and pictures.")
@click.option("--timing", type=click.Choice(TIMINGS), default=RECORDED, help="How long a step is shown.")
@click.option("--pause", type=click.FloatRange(0.1, 60), default=1.5, help=PAUSE_HELP)
@click.option("--speed", type=click.FloatRange(0.25, 16), default=1.0, help="Of recorded timing.")
@click.option("--height", type=_HEIGHTS, default=600, help="Of a screen in a video, in pixels.")
@click.option("--pictures/--no-pictures", default=True, help="Whether a Markdown report has pictures.")
@force_option
@as_person
@in_project
@json_option
def export(
    references: tuple[str, ...], form: str | None, output: Path | None, theme: Theme, timing: str,
    pause: float, speed: float, height: int, pictures: bool, replaces: bool, who: str, folder: Path,
    as_json: bool,
) -> None:  # fmt: skip
    """Share one to four trajectories, each an id, task/id, folder or zip file, in one file.

    The first is the reference. html is one page, mp4 and gif play the steps, png is a contact sheet, md a
    report with pictures beside it. Passwords are left out.
    """
    if len(references) > MOST:
        raise click.UsageError(_("Give one to {most} trajectories", most=MOST))
    name = form or (output.suffix.lower().removeprefix(".") if output else "html")
    if name not in FORMATS:
        raise click.UsageError(
            _("The ending of {name} is no format: give --format, one of {known}",
              name=output.name if output else "", known=", ".join(FORMATS))
        )  # fmt: skip
    shared = review_of_files([find_or_zip(each, folder, who) for each in references], folder, who)
    path = output or Path(suggested_name(shared.aligned, name))
    if path.exists() and not replaces:
        raise click.UsageError(_("{name} is there already; give --force to replace it", name=path))
    options = ExportOptions(theme, timing, pause, speed, height, pictures)
    export_review(shared, name, path, options, ExportProgress(_progress()))
    if as_json:
        print_json(_document(shared, name, path))
        return
    say(_("Wrote {path} ({size} KB)", path=path, size=f"{-(-path.stat().st_size // 1024):,}"))


def _document(shared: SharedReview, name: str, path: Path) -> dict[str, object]:
    return {
        "file": str(path),
        "format": name,
        "bytes": path.stat().st_size,
        "trajectories": [side.id for side in shared.sides],
        "slots": len(shared.aligned.slots),
    }


def _progress() -> Callable[[int, int], None]:
    output = ProgressOutput()

    def show(done: int, total: int) -> None:
        text = _("Exporting: {percent} %", percent=100 * done // max(1, total))
        output.show(text, last=done >= total)

    return show
