"""Widgets that the shop's screens share: product rows and tiles, prices, the cart button."""

from __future__ import annotations

from collector.virtual.apps.shop.catalogue import Product
from collector.virtual.apps.shop.state import ShopState
from collector.virtual.ui import widgets as w
from collector.virtual.ui.content import AppTexts
from collector.virtual.ui.events import Event


def price(amount: float) -> str:
    """``$9.50``."""
    return f"${amount:.2f}"


def stock_line(product: Product, say: AppTexts, size: float = 12.5) -> w.Text:
    """ "In stock", or "sold out" in a dimmer colour."""
    in_stock = product.stock > 0
    text = say("in_stock" if in_stock else "sold_out")
    return w.Text(text=text, size=size, color="primary" if in_stock else "text_2", id="stock")


def heart(product: Product, state: ShopState, say: AppTexts) -> w.IconButton:
    """A heart button that saves a product or removes it from the saved ones."""
    saved = product.id in state.saved
    return w.IconButton(
        icon="heart",
        filled=saved,
        color="primary" if saved else "text_2",
        id="save",
        description=say("unsave" if saved else "save"),
        selected=saved,
        on_tap=Event("save", product.id),
    )


def product_row(product: Product, state: ShopState, say: AppTexts) -> w.Widget:
    """A 104 dp row of a results list."""
    words = w.Column(
        (
            w.Text(text=product.name(say.locale), size=15, max_lines=2, id="title"),
            w.Text(text=price(product.price), size=16, bold=True, id="price"),
            stock_line(product, say),
        ),
        grow=1,
        gap=1,
        class_name="-",
    )
    return w.Row(
        (
            w.Image(picture=product.picture, width=80, height=80, radius=10, id="thumb"),
            words,
            heart(product, state, say),
        ),
        gap=16,
        height=104,
        padding=(20, 8, 12, 8),
        key=product.id,
        id="item",
        on_tap=Event("open_product", product.id),
    )


def product_tile(product: Product, say: AppTexts) -> w.Widget:
    """A tile of the home screen's grid."""
    return w.Column(
        (
            w.Image(picture=product.picture, width=w.FILL, height=150, radius=14, id="thumb"),
            w.Text(text=product.name(say.locale), size=13.5, max_lines=1, id="title"),
            w.Text(text=price(product.price), size=14, bold=True, id="price"),
        ),
        gap=4,
        key=product.id,
        id="tile",
        on_tap=Event("open_product", product.id),
    )


def cart_button(state: ShopState, say: AppTexts) -> w.IconButton:
    """Open the cart; the description gives the number of items."""
    count = state.cart_count
    return w.IconButton(
        icon="cart",
        id="cart",
        description=say("cart_count", count=count) if count else say("cart"),
        on_tap=Event("open_page", ".CartActivity"),
    )


def empty(icon: str, title: str, line: str, *below: w.Widget) -> w.Widget:
    """The placeholder of an empty screen."""
    words: list[w.Widget] = [
        w.Icon(name=icon, size=44, color="text_2", align_self="center"),
        w.Text(text=title, size=18, align="center", id="empty_title"),
    ]
    if line:
        words.append(w.Text(text=line, size=14, color="text_2", align="center"))
    words.extend(below)
    return w.Column(tuple(words), gap=12, padding=(32, 120, 32, 0), grow=1, id="empty")


def nothing_here(say: AppTexts) -> w.Screen:
    """The page of a product in a shop that has none."""
    return w.Screen(empty("cart", say("nothing"), ""), app_bar=w.AppBar(navigation="back"))
