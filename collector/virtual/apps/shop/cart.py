"""The shop's cart and checkout: voucher, delivery, PIN, confirmation."""

from __future__ import annotations

from dataclasses import replace

from collector.virtual.apps.shop.catalogue import products
from collector.virtual.apps.shop.rows import empty, price, stock_line
from collector.virtual.apps.shop.state import ShopState
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.content import AppTexts
from collector.virtual.ui.events import Event


def cart_screen(state: ShopState, context: Context, say: AppTexts) -> w.Screen:
    """The cart as a separate page."""
    title = say("cart_count", count=state.cart_count) if state.cart else say("cart")
    return w.Screen(cart_body(state, context, say), app_bar=w.AppBar(title=title, navigation="back"))


def cart_body(state: ShopState, context: Context, say: AppTexts) -> w.Widget:
    """The items in the cart and their total price."""
    if not state.cart:
        browse = w.Button(
            label=say("browse"), style="tonal", align_self="center", id="browse", on_tap=Event("tab", 0)
        )
        return empty("cart", say("empty_cart"), "", browse)
    rows = tuple(_row(item, count, say) for item, count in state.cart.items())
    items = w.ScrollList((*rows, _voucher(state, say), _speed(state, say)), grow=1, id="cart_list")
    return w.Column((items, _totals(state, say)), grow=1)


def _row(item: str, count: int, say: AppTexts) -> w.Widget:
    product = products()[item]
    words = w.Column(
        (
            w.Text(text=product.name(say.locale), size=15, max_lines=2, id="title"),
            w.Text(text=price(product.price), size=15, bold=True, id="price"),
            stock_line(product, say),
        ),
        grow=1,
        class_name="-",
    )
    counter = w.Row(
        (
            w.IconButton(
                icon="minus",
                id="fewer",
                description=say("fewer"),
                on_tap=Event("count", (item, -1)),
                width=40,
            ),
            w.Text(text=str(count), size=15, id="count"),
            w.IconButton(
                icon="plus", id="more", description=say("more"), on_tap=Event("count", (item, 1)), width=40
            ),
        )
    )
    remove = w.IconButton(
        icon="delete",
        id="remove",
        description=say("remove"),
        on_tap=Event("remove", item),
        color="text_2",
        width=40,
    )
    return w.Row(
        (
            w.Image(picture=product.picture, width=64, height=64, radius=10, id="thumb"),
            words,
            w.Column((counter, remove), align="end"),
        ),
        gap=14,
        padding=(20, 10, 12, 6),
        key=item,
        id="cart_item",
        on_tap=Event("open_product", item),
    )


def _voucher(state: ShopState, say: AppTexts) -> w.Widget:
    field = w.TextField(
        text=state.voucher_text,
        label=say("voucher"),
        on_change=Event("voucher_text"),
        on_submit=Event("use_voucher"),
        id="voucher",
        grow=1,
    )
    use = w.Button(label=say("use"), style="outlined", id="use_voucher", on_tap=Event("use_voucher"))
    lines: list[w.Widget] = [w.Row((field, use), gap=12, padding=(0, 8, 0, 0))]
    if state.voucher_error:
        lines.append(w.Text(text=state.voucher_error, size=13, color="error", id="voucher_error"))
    if state.voucher:
        percent = round(100 * state.discount / state.subtotal) if state.subtotal else 0
        lines.append(
            w.Text(text=say("voucher_used", percent=percent), size=13, color="primary", id="voucher_used")
        )
    return w.Column(tuple(lines), gap=6, padding=(20, 14, 20, 6), key="voucher_row")


def _speed(state: ShopState, say: AppTexts) -> w.Widget:
    rows = tuple(
        w.Row(
            (
                w.Radio(checked=state.express == express, class_name="-"),
                w.Text(text=say(name), size=15, class_name="-"),
            ),
            gap=16,
            height=48,
            id=f"delivery_{name}",
            description=say(name),
            on_tap=Event("express", express),
            class_name="android.widget.RadioButton",
        )
        for name, express in (("standard", False), ("express", True))
    )
    head = w.Text(text=say("delivery_speed"), size=14, color="text_2")
    return w.Column((head, *rows), padding=(20, 10, 20, 10), key="delivery_row")


