"""State of the companion app: its open dialogs, its answers, the progress bar and the sign-in form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from collector.model.anomaly_terms import COMPANION_PACKAGE

PACKAGE = COMPANION_PACKAGE
SHOWING, LINK, ROOT = "waymark.showing", "waymark.link", "waymark.root"
"""Extras that the app gives its own intents: how often the dialog was shown, which link of a chain it is, and
the id of the chain's first dialog."""


@dataclass(frozen=True, slots=True)
class OpenDialog:
    """A dialog on the screen, or one that waits to come back."""

    dialog: str
    activity: str
    """As the contract names it, ``UpdateActivity``."""
    showing: int
    shown_at: int
    """Milliseconds since 1970; 0 while it waits to come back."""
    extras: Mapping[str, object] = field(default_factory=dict)
    stars: int = 0
    seconds_to_close: float = 0.0
    """Until an advertisement has its close mark."""


@dataclass(frozen=True, slots=True)
class CompanionState:
    """The texts of a dialog are not part of the state: the extras of its activity hold them."""

    run: int = 0
    """Number of the progress page, so that late steps of a closed page do not move the next one."""
    seconds: int = 0
    """Duration of the progress in seconds; 0 keeps it still."""
    percent: int = 0
    username: str = ""
    password: str = ""
    numbered: int = 0
    """How many dialogs came without an id."""
    open: tuple[OpenDialog, ...] = ()
    answers: tuple[Mapping[str, object], ...] = ()
    """Each with the columns of the contract."""
    locale: str = "en"
    test_is_white: bool = False
    """Of the test screen."""
    test_is_touched: bool = False

    @property
    def done(self) -> bool:
        return self.seconds > 0 and self.percent >= 100

    def shown(self, dialog: str) -> OpenDialog | None:
        """The dialog of this id that is on the screen."""
        return next((opened for opened in self.open if opened.dialog == dialog and opened.shown_at), None)

    def dialog_of(self, activity: str, extras: Mapping[str, object]) -> OpenDialog | None:
        """The dialog that an activity with these extras shows: the newest."""
        fits = (opened for opened in reversed(self.open) if opened.activity == activity and opened.shown_at)
        return next((opened for opened in fits if opened.extras == extras), None)
