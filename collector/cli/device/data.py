"""``waymark device data``: what the apps of a virtual phone keep for the person."""

from __future__ import annotations

from collector.cli.device.phone import leased_phone
from collector.cli.output import json_option, print_json, say
from collector.cli.shared_options import device_option
from collector.cli.verb_groups import device
from collector.device.apps.app_data import AppDataReader
from collector.model.app_data.collections import CONTENT_ID, collection_named
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.targets.expected_data import fields_text


@device.command()
@device_option
@json_option
def data(serial: str, as_json: bool) -> None:
    """Print what the apps of a virtual phone keep for the person: records by collection.

    A target of a task says what has to be different in them; see `waymark task reward`, which reads the JSON.
    """
    with leased_phone(serial, "") as phone:
        known = AppDataReader().read(phone)
    if known is None:
        raise UserError(
            _("This phone does not say what its apps keep"), _("only the virtual phone does"),
            _("Start one with `waymark device virtual`"),
        )  # fmt: skip
    if as_json:
        print_json({name: list(records) for name, records in known.items()})
        return
    for name, records in sorted(known.items()):
        say(f"{name} ({len(records)})")
        collection = collection_named(name)
        order = [CONTENT_ID, *(field.name for field in collection.fields)] if collection else []
        for record in records:
            filled = {key: record[key] for key in order if record.get(key) not in ("", [], None)}
            say("  " + fields_text(filled))
