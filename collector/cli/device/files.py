"""``waymark device install`` and ``push``: what a drop on the mirror does."""

from __future__ import annotations

from pathlib import Path

import click

from collector.cli.device.phone import leased_phone
from collector.cli.output import json_option, print_json, say
from collector.cli.shared_options import device_option
from collector.cli.verb_groups import device
from collector.device.device_lease import COPY, INSTALLATION
from collector.device.transport.file_transfer import install_app, push_file
from collector.model.i18n import _

_files = click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))


@device.command()
@_files
@device_option
@json_option
def install(files: tuple[Path, ...], serial: str, as_json: bool) -> None:
    """Install APK FILES; an app that is there is updated and keeps its data."""
    with leased_phone(serial, INSTALLATION) as phone:
        for path in files:
            install_app(phone, path)
            if not as_json:
                say(_("{name} is installed", name=path.name))
    if as_json:
        print_json({"installed": [str(path) for path in files]})


@device.command()
@_files
@device_option
@json_option
def push(files: tuple[Path, ...], serial: str, as_json: bool) -> None:
    """Copy FILES to the phone's Download folder."""
    with leased_phone(serial, COPY) as phone:
        targets = [str(push_file(phone, path)) for path in files]
    if as_json:
        print_json({"pushed": targets})
        return
    for target in targets:
        say(target)
