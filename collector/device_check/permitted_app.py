"""An app whose permission for the location a check may take for a second: one that does not run."""

from __future__ import annotations

import re

from collector.device_check.step import CheckStepRun

LOCATION = "android.permission.ACCESS_FINE_LOCATION"
_MOST = 40
_SEARCH = (
    "for p in $(pm list packages -3 | cut -d: -f2 | head -n {most}); do "
    '[ -z "$(pidof $p)" ] || continue; '
    "dumpsys package $p | grep '{permission}: granted=true' | grep -qv ONE_TIME && echo $p && break; done"
)
_PACKAGE = re.compile(r"[A-Za-z]\w*(?:\.\w+)+")


def permitted_app(run: CheckStepRun) -> str:
    """Its package, which is the person's own business; empty when there is none. Raises DeviceError."""
    said = run.device.shell(_SEARCH.format(most=_MOST, permission=LOCATION), timeout=15).text.strip()
    return said if _PACKAGE.fullmatch(said) else ""
