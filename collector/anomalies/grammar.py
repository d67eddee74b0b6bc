"""The grammar of a library: keys of an entry and types of parameters."""

from __future__ import annotations

import re

# The types of parameters are part of the grammar: they are read from here.
from collector.model.companion.activities import FLAG as FLAG
from collector.model.companion.activities import INTEGER as INTEGER
from collector.model.companion.activities import NUMBER as NUMBER
from collector.model.companion.activities import TEXT as TEXT

ROOTS = ("interference_library", "anomalies")
"""The list a library holds: D-GARA's name for it, and ours."""

ENTRY_KEYS = (
    "id", "kind", "family", "category", "language", "description", "target_activity", "params",
    "post_actions", "follow_up", "answer", "risk", "unsafe", "android", "undo", "commands",
)  # fmt: skip
PARAMETER_KEYS = ("type", "value", "minimum", "maximum", "description")
NATIVE_KEYS = ("android", "remember", "apply", "verify", "undo")
REMEMBER_KEYS = ("command", "pattern")
VERIFY_KEYS = ("command", "expect", "once")
NAMED = re.compile(r"\{([A-Za-z_]\w*)\}")
"""A name in a command that a value takes the place of."""
CONSOLE = "emu "
"""What a command begins with that goes to an emulator's console, as ``adb emu`` sends it."""

ADB, LOG = "adb", "log"
FOLLOW_UP_KEYS = {ADB: ("type", "command", "description"), LOG: ("type", "message", "description")}
"""By type of follow-up."""

TYPES: dict[str, tuple[type, ...]] = {
    TEXT: (str,),
    INTEGER: (int,),
    NUMBER: (int, float),
    FLAG: (bool,),
}
"""What a parameter may be, with what its value then is."""
