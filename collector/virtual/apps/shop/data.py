"""What the shop keeps for the person, as records."""

from __future__ import annotations

from collector.model.app_data.collections import AppData
from collector.virtual.apps.shop.state import ShopState


def data_of(state: ShopState) -> AppData:
    """The cart, the orders, and what the person saved, asked about and reviewed."""
    return {
        "shop.cart": [{"product": product, "count": count} for product, count in state.cart.items()],
        "shop.orders": [{"items": dict(order.items), "express": order.express} for order in state.orders],
        "shop.saved": [{"product": product} for product in state.saved],
        "shop.notifications": [{"product": product} for product in state.told],
        "shop.reviews": [
            {"product": review.product, "stars": review.stars, "text": review.text}
            for review in state.reviews
        ],
    }
