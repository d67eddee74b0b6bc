"""A product's page: picture, price, description, reviews and the buy button."""

from __future__ import annotations

from collector.virtual.apps.shop.catalogue import Product, shown_product
from collector.virtual.apps.shop.rows import cart_button, heart, nothing_here, price
from collector.virtual.apps.shop.state import ShopState
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.content import AppTexts
from collector.virtual.ui.events import Event

_SIDE = 320.0
"""Width of the picture on a wide screen."""


def product_screen(state: ShopState, context: Context, say: AppTexts) -> w.Screen:
    """The product in the activity's extras; the first product when they name none."""
    product = shown_product(context.extras.get("product", ""))
    if product is None:
        return nothing_here(say)
    tint = {"night_sea": "#FFFFFF", "city_night": "#FFFFFF"}.get(product.picture, "#191C1E")
    picture = w.Image(
        picture=product.picture,
        width=_SIDE if context.landscape else w.FILL,
        height=w.FILL if context.landscape else 400,
        id="picture",
        description=product.name(context.locale),
        on_tap=Event("open_photo", product.id),
    )
    words = (_words(product, say), _reviews(product, state, say))
    content: w.Widget
    if context.landscape:
        # Beside each other: a wide screen is low.
        details = w.Scroll(child=w.Column(words, gap=0), grow=1, id="details")
        side = w.Column((details, _buy(product, say)), grow=1, class_name="-")
        content = w.Row((picture, side), align="stretch", grow=1)
    else:
        details = w.Scroll(child=w.Column((picture, *words), gap=0), grow=1, id="details")
        content = w.Column((details, _buy(product, say)), grow=1)
    return w.Screen(
        w.Column((content,), grow=1) if context.landscape else content,
        app_bar=w.AppBar(
            navigation="back",
            actions=(heart(product, state, say), cart_button(state, say)),
        ),
        sheet=_review_sheet(product, state, say) if state.sheet == "review" else None,
        status_bar="light" if tint == "#FFFFFF" else "auto",
    )


def _words(product: Product, say: AppTexts) -> w.Widget:
    in_stock = product.stock > 0
    return w.Column(
        (
            w.Text(text=product.name(say.locale), size=21, id="title"),
            w.Text(text=price(product.price), size=20, bold=True, id="price"),
            w.Text(
                text=say("ships" if in_stock else "sold_out"),
                size=14,
                id="stock",
                color="primary" if in_stock else "text_2",
            ),
            w.Spacer(height=8),
            w.Text(text=product.description(say.locale), size=14, color="text_2", id="description"),
        ),
        gap=6,
        padding=(20, 18, 20, 12),
    )


def _reviews(product: Product, state: ShopState, say: AppTexts) -> w.Widget:
    written = [review for review in state.reviews if review.product == product.id]
    head = w.Row(
        (
            w.Text(text=say("reviews", count=18 + len(written)), size=15, bold=True, grow=1, id="reviews"),
            w.Icon(name="star", size=18, color="#B98A00", filled=True),
            w.Text(text=f"{product.rating:.1f}", size=14, id="rating"),
        ),
        gap=6,
    )
    rows = tuple(
        w.Column(
            (w.Text(text="★" * review.stars, size=13, color="#B98A00"), w.Text(text=review.text, size=14)),
            gap=2,
            key=str(place),
            id="review",
        )
        for place, review in enumerate(written)
    )
    write = w.Button(
        label=say("write_review"),
        style="outlined",
        icon="edit",
        id="write_review",
        align_self="start",
        on_tap=Event("sheet", "review"),
    )
    return w.Column((head, *rows, write), gap=12, padding=(20, 8, 20, 24))


def _review_sheet(product: Product, state: ShopState, say: AppTexts) -> w.Sheet:
    stars = w.Row(
        tuple(
            w.IconButton(
                icon="star",
                filled=number <= state.review_stars,
                color="#B98A00",
                id=f"star_{number}",
                description=str(number),
                on_tap=Event("stars", number),
            )
            for number in range(1, 6)
        ),
        arrange="center",
    )
    text = w.TextField(
        text=state.review_text,
        label=say("your_review"),
        kind="multiline",
        on_change=Event("review_text"),
        id="review_text",
    )
    send = w.Button(
        label=say("send"), id="send", enabled=state.review_stars > 0, on_tap=Event("send_review", product.id)
    )
    return w.Sheet(
        w.Column((stars, text, send), gap=16, padding=(24, 4, 24, 24)),
        title=say("write_review"),
        on_dismiss=Event("sheet"),
        id="review_sheet",
    )


def _buy(product: Product, say: AppTexts) -> w.Widget:
    if product.stock > 0:
        button = w.Button(
            label=say("add_to_cart"),
            icon="cart",
            height=48,
            id="add_to_cart",
            on_tap=Event("add_to_cart", product.id),
        )
    else:
        button = w.Button(
            label=say("tell_me"),
            icon="bell",
            style="tonal",
            height=48,
            id="tell_me",
            on_tap=Event("tell_me", product.id),
        )
    return w.Column((button,), padding=(20, 10, 20, 30))
