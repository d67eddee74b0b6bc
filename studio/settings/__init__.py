"""What a person can choose, as data: a typed table, one file with a version, no Qt."""

from studio.settings.store import Settings
from studio.settings.table import SETTINGS, Setting

__all__ = ["SETTINGS", "Setting", "Settings"]
