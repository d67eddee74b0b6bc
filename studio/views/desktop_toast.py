"""Open a folder, a file or a page of the web on the desktop, and say when nothing opens it."""

from __future__ import annotations

from pathlib import Path

from collector.model.i18n import _
from studio.bridge.desktop import open_address, open_on_desktop
from studio.views.services import WindowServices


def open_or_say(services: WindowServices, path: Path) -> None:
    """Open ``path`` with a program of the desktop."""
    if not open_on_desktop(path):
        _say_unopened(services, path.name, str(path))


def open_page_or_say(services: WindowServices, address: str) -> None:
    """Open a page of the web in the browser."""
    if not open_address(address):
        _say_unopened(services, address, "")


def _say_unopened(services: WindowServices, name: str, where: str) -> None:
    services.toasts.show("warn", _("No program of this computer opens {name}", name=name), where)
