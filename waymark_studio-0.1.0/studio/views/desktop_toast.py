"""Open a folder or a file on the desktop, and say when nothing opens it."""

from __future__ import annotations

from pathlib import Path

from collector.model.i18n import _
from studio.bridge.desktop import open_on_desktop
from studio.views.services import WindowServices


def open_or_say(services: WindowServices, path: Path) -> None:
    """Open ``path`` with a program of the desktop."""
    if not open_on_desktop(path):
        services.toasts.show("warn", _("No program of this computer opens {name}", name=path.name), str(path))
