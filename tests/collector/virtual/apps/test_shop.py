"""What a person can do in the shop, as events on its state."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from collector.model.geometry import Size
from collector.variations.registry import Variations
from collector.virtual.apps.shop.app import ShopApp
from collector.virtual.apps.shop.catalogue import Filters, search
from collector.virtual.apps.shop.state import ShopState
from collector.virtual.system.phone import Phone
from collector.virtual.system.phone_state.phone_time import SimulatedTime
from collector.virtual.ui.effects import Change, Component, Finish, Intent, ShowSnackbar, StartActivity
from collector.virtual.ui.events import Event
from tests.helpers.phone_driver import bounds, find
from tests.helpers.virtual import profile

SHOP = ShopApp()


def play(state: ShopState, *events: Event) -> tuple[ShopState, tuple[Any, ...]]:
    """The state after the events, and the effects of the last one."""
    effects: tuple[Any, ...] = ()
    for event in events:
        result = SHOP.update(state, event)
        state, effects = (result.state, result.effects) if isinstance(result, Change) else (result, ())
    return state, effects


def fresh() -> ShopState:
    return SHOP.initial(1, "en-US")


def test_the_right_password_signs_in_and_closes_the_page() -> None:
    state, effects = play(fresh(), Event("password", value="hunter22"), Event("sign_in"))
    assert state.signed_in
    assert Finish() in effects
    assert state.password == ""


def test_a_wrong_password_says_so_and_stays() -> None:
    state, effects = play(fresh(), Event("password", value="guess"), Event("sign_in"))
    assert state.login_error
    assert not state.signed_in
    assert effects == ()


def test_sorting_by_price_puts_the_cheapest_first() -> None:
    products = search("poster", "", Filters(), "price_up")
    assert products[0].id == "paris"
    assert [product.price for product in products] == sorted(product.price for product in products)


def test_filters_narrow_the_results() -> None:
    all_posters = search("poster", "", Filters(), "relevance")
    available = search("poster", "", Filters(in_stock=True), "relevance")
    assert all(product.stock for product in available)
    assert 0 < len(available) < len(all_posters)
    cheap = search("poster", "", Filters(in_stock=True, up_to=15), "relevance")
    assert all(product.price <= 15 for product in cheap)


def test_a_search_in_chinese_finds_the_same_thing() -> None:
    assert search("巴黎", "", Filters(), "relevance")[0].id == "paris"


def test_adding_to_the_cart_offers_to_show_it() -> None:
    state, effects = play(fresh(), Event("add_to_cart", "paris"), Event("add_to_cart", "paris"))
    assert state.cart == {"paris": 2}
    assert isinstance(effects[0], ShowSnackbar)
    assert effects[0].on_action == Event("open_page", ".CartActivity")


def test_the_last_one_removed_can_be_brought_back() -> None:
    state, effects = play(fresh(), Event("add_to_cart", "mug"), Event("remove", "mug"))
    assert state.cart == {}
    undo = effects[0].on_action
    assert undo is not None
    assert play(state, undo)[0].cart == {"mug": 1}


def test_an_ended_voucher_names_the_day_it_ended() -> None:
    state, _ = play(fresh(), Event("voucher_text", value="spring"), Event("use_voucher"))
    assert "2026-06-30" in state.voucher_error
    assert state.voucher == ""


def test_a_good_voucher_lowers_the_total() -> None:
    full, _ = play(fresh(), Event("add_to_cart", "wall_clock"))
    less, _ = play(full, Event("voucher_text", value="WELCOME"), Event("use_voucher"))
    assert less.total == round(full.total - 4.5, 2)


def test_paying_needs_the_person_to_be_signed_in_and_the_right_pin() -> None:
    cart, effects = play(fresh(), Event("add_to_cart", "paris"), Event("check_out"))
    assert any(isinstance(effect, StartActivity) for effect in effects)
    signed, _ = play(cart, Event("password", value="hunter22"), Event("sign_in"), Event("check_out"))
    refused, _ = play(signed, *(Event("pin", digit) for digit in "000000"))
    assert refused.pin_error
    paid, _ = play(refused, *(Event("pin", digit) for digit in "314159"))
    assert paid.cart == {}
    assert paid.orders[0].items == {"paris": 1}


def test_an_order_can_be_bought_again() -> None:
    state, _ = play(fresh(), Event("order_again", "A-1042"))
    assert state.cart == {"paris": 1, "mug": 2}


def test_every_key_of_the_pin_is_on_the_screen_of_a_phone_on_its_side() -> None:
    lying = replace(profile("shop"), size=Size(480, 1064), density=213)
    phone = Phone(replace(lying, variation=Variations().resolve("landscape")), SimulatedTime())
    phone.start_activity(Intent(component=Component("com.waymark.shop", "com.waymark.shop.PinActivity")))
    phone.pass_time(1)
    keys = [bounds(find(phone, resource_id=f"pin_{key}")) for key in (*"1234567890", "delete")]
    phone.close()
    assert len({(key.width, key.height) for key in keys}) == 1, "none is cut off"