def _totals(state: ShopState, say: AppTexts) -> w.Widget:
    def line(name: str, amount: str, *, large: bool = False) -> w.Widget:
        size = 17.0 if large else 14.0
        return w.Row(
            (
                w.Text(text=name, size=size, grow=1, color="text" if large else "text_2"),
                w.Text(text=amount, size=size, bold=large, id="total" if large else ""),
            )
        )

    lines = [line(say("delivery"), price(state.delivery) if state.delivery else say("free"))]
    if state.discount:
        lines.append(line(say("discount"), f"-{price(state.discount)}"))
    lines.append(line(say("total"), price(state.total), large=True))
    pay = w.Button(label=say("check_out"), height=48, id="check_out", on_tap=Event("check_out"))
    return w.Column(
        (*lines, w.Spacer(height=4), pay),
        gap=6,
        padding=(20, 14, 20, 32),
        background="surface_container",
        id="totals",
    )


def pin_screen(state: ShopState, context: Context, say: AppTexts) -> w.Screen:
    """The secure page: captures hide its pixels, but its tree stays readable."""
    dots = w.Row(
        tuple(
            w.Text(text="●" if place < len(state.pin) else "○", size=22, key=str(place), class_name="-")
            for place in range(6)
        ),
        gap=14,
        arrange="center",
        id="pin_dots",
        description=f"{len(state.pin)} / 6",
    )
    head: list[w.Widget] = [
        w.Text(text=say("enter_pin"), size=20, align="center", id="pin_title"),
        w.Text(text=say("pin_why", total=f"{state.total:.2f}"), size=14, color="text_2", align="center"),
        dots,
    ]
    if state.pin_error:
        head.append(w.Text(text=say("pin_wrong"), size=14, color="error", align="center", id="pin_error"))
    height, gap = (44, 8) if context.landscape else (60, 12)
    digits = (_pin_key(key, height) for key in "123456789")
    keys = (*digits, w.Spacer(height=height), _pin_key("0", height), _pin_delete(say, height))
    pad = w.Grid(keys, columns=3, gap=12, line_gap=gap, id="keypad")
    body: w.Widget
    if context.landscape:  # the keys stand beside the words, as there is no room below them
        words = w.Column(tuple(head), gap=14, padding=(0, 24, 0, 0), grow=1, class_name="-")
        body = w.Row((words, replace(pad, grow=1.0)), gap=24, align="start", padding=(36, 8), grow=1)
    else:
        body = w.Column((*head, w.Spacer(height=32), pad), gap=14, padding=(36, 48, 36, 0), grow=1)
    return w.Screen(body, app_bar=w.AppBar(navigation="back"), secure=True)


def _pin_key(key: str, height: float) -> w.Widget:
    return w.Row(
        (w.Text(text=key, size=22, class_name="-"),),
        arrange="center",
        height=height,
        radius=16,
        background="surface_container",
        key=key,
        id=f"pin_{key}",
        description=key,
        on_tap=Event("pin", key),
        class_name="android.widget.Button",
    )


def _pin_delete(say: AppTexts, height: float) -> w.Widget:
    return w.Row(
        (w.Icon(name="backspace"),),
        arrange="center",
        height=height,
        radius=16,
        id="pin_delete",
        description=say("delete_digit"),
        on_tap=Event("pin", "delete"),
        class_name="android.widget.ImageButton",
    )


def order_screen(state: ShopState, context: Context, say: AppTexts) -> w.Screen:
    """The order confirmation with the delivery date."""
    number = str(context.extras.get("order", ""))
    order = next((order for order in state.orders if order.id == number), None)
    if order is None:
        return w.Screen(empty("cart", say("orders"), number), app_bar=w.AppBar(navigation="back"))
    arrives = say("arrives_tomorrow") if order.express else say("arrives", days=3)
    lines = (
        w.Icon(name="check", size=64, color="primary", align_self="center"),
        w.Text(text=say("order_placed"), size=24, align="center", id="order_placed"),
        w.Text(text=say("order_number", id=order.id), size=15, align="center", id="order_number"),
        w.Text(text=price(order.total), size=18, bold=True, align="center", id="order_total"),
        w.Text(text=arrives, size=15, color="text_2", align="center"),
        w.Spacer(grow=1),
        w.Button(label=say("done"), height=48, id="done", on_tap=Event("system.back")),
    )
    return w.Screen(w.Column(lines, gap=12, padding=(24, 140, 24, 20), grow=1))
