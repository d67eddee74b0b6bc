"""The shop's sign-in and account screens."""

from __future__ import annotations

from collector.virtual.apps.shop.catalogue import products
from collector.virtual.apps.shop.rows import price
from collector.virtual.apps.shop.state import Order, ShopState
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.content import AppTexts, load
from collector.virtual.ui.events import Event


def sign_in_screen(state: ShopState, context: Context, say: AppTexts) -> w.Screen:
    """Email and password."""
    parts: list[w.Widget] = [
        w.TextField(
            text=state.email,
            label=say("email"),
            kind="email",
            action="next",
            on_change=Event("email"),
            id="email",
        ),
        w.TextField(
            text=state.password,
            label=say("password"),
            kind="password",
            on_change=Event("password"),
            on_submit=Event("sign_in"),
            id="password",
        ),
    ]
    if state.login_error:
        parts.append(w.Text(text=say("wrong_login"), size=13, color="error", id="login_error"))
    parts.append(w.Button(label=say("continue"), id="continue", on_tap=Event("sign_in")))
    forgot = w.Button(
        label=say("forgot"), style="text", align_self="center", id="forgot", on_tap=Event("forgot")
    )
    body = w.Column((*parts, forgot), gap=18, padding=(24, 32, 24, 24))
    return w.Screen(w.Scroll(child=body, grow=1), app_bar=w.AppBar(title=say("sign_in"), navigation="back"))


def account_body(state: ShopState, context: Context, say: AppTexts) -> w.Widget:
    """Name, address and orders, or a link to sign in."""
    if not state.signed_in:
        button = w.Button(label=say("sign_in"), id="go_sign_in", on_tap=Event("open_page", ".SignInActivity"))
        line = w.Text(text=say("banner_out_2"), size=14, color="text_2", align="center")
        return w.Column((line, button), gap=16, padding=(32, 140, 32, 0), grow=1)
    account = load("shop")["account"]
    head = w.Row(
        (
            w.Avatar(initial=account["name"][0], size=52),
            w.Column(
                (
                    w.Text(text=account["name"], size=18, id="name"),
                    w.Text(text=account["email"], size=13, color="text_2", id="account_email"),
                ),
                grow=1,
            ),
        ),
        gap=16,
        padding=(20, 12),
    )
    address = w.Column(
        (
            w.TextField(
                text=state.address,
                label=say("address"),
                on_change=Event("address"),
                on_submit=Event("save_address"),
                id="address",
            ),
            w.Button(
                label=say("address_save"),
                style="tonal",
                align_self="end",
                id="save_address",
                on_tap=Event("save_address"),
            ),
        ),
        gap=10,
        padding=(20, 10),
    )
    title = w.Text(text=say("orders"), size=15, bold=True, padding=(20, 10, 20, 4))
    orders: tuple[w.Widget, ...] = tuple(_order(order, say) for order in state.orders)
    if not orders:
        none = w.Text(text=say("no_orders"), size=14, color="text_2", padding=(20, 6), id="no_orders")
        orders = (none,)
    out = w.Button(
        label=say("sign_out"),
        style="text",
        id="sign_out",
        on_tap=Event("sign_out"),
        align_self="start",
        margin=(8, 12),
    )
    return w.Scroll(child=w.Column((head, address, title, *orders, out)), grow=1, id="account_page")


def _order(order: Order, say: AppTexts) -> w.Widget:
    catalogue = products()
    known = {catalogue[item]: count for item, count in order.items.items() if item in catalogue}
    names = ", ".join(product.name(say.locale) for product in known)
    total = order.total or sum(product.price * count for product, count in known.items())
    words = w.Column(
        (
            w.Text(text=say("order_number", id=order.id), size=15, id="order_id"),
            w.Text(text=f"{order.date} - {price(total)}", size=13, color="text_2", id="order_date"),
            w.Text(text=names, size=13, color="text_2", max_lines=1, id="order_items"),
        ),
        grow=1,
    )
    reorder = w.Button(
        label=say("order_again"), style="text", id="order_again", on_tap=Event("order_again", order.id)
    )
    return w.Row((words, reorder), padding=(20, 10, 8, 10), key=order.id, id="order")
