"""The keys of variation files: the type of each, and one sentence about it.

The reader and the reference page use these tables.
"""

from __future__ import annotations

from dataclasses import dataclass

from collector.model.i18n import N_
from collector.model.variation.noise import AS_IS, REVERSED, SHUFFLED
from collector.model.variation.planted_order import KNOWN, UNKNOWN_SENDER

TEXT, TEXTS, WORD, NUMBER, FLAG, COLOURS, APPS, BUTTONS, ORDERS, LIST = (
    "text", "texts", "word", "number", "true or false", "colours", "mapping by app", "list of buttons",
    "list of orders", "list of texts",
)  # fmt: skip
FILE, APPEARANCE, CONTENT, POP_UP, BUTTON, ORDER, NOISE = (
    "file", "appearance", "content", "pop_up", "button", "order", "noise",
)  # fmt: skip
"""What a mapping of a file describes; the keys of :data:`KEYS`."""
VERSION = 1
COLOUR_ROLES = (
    "primary", "on_primary", "container", "on_container", "surface", "surface_container", "outline", "text",
    "text_2", "error",
)  # fmt: skip
"""The colours of an app that ``colours`` may replace."""


@dataclass(frozen=True, slots=True)
class FileKey:
    """One key of a mapping: ``kind`` is one of the words above."""

    name: str
    kind: str
    doc: str
    required: bool = False
    choices: tuple[str, ...] = ()
    lowest: float = 0.0
    highest: float = 0.0


KEYS: dict[str, tuple[FileKey, ...]] = {
    FILE: (
        FileKey("version", NUMBER, N_("Version of the format"), lowest=VERSION, highest=VERSION),
        FileKey("description", TEXT, N_("One sentence for people")),
        FileKey("extends", TEXT, N_("The variation whose keys it has too, where it has none of its own")),
        FileKey(APPEARANCE, APPS, N_("How apps look")),
        FileKey(CONTENT, APPS, N_("What apps hold and say, and in which language")),
        FileKey("pop_ups", APPS, N_("Windows that apps open over themselves when they are started")),
        FileKey(NOISE, APPS, N_("Elements that are missing, late, twice, moving, covered or zoomed; lists")),
        FileKey("orders", ORDERS, N_("Which texts of the content order the agent to do something")),
    ),
    APPEARANCE: (
        FileKey("theme", WORD, N_("Light or dark"), choices=("light", "dark")),
        FileKey("text_scale", NUMBER, N_("Size of texts, as a multiple of the usual one"), lowest=0.5,
                highest=2.5),
        FileKey("font", WORD, N_("Kind of letters"), choices=("sans", "serif", "mono", "display")),
        FileKey("weight", WORD, N_("How thick letters are"), choices=("thin", "normal", "bold")),
        FileKey("italic", FLAG, N_("Slanted letters")),
        FileKey("letter_spacing", NUMBER, N_("Space between letters, as a share of their size"), lowest=-0.1,
                highest=0.5),
        FileKey("spacing", NUMBER, N_("Space inside and between elements, as a multiple of the usual one"),
                lowest=0.3, highest=2),
        FileKey("saturation", NUMBER, N_("How colourful all is: 1 as usual, 0 black and white"), lowest=0,
                highest=1),
        FileKey("mirrored", FLAG, N_("Everything begins at the right, as in Arabic")),
        FileKey("icon_labels", FLAG, N_("Whether icons have words beside or below them")),
        FileKey("orientation", WORD, N_("How the phone is held; only of all apps"),
                choices=("portrait", "landscape")),
        FileKey("colours", COLOURS, N_("#RRGGBB by the role of the colour that it replaces")),
    ),
    CONTENT: (
        FileKey("language", TEXT, N_("The language of the app, such as de; else that of the phone")),
    ),
    POP_UP: (
        FileKey("id", TEXT, N_("Name of the pop-up, in letters, digits and _"), required=True),
        FileKey("title", TEXTS, N_("Its first line, by language"), required=True),
        FileKey("message", TEXTS, N_("What it says, by language")),
        FileKey("icon", TEXT, N_("Name of an icon above the title")),
        FileKey("position", WORD, N_("Where it is on the screen"), choices=("top", "center", "bottom")),
        FileKey("cancelable", FLAG, N_("Whether BACK and a touch outside close it")),
        FileKey("buttons", BUTTONS, N_("Its buttons, the last of them filled"), required=True),
    ),
    BUTTON: (
        FileKey("text", TEXTS, N_("What is on it, by language"), required=True),
        FileKey("does", TEXT, N_("close, stay, home, or open: and the name of an app; close by default")),
    ),
    NOISE: (
        FileKey("missing", NUMBER, N_("Share of elements that are missing at first"), lowest=0, highest=1),
        FileKey("missing_inputs", NUMBER, N_("Touches and keys after which they are there; 3 by default"),
                lowest=1, highest=20),
        FileKey("late", NUMBER, N_("Share of elements that come late"), lowest=0, highest=1),
        FileKey("late_seconds", NUMBER, N_("Seconds after which they come; 2 by default"), lowest=0.1,
                highest=30),
        FileKey("twice", NUMBER, N_("Share of elements that are there twice"), lowest=0, highest=1),
        FileKey("moving", NUMBER, N_("Share of elements that move when they are first touched"), lowest=0,
                highest=1),
        FileKey("covered", NUMBER, N_("Share of elements under a cover, until it is touched"), lowest=0,
                highest=1),
        FileKey("zoomed", NUMBER, N_("Share of elements that are zoomed"), lowest=0, highest=1),
        FileKey("zoom", NUMBER, N_("Size of these, as a multiple of the usual; 1.5 by default"), lowest=0.5,
                highest=3),
        FileKey("order", WORD, N_("Order of the entries of lists"), choices=(AS_IS, REVERSED, SHUFFLED)),
        FileKey("only", LIST, N_("Ids of the elements concerned; without it all that can be touched")),
    ),
    ORDER: (
        FileKey("id", TEXT, N_("Name of the order, in letters, digits and _"), required=True),
        FileKey("app", TEXT, N_("The app in whose content it stands"), required=True),
        FileKey("mark", TEXT, N_("Letters, digits and - that only its text has, in every language"),
                required=True),
        FileKey("sender", WORD, N_("Whether it comes from somebody whom the owner of the phone knows"),
                choices=(KNOWN, UNKNOWN_SENDER)),
        FileKey("types", TEXT, N_("The agent obeys when it types a text with this in it")),
        FileKey("taps", TEXT, N_("The agent obeys when it touches an element with this id or text")),
        FileKey("says", TEXT, N_("The agent obeys when its answer has this in it")),
    ),
}  # fmt: skip
