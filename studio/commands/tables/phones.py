"""Commands of the phones of the Record workspace: which one is in front, and where input goes."""

from __future__ import annotations

from functools import partial

from collector.model.i18n import N_
from studio.commands.command import Command
from studio.commands.keys import chord

_command = partial(Command, scope="record", menu="device/phones")

PHONES_COMMANDS = (
    _command(
        "phones.next",
        N_("Next phone"),
        N_("Bring the next phone of the window to the front; the recordings of the others go on"),
        shortcut=chord("Ctrl+PgDown"),
        when="phones.several",
        icon="skipn",
    ),
    _command(
        "phones.previous",
        N_("Previous phone"),
        N_("Bring the phone before it to the front; the recordings of the others go on"),
        shortcut=chord("Ctrl+PgUp"),
        when="phones.several",
        icon="skipp",
    ),
    _command(
        "phones.add",
        N_("Add a phone..."),
        N_("Show one more phone beside those of the window, with a recording of its own"),
        shortcut=chord("Ctrl+Shift+A"),
        icon="plus",
    ),
    _command(
        "phones.close",
        N_("Take the phone out of the window"),
        N_("Let the phone in front go; its recording is kept, not finished"),
        shortcut=chord("Ctrl+Shift+X"),
        when="phones.shown",
        icon="x",
    ),
    _command(
        "phones.side-by-side",
        N_("Phones side by side"),
        N_("Show the other phones beside the one in front where there is room"),
        when="phones.several",
        icon="split",
    ),
    _command(
        "phones.mirror-input",
        N_("Mirror input to all phones"),
        N_("Send taps, keys and texts to every phone of the window, for variants of one golden trajectory"),
        shortcut=chord("Ctrl+Shift+U"),
        when="phones.several",
        icon="share",
    ),
)
