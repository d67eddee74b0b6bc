"""``waymark updates``: whether a newer version of the program is published."""

from __future__ import annotations

import click

from collector.cli.output import json_option, print_json, say
from collector.model.i18n import _


@click.command()
@json_option
def updates(as_json: bool) -> None:
    """Ask the Python Package Index once which version is the newest, and compare it with this one.

    Nothing of you or your projects is sent. Nothing is installed. WAYMARK_RELEASES names another address.
    """
    from collector.releases.newest_release import ask_newest_release, releases_address

    release = ask_newest_release()
    if as_json:
        document = {"installed": release.installed, "newest": release.newest, "newer": release.is_newer}
        print_json({**document, "address": releases_address()})
    elif release.is_newer:
        say(_("{newest} is published; {installed} is installed", **vars(release)))
    else:
        say(_("{installed} is installed; no newer version is published", installed=release.installed))
