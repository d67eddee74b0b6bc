"""Event handlers of the shop."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import cast

from collector.virtual.apps.handlers import Handlers, page_of, words_of
from collector.virtual.apps.shop.catalogue import NO_FILTERS, products
from collector.virtual.apps.shop.photo import double_tapped, pinched
from collector.virtual.apps.shop.state import Order, Photo, Review, ShopState
from collector.virtual.ui.content import load
from collector.virtual.ui.effects import (
    Change,
    Finish,
    Focus,
    RequestPermission,
    ShowSnackbar,
    ShowToast,
)
from collector.virtual.ui.events import Event, Pinch

PACKAGE = "com.waymark.shop"
POST_NOTIFICATIONS = "android.permission.POST_NOTIFICATIONS"
"""Requested before the shop posts a notification."""
UpdateResult = ShopState | Change[ShopState]
_handlers: Handlers[ShopState] = Handlers()
_on, update = _handlers.on, _handlers.update
page = partial(page_of, PACKAGE)
_say = partial(words_of, "shop")


# ---- navigation ----------------------------------------------------------------------------


@_on("tab")
def _tab(state: ShopState, event: Event) -> UpdateResult:
    return replace(state, tab=cast(int, event.key))


@_on("open_page")
def _open_page(state: ShopState, event: Event) -> UpdateResult:
    return Change(state, (page(str(event.key)),))


@_on("open_product")
def _open_product(state: ShopState, event: Event) -> UpdateResult:
    return Change(
        replace(state, review_stars=0, review_text=""), (page(".ProductActivity", product=event.key),)
    )


@_on("open_photo")
def _open_photo(state: ShopState, event: Event) -> UpdateResult:
    return Change(replace(state, photo=Photo()), (page(".PhotoActivity", product=event.key),))


@_on("photo_pinch")
def _photo_pinch(state: ShopState, event: Event) -> UpdateResult:
    return replace(state, photo=pinched(state.photo, cast(Pinch, event.value)))


@_on("photo_double_tap")
def _photo_double_tap(state: ShopState, event: Event) -> UpdateResult:
    return replace(state, photo=double_tapped(state.photo, cast("tuple[float, float]", event.value)))


@_on("start_search")
def _start_search(state: ShopState, event: Event) -> UpdateResult:
    return Change(replace(state, query=""), (page(".SearchActivity"), Focus("query")))


@_on("edit_search")
def _edit_search(state: ShopState, event: Event) -> UpdateResult:
    return Change(replace(state, query=state.searched), (page(".SearchActivity"), Focus("query")))


@_on("query")
def _query(state: ShopState, event: Event) -> UpdateResult:
    return replace(state, query=str(event.value))


@_on("clear_query")
def _clear_query(state: ShopState, event: Event) -> UpdateResult:
    return Change(replace(state, query=""), (Focus("query"),))


@_on("search")
def _search(state: ShopState, event: Event) -> UpdateResult:
    query = str(event.key or state.query).strip()
    if not query:
        return state
    fresh = replace(
        state, query=query, searched=query, category="", sort="relevance", filters=NO_FILTERS, sheet=""
    )
    return Change(fresh, (Finish(), page(".ResultsActivity")))


@_on("category")
def _category(state: ShopState, event: Event) -> UpdateResult:
    fresh = replace(
        state, searched="", category=str(event.key), sort="relevance", filters=NO_FILTERS, sheet=""
    )
    return Change(fresh, (page(".ResultsActivity"),))


# ---- sorting and filtering -----------------------------------------------------------------


@_on("sheet")
def _sheet(state: ShopState, event: Event) -> UpdateResult:
    return replace(state, sheet=str(event.key or ""), draft_filters=state.filters)


@_on("sort")
def _sort(state: ShopState, event: Event) -> UpdateResult:
    return replace(state, sort=str(event.key), sheet="")


@_on("draft")
def _draft(state: ShopState, event: Event) -> UpdateResult:
    value = event.value
    if event.key == "up_to":
        return replace(state, draft_filters=replace(state.draft_filters, up_to=cast(float, value)))
    changed = {str(event.key): bool(value)}
    return replace(state, draft_filters=replace(state.draft_filters, **changed))


@_on("reset_filters")
def _reset_filters(state: ShopState, event: Event) -> UpdateResult:
    return replace(state, draft_filters=NO_FILTERS)


@_on("apply_filters")
def _apply_filters(state: ShopState, event: Event) -> UpdateResult:
    return replace(state, filters=state.draft_filters, sheet="")


# ---- cart ----------------------------------------------------------------------------------


@_on("save")
def _save(state: ShopState, event: Event) -> UpdateResult:
    product = str(event.key)
    saved = tuple(product_id for product_id in state.saved if product_id != product)
    return replace(state, saved=saved if product in state.saved else (*saved, product))


@_on("add_to_cart")
def _add_to_cart(state: ShopState, event: Event) -> UpdateResult:
    product = str(event.key)
    cart = {**state.cart, product: state.cart.get(product, 0) + 1}
    note = ShowSnackbar(_say(state, "added"), _say(state, "view"), Event("open_page", ".CartActivity"))
    return Change(replace(state, cart=cart), (note,))


@_on("tell_me")
def _notify_when_available(state: ShopState, event: Event) -> UpdateResult:
    notify_products = tuple(dict.fromkeys((*state.told, str(event.key))))
    request = RequestPermission(POST_NOTIFICATIONS)
    return Change(replace(state, told=notify_products), (ShowToast(_say(state, "told")), request))


@_on("count")
def _count(state: ShopState, event: Event) -> UpdateResult:
    product, by = cast("tuple[str, int]", event.key)
    cart = dict(state.cart)
    cart[product] = cart.get(product, 0) + by
    if cart[product] > 0:
        return replace(state, cart=cart)
    del cart[product]
    note = ShowSnackbar(_say(state, "removed"), _say(state, "undo"), Event("count", (product, -by)))
    return Change(replace(state, cart=cart), (note,))


@_on("remove")
def _remove(state: ShopState, event: Event) -> UpdateResult:
    product = str(event.key)
    return _count(state, Event("count", (product, -state.cart.get(product, 0))))


@_on("voucher_text")
def _voucher_text(state: ShopState, event: Event) -> UpdateResult:
    return replace(state, voucher_text=str(event.value), voucher_error="")


@_on("use_voucher")
def _use_voucher(state: ShopState, event: Event) -> UpdateResult:
    code = state.voucher_text.strip().upper()
    voucher = load("shop")["vouchers"].get(code)
    if voucher is None:
        return replace(state, voucher="", voucher_error=_say(state, "voucher_unknown"))
    if voucher["ended"]:
        return replace(state, voucher="", voucher_error=_say(state, "voucher_ended", date=voucher["ended"]))
    return Change(replace(state, voucher=code, voucher_error=""), (Focus(),))


@_on("express")
def _express(state: ShopState, event: Event) -> UpdateResult:
    return replace(state, express=bool(event.key))


@_on("check_out")
def _check_out(state: ShopState, event: Event) -> UpdateResult:
    if not state.signed_in:
        return Change(state, (ShowToast(_say(state, "sign_in_first")), page(".SignInActivity")))
    return Change(replace(state, pin="", pin_error=False), (page(".PinActivity"),))


@_on("pin")
def _pin(state: ShopState, event: Event) -> UpdateResult:
    correct_pin = str(load("shop")["account"]["pin"])
    pin = state.pin[:-1] if event.key == "delete" else state.pin + str(event.key)
    if len(pin) < len(correct_pin):
        return replace(state, pin=pin, pin_error=False)
    if pin != correct_pin:
        return replace(state, pin="", pin_error=True)
    order = Order(f"A-{1043 + len(state.orders)}", "2026-11-20", dict(state.cart), state.total, state.express)
    paid = replace(state, pin="", cart={}, voucher="", voucher_text="", orders=(order, *state.orders))
    return Change(paid, (Finish(), Finish(), page(".OrderActivity", order=order.id)))


@_on("order_again")
def _order_again(state: ShopState, event: Event) -> UpdateResult:
    order = next(order for order in state.orders if order.id == event.key)
    cart = dict(state.cart)
    for product, count in order.items.items():
        if product in products():
            cart[product] = cart.get(product, 0) + count
    return Change(replace(state, cart=cart), (page(".CartActivity"),))


# ---- account -------------------------------------------------------------------------------


@_on("email")
def _email(state: ShopState, event: Event) -> UpdateResult:
    return replace(state, email=str(event.value), login_error=False)


@_on("password")
def _password(state: ShopState, event: Event) -> UpdateResult:
    return replace(state, password=str(event.value), login_error=False)


@_on("sign_in")
def _sign_in(state: ShopState, event: Event) -> UpdateResult:
    account = load("shop")["account"]
    valid = (state.email.strip(), state.password) == (account["email"], account["password"])
    if not valid:
        return replace(state, login_error=True)
    return Change(replace(state, signed_in=True, password="", login_error=False), (Focus(), Finish()))


@_on("sign_out")
def _sign_out(state: ShopState, event: Event) -> UpdateResult:
    return replace(state, signed_in=False, password="", tab=0)


@_on("forgot")
def _forgot(state: ShopState, event: Event) -> UpdateResult:
    return Change(state, (ShowToast(_say(state, "forgot_sent")),))


@_on("stars")
def _stars(state: ShopState, event: Event) -> UpdateResult:
    return replace(state, review_stars=cast(int, event.key))


@_on("review_text")
def _review_text(state: ShopState, event: Event) -> UpdateResult:
    return replace(state, review_text=str(event.value))


@_on("send_review")
def _send_review(state: ShopState, event: Event) -> UpdateResult:
    review = Review(str(event.key), state.review_stars, state.review_text.strip())
    thanks = ShowSnackbar(_say(state, "review_thanks"))
    fresh = replace(state, reviews=(*state.reviews, review), review_stars=0, review_text="", sheet="")
    return Change(fresh, (Focus(), thanks))


@_on("address")
def _address(state: ShopState, event: Event) -> UpdateResult:
    return replace(state, address=str(event.value))


@_on("save_address")
def _save_address(state: ShopState, event: Event) -> UpdateResult:
    return Change(state, (Focus(), ShowSnackbar(_say(state, "address_saved"))))
