"""UserError, the base of all errors a person can correct.

UserError          shown as what, why, what to do
+-- DeviceError    raised by collector.device (offline, unauthorized, ...)
+-- StoreError     raised by collector.store (locked, damaged, from the future, ...)
+-- ExchangeError  raised by collector.exchange (not this format, ...)

Any other error that escapes is a bug and becomes a crash report.
"""

from __future__ import annotations

import traceback

from collector.model.i18n import join_sentences


def in_one_line(error: BaseException) -> str:
    """An error as Python names it, for one that is a bug."""
    return " ".join(traceback.format_exception_only(error)[-1].split())


def problem_text(what: str, why: str = "", to_do: str = "") -> str:
    """Say what happened, why, and what to do about it; each is a sentence without its full stop, or empty."""
    if why[:1].islower():  # a reason that continues the first sentence
        return join_sentences(f"{what}: {why}", to_do)
    return join_sentences(what, why, to_do)


class UserError(Exception):
    """A failure a person can understand and correct.

    ``what`` happened, ``why`` it happened and what ``to_do`` about it, each one sentence
    without its full stop.
    """

    def __init__(self, what: str, why: str = "", to_do: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.why = why
        self.to_do = to_do

    def __str__(self) -> str:
        return problem_text(self.what, self.why, self.to_do)
