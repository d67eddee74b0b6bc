"""``waymark variations render``: a contact sheet of screens under variations."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from collector.cli.device.profile_options import ScreenSize
from collector.cli.output import json_option, print_json, say
from collector.cli.project_variations import variations_in
from collector.cli.shared_options import force_option, in_project, write_new_bytes
from collector.cli.verb_groups import variations
from collector.model.errors import UserError
from collector.model.geometry import Size
from collector.model.i18n import _, ngettext
from collector.model.phone.phone_setup import read_locale
from collector.model.seeds import DEFAULT_SEED

_MOST_PICTURES = 400


@variations.command()
@click.argument("names", metavar="[VARIATION]...", nargs=-1)
@click.option(
    "--screen", "screens", multiple=True, metavar="APP[/SCREEN]",
    help="A screen to draw: an app, an activity or page of it, or home; repeatable. All apps by default.",
)  # fmt: skip
@click.option("--output", type=click.Path(path_type=Path), default="variations.png", show_default=True,
              help="The file to write.")  # fmt: skip
@click.option("--seed", type=int, default=DEFAULT_SEED, show_default=True, help="Seed of the apps' content.")
@click.option("--locale", default="en-US", show_default=True, help="Language and region, such as zh-CN.")
@click.option("--size", type=ScreenSize(), default="480x1064", show_default=True, help="Screen in pixels.")
@click.option(
    "--density", type=click.IntRange(72, 1000), default=213, show_default=True, help="Dots per inch."
)
@click.option("--width", type=click.IntRange(80, 2000), default=240, show_default=True,
              help="Width of a picture on the sheet, in pixels.")  # fmt: skip
@force_option
@in_project
@json_option
def render(
    names: Sequence[str], screens: Sequence[str], output: Path, seed: int, locale: str, size: Size,
    density: int, width: int, replaces: bool, folder: Path, as_json: bool,
) -> None:  # fmt: skip
    """Draw a contact sheet: a row for each variation, a picture for each screen.

    A combination, such as dark_theme+german@shop, is a row too. Without names every variation is drawn. No
    phone has to run.
    """
    from collector.virtual.drawn_screens import (
        PhoneLook,
        ScreenName,
        contact_sheet,
        draw_screens,
        first_screens,
    )

    known = variations_in(folder)
    chosen = [known.resolve(name) for name in names or known.names]
    try:
        drawn = tuple(map(ScreenName.parse, screens)) or first_screens()
        look = PhoneLook(seed, read_locale(locale), size, density)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if len(chosen) * len(drawn) > _MOST_PICTURES:
        raise UserError(
            _("{count} pictures are too many for one sheet", count=len(chosen) * len(drawn)),
            _("a sheet holds {most}", most=_MOST_PICTURES),
            _("Name fewer variations or screens"),
        )
    rows = [(variation.name, list(draw_screens(variation, drawn, look))) for variation in chosen]
    write_new_bytes(output, contact_sheet(rows, width), replaces=replaces)
    if as_json:
        digests = {name: {str(screen.name): screen.digest for screen in row} for name, row in rows}
        print_json({"output": str(output), "screens": [str(name) for name in drawn], "variations": digests})
    else:
        count = len(chosen) * len(drawn)
        say(ngettext("Drew {count} picture in {path}", "Drew {count} pictures in {path}", count, path=output))
