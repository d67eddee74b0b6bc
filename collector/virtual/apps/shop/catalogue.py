"""The shop's products, read from the content file; search, filter and sort."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from collector.virtual.ui.content import FALLBACK, Content, load, localized

SORTS = ("relevance", "price_up", "price_down", "newest", "rating")
PRICE_LIMIT = 50.0


@dataclass(frozen=True, slots=True)
class Product:
    """A product for sale."""

    id: str
    picture: str
    category: str
    price: float
    rating: float
    stock: int
    free: bool
    sale: bool
    age: int
    names: tuple[tuple[str, str], ...]
    tags: str
    descriptions: tuple[tuple[str, str], ...] = ()
    """By language; empty for the description of its category."""

    def name(self, locale: str) -> str:
        return localized(dict(self.names), locale)

    def description(self, locale: str) -> str:
        texts = dict(self.descriptions) or load("shop")["descriptions"].get(self.category, {FALLBACK: ""})
        return localized(texts, locale)

    def matches(self, query: str) -> bool:
        """Whether every word of the query occurs in the names, tags or category."""
        text = " ".join((*(name for _, name in self.names), self.tags, self.category)).casefold()
        return all(word in text for word in query.casefold().split())


@dataclass(frozen=True, slots=True)
class Filters:
    """The values of the filter sheet."""

    in_stock: bool = False
    free_delivery: bool = False
    on_sale: bool = False
    up_to: float = PRICE_LIMIT

    @property
    def any(self) -> bool:
        return self != NO_FILTERS

    def accepts(self, product: Product) -> bool:
        return (
            (product.stock > 0 or not self.in_stock)
            and (product.free or not self.free_delivery)
            and (product.sale or not self.on_sale)
            and product.price <= self.up_to
        )


NO_FILTERS = Filters()


def products() -> dict[str, Product]:
    """All products by id."""
    by_id: dict[str, Product] = load("shop").derived("products", _products)
    return by_id


def shown_product(name: object) -> Product | None:
    """The product that a page shows: the one of the id, else the first; None in a shop without products."""
    catalogue = products()
    return catalogue.get(str(name), next(iter(catalogue.values()), None))


def _products(content: Content) -> dict[str, Product]:
    return {row["id"]: _product(row) for row in content["products"]}


def _product(row: Mapping[str, Any]) -> Product:
    return Product(
        names=tuple(row["name"].items()),
        descriptions=tuple(row.get("description", {}).items()),
        **{key: row[key] for key in row if key not in ("name", "description")},
    )


def search(query: str, category: str, filters: Filters, sort: str, seed: int = 1) -> tuple[Product, ...]:
    """Find the products for a query, in display order; seed 1 keeps the order of the catalogue."""
    matches = [
        product
        for product in products().values()
        if product.matches(query)
        and (not category or product.category == category)
        and filters.accepts(product)
    ]
    if seed != 1:
        # Each product draws its own random key, so a filter does not change the order of the others.
        matches.sort(key=lambda product: Random(f"{seed} {product.id}").random())
    keys = {
        "price_up": lambda product: product.price,
        "price_down": lambda product: -product.price,
        "newest": lambda product: product.age,
        "rating": lambda product: -product.rating,
    }
    return tuple(sorted(matches, key=keys[sort]) if sort in keys else matches)
