"""Illustrations of the virtual apps, drawn by code so that they are sharp at every size."""

from collector.virtual.apps.pictures import landscapes, prints, things

__all__ = ["landscapes", "prints", "things"]
