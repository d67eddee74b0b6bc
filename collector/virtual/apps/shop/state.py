"""The shop's whole state, as YAML shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from collector.model.seeds import DEFAULT_SEED
from collector.virtual.apps.shop.catalogue import NO_FILTERS, Filters, products
from collector.virtual.ui.content import load

EXPRESS_FEE = 4.90
DELIVERY_FEE = 2.90
FREE_FROM = 30.0


@dataclass(frozen=True, slots=True)
class Order:
    """A placed order."""

    id: str
    date: str
    items: Mapping[str, int]
    total: float = 0.0
    express: bool = False


@dataclass(frozen=True, slots=True)
class Review:
    """A review written on this phone."""

    product: str
    stars: int
    text: str


@dataclass(frozen=True, slots=True)
class Photo:
    """The visible part of a photo: enlarged ``zoom`` times, with the point ``x``, ``y`` (shares) in the
    middle."""

    zoom: float = 1.0
    x: float = 0.5
    y: float = 0.5


@dataclass(frozen=True, slots=True)
class ShopState:
    """Account, cart, search and unfinished forms."""

    locale: str = "en-US"
    seed: int = DEFAULT_SEED
    """Decides the order of equally relevant products."""
    signed_in: bool = False
    tab: int = 0
    email: str = ""
    password: str = ""
    login_error: bool = False
    query: str = ""
    searched: str = ""
    category: str = ""
    sort: str = "relevance"
    filters: Filters = NO_FILTERS
    draft_filters: Filters = NO_FILTERS
    sheet: str = ""
    """The open sheet or dialog: sort, filter, or empty."""
    cart: Mapping[str, int] = field(default_factory=dict)
    saved: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    """Sold-out products for which the person asked to be notified."""
    voucher_text: str = ""
    voucher: str = ""
    voucher_error: str = ""
    express: bool = False
    pin: str = ""
    pin_error: bool = False
    orders: tuple[Order, ...] = ()
    reviews: tuple[Review, ...] = ()
    review_stars: int = 0
    review_text: str = ""
    photo: Photo = field(default_factory=Photo)
    address: str = ""

    @property
    def subtotal(self) -> float:
        return sum(products()[item].price * count for item, count in self.cart.items())

    @property
    def discount(self) -> float:
        percent = load("shop")["vouchers"].get(self.voucher, {}).get("percent", 0)
        return round(self.subtotal * float(percent) / 100, 2)

    @property
    def delivery(self) -> float:
        if not self.cart:
            return 0.0
        free = self.signed_in and self.subtotal >= FREE_FROM
        return EXPRESS_FEE if self.express else 0.0 if free else DELIVERY_FEE

    @property
    def total(self) -> float:
        return round(self.subtotal - self.discount + self.delivery, 2)

    @property
    def cart_count(self) -> int:
        return sum(self.cart.values())
