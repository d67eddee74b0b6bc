"""The forms of a dialog: the same message with one button or with several, in the same language."""

from __future__ import annotations

from collections.abc import Iterable

from collector.anomalies.model import COMPANION_KIND, Anomaly


def form_with_buttons(anomaly: Anomaly, buttons: int | None, known: Iterable[Anomaly]) -> Anomaly | None:
    """The form of ``anomaly`` whose dialog has ``buttons`` buttons, among ``known``; itself when it has them.

    None when there is no such form, as of a change of the phone, which has no dialog. Without a number every
    form is right.
    """
    if buttons is None or (anomaly.kind == COMPANION_KIND and anomaly.buttons == buttons):
        return anomaly
    if not anomaly.family:  # those without a family have nothing in common
        return None
    forms = (
        other
        for other in known
        if anomaly.family
        and other.family == anomaly.family
        and other.language == anomaly.language
        and other.kind == anomaly.kind == COMPANION_KIND
        and other.buttons == buttons
    )
    return next(forms, None)
