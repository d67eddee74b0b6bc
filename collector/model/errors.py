"""The two kinds of error: what a person can mend, and bugs.

UserError          a person can mend it; shown as what, why, what to do
+-- DeviceError    raised by collector.device (offline, unauthorized, ...)
+-- StoreError     raised by collector.store (locked, damaged, from the future, ...)
+-- ExchangeError  raised by collector.exchange (not this format, ...)

Everything else that escapes is a bug and becomes a crash report.
"""

from __future__ import annotations

from collector.model.i18n import join_sentences


class UserError(Exception):
    """A failure a person can understand and mend.

    ``what`` happened, ``why`` it happened and what ``to_do`` about it, each one sentence
    without its full stop.
    """

    def __init__(self, what: str, why: str = "", to_do: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.why = why
        self.to_do = to_do

    def __str__(self) -> str:
        if self.why[:1].islower():  # a reason that goes on from what happened, rather than a sentence
            return join_sentences(f"{self.what}: {self.why}", self.to_do)
        return join_sentences(self.what, self.why, self.to_do)
