"""Illustrations of the virtual apps, drawn by code so that they are sharp at every size."""

from collector.virtual.apps.pictures import camera_scene, landscapes, prints, things

__all__ = ["camera_scene", "landscapes", "prints", "things"]
