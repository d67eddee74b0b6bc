"""``waymark device profile``: make the profile of a phone from the report of its check."""

from __future__ import annotations

from pathlib import Path

import click

from collector.cli.output import json_option, print_json, say
from collector.cli.shared_options import force_option, write_new_file
from collector.cli.verb_groups import device
from collector.device_check.phone_profile import profile_of
from collector.device_check.report_page import read_report
from collector.host.private_files import make_private_folder
from collector.model.i18n import _
from collector.phone_profiles.profile import profile_text
from collector.phone_profiles.registry import own_folder


@device.command()
@click.argument("report", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--output", type=click.Path(path_type=Path, dir_okay=False), help="The file to write.")
@force_option
@json_option
def profile(report: Path, output: Path | None, replaces: bool, as_json: bool) -> None:
    """Make a profile of the REPORT of `waymark device check`, for phones of its model and Android version.

    Without a file to write it is one of your own: its settings are used when such a phone connects, and a
    virtual phone can be like it.
    """
    found = profile_of(read_report(report))
    if output is None:
        make_private_folder(own_folder())
        output = own_folder() / f"{found.name}.yaml"
    write_new_file(output, profile_text(found), replaces=replaces)
    if as_json:
        print_json({"profile": found.name, "file": str(output), "quirks": list(found.quirks)})
        return
    say(_("The profile {name} is written: {path}", name=found.name, path=output))
