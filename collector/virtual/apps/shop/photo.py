"""A product's photo: pinch or double tap zooms, one finger pans."""

from __future__ import annotations

from dataclasses import dataclass

from collector.virtual.apps.shop.catalogue import shown_product
from collector.virtual.apps.shop.rows import nothing_here
from collector.virtual.apps.shop.state import Photo, ShopState
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.content import AppTexts
from collector.virtual.ui.events import Event, Pinch

MOST = 5.0
_DOUBLE_TAP = 2.5


def photo_screen(state: ShopState, context: Context, say: AppTexts) -> w.Screen:
    """The photo of the product in the activity's extras, at the current zoom."""
    product = shown_product(context.extras.get("product", ""))
    if product is None:
        return nothing_here(say)
    photo = state.photo
    picture = w.Image(
        picture=product.picture,
        zoom=photo.zoom,
        center=(photo.x, photo.y),
        width=w.FILL,
        height=w.FILL,
        grow=1,
        id="photo",
        description=product.name(context.locale),
        on_pinch=Event("photo_pinch"),
        on_double_tap=Event("photo_double_tap"),
    )
    percent = w.Text(text=say("zoom", percent=round(photo.zoom * 100)), size=14, align="center", id="zoom")
    return w.Screen(
        w.Column((picture, w.Column((percent,), padding=(16, 14, 16, 34))), grow=1),
        app_bar=w.AppBar(title=product.name(context.locale), navigation="back"),
    )


@dataclass(frozen=True, slots=True)
class _Axis:
    """The visible part along one axis: ``center`` of the photo is in the middle, enlarged ``zoom`` times."""

    center: float
    zoom: float

    def at(self, share: float) -> float:
        """Convert a share of the view to a share of the photo."""
        return self.center + (share - 0.5) / self.zoom

    def with_under(self, place: float, share: float, zoom: float) -> float:
        """The centre that shows ``place`` of the photo at ``share`` of the view, without gaps at the
        edges."""
        half = 0.5 / zoom
        return round(min(max(place - (share - 0.5) / zoom, half), 1 - half), 5)


def pinched(photo: Photo, change: Pinch) -> Photo:
    """Zoom and pan so that the point under the fingers stays under them."""
    zoom = round(min(max(photo.zoom * change.scale, 1.0), MOST), 4)
    across, down = _Axis(photo.x, photo.zoom), _Axis(photo.y, photo.zoom)
    (x, y), (by_x, by_y) = change.center, change.moved
    return Photo(
        zoom, across.with_under(across.at(x), x + by_x, zoom), down.with_under(down.at(y), y + by_y, zoom)
    )


def double_tapped(photo: Photo, at: tuple[float, float]) -> Photo:
    """Zoom in on the tapped point, or zoom out to the whole photo."""
    return Photo() if photo.zoom > 1 else pinched(photo, Pinch(_DOUBLE_TAP, at))
