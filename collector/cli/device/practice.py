"""``waymark device practice``: how far the recordings were followed that a virtual phone plays."""

from __future__ import annotations

import json

from collector.cli.device.phone import leased_phone
from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.shared_options import device_option
from collector.cli.verb_groups import device
from collector.model.errors import UserError
from collector.model.i18n import _, ngettext


@device.command()
@device_option
@json_option
def practice(serial: str, as_json: bool) -> None:
    """Print how far the recordings were followed that a phone of `device virtual --from` plays.

    It counts the actions on and off their path since the phone was started or reset.
    """
    with leased_phone(serial, "") as phone:
        answer = phone.shell("cmd waymark practice")
    if answer.status != 0:
        raise UserError(
            _("This phone plays no recordings"), "",
            _("Start one with `waymark device virtual --from TRAJECTORY`"),
        )  # fmt: skip
    report = json.loads(answer.text)
    if as_json:
        print_json(report)
        return
    rows = [[entry["trajectory"], f"{entry['followed']} / {entry['of']}"] for entry in report["recordings"]]
    print_table([_("Recording"), _("Steps followed")], rows)
    on, off = report["on_path"], report["off_path"]
    say("")
    say(
        _("{on}, {off}; screens {shown} of {screens}, transitions {taken} of {transitions}",
          on=ngettext("{count} recorded action", "{count} recorded actions", on),
          off=ngettext("{count} off the path", "{count} off the path", off),
          shown=report["screens"]["shown"], screens=report["screens"]["of"],
          taken=report["transitions"]["taken"], transitions=report["transitions"]["of"])
    )  # fmt: skip
