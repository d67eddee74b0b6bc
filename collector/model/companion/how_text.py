"""How a dialog ended, in words."""

from __future__ import annotations

from collector.model.companion.contract import (
    BACK,
    CLOSED,
    FINISHED,
    OUTSIDE,
    SHOWN,
    SWIPED,
    TIMEOUT,
    TOUCH,
)
from collector.model.i18n import N_, _

_WORDS = {
    TOUCH: "",
    BACK: N_("closed by Back"),
    OUTSIDE: N_("closed by a touch beside it"),
    TIMEOUT: N_("closed by itself when its time was over"),
    FINISHED: N_("closed by itself at its end"),
    CLOSED: N_("closed by a command"),
    SHOWN: N_("shown, without a way to answer"),
    SWIPED: N_("swiped away"),
}


def how_text(how: str) -> str:
    """The end of a dialog in words; empty for a touch of a button, which its answer tells."""
    word = _WORDS.get(how, "")
    return _(word) if word else ""
