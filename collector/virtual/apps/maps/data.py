"""What the maps app keeps for the person, as records."""

from __future__ import annotations

from collector.model.app_data.collections import AppData
from collector.virtual.apps.maps.state import MapsState


def data_of(state: MapsState) -> AppData:
    """The saved places."""
    saved = [
        {
            "name": place.name, "lat": place.lat, "lng": place.lng, "list": place.list,
            "color": place.color, "content_id": place.place,
        }
        for place in state.saved
    ]  # fmt: skip
    return {"maps.saved": saved}
