"""The settings: a typed table, a versioned file and its migrations. No Qt."""

from studio.settings.store import Settings
from studio.settings.table import SETTINGS, Setting

__all__ = ["SETTINGS", "Setting", "Settings"]
