"""Languages that nobody speaks, to try the window in: made of the English texts while the program runs.

``qps-ploc`` has accents, is 40 % longer, and stands in brackets: what has none was never translated, what has
one is cut. ``qps-plocm`` is read from right to left besides.
"""

from __future__ import annotations

import gettext
import math
import re

ACCENTED, MIRRORED = "qps-ploc", "qps-plocm"
OPENING, CLOSING = (
    "\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}",
    "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}",
)
"""No text of the program has them."""
_FROM_RIGHT, _END = "\N{RIGHT-TO-LEFT MARK}\N{RIGHT-TO-LEFT OVERRIDE}", "\N{POP DIRECTIONAL FORMATTING}"
_ACCENTS = str.maketrans(
    "AaBbCcDdEeGgHhIiJjKkLlNnOoRrSsTtUuWwYyZz", "ÅåƁƀÇçĐđÉéĞğĤĥÎîĴĵĶķĻļÑñÖöŔŕŠšŢţÛûŴŵÝýŽž"
)
_KEPT = re.compile(r"(\{[^{}]*\}|\(\*[^)]*\)|&\w|%\d)")
"""Fields, patterns of files, keys of buttons and Qt's own fields."""
_GROWTH = 0.4
_MORE = " ñöçĥ éîñ þåår ŵörţé ļåñğ ûñđ ƀŕéîţ"


class PseudoCatalogue(gettext.NullTranslations):
    """Says every text in accents, and from right to left if asked to."""

    def __init__(self, *, mirrored: bool) -> None:
        super().__init__()
        self._mirrored = mirrored

    def gettext(self, message: str) -> str:
        text = accented(message)
        return f"{_FROM_RIGHT}{text}{_END}" if self._mirrored else text

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


def accented(message: str) -> str:
    """A text with accents and 40 % more letters, in brackets; what only joins others stays as it is."""
    parts = _KEPT.split(message)
    own = "".join(parts[::2])
    letters = math.ceil(_GROWTH * len(own.strip()))
    if not any(map(str.isalpha, own)):
        return message
    said = "".join(part if place % 2 else part.translate(_ACCENTS) for place, part in enumerate(parts))
    body = said.strip()
    start = said.index(body)
    more = (_MORE * (letters // len(_MORE) + 1))[:letters]
    return f"{said[:start]}{OPENING}{body}{more.rstrip()}{CLOSING}{said[start + len(body) :]}"
