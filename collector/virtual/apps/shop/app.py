"""The shop as an app: its activities and which screen each shows."""

from __future__ import annotations

from collections.abc import Callable

from collector.model.app_data.collections import AppData
from collector.virtual.apps.shop import account, cart, home, photo, product, results
from collector.virtual.apps.shop.catalogue import products
from collector.virtual.apps.shop.data import data_of
from collector.virtual.apps.shop.state import Order, ShopState
from collector.virtual.apps.shop.update import PACKAGE, POST_NOTIFICATIONS, UpdateResult, update
from collector.virtual.ui.app import Activity, App, AppIcon, Context, InnerPage
from collector.virtual.ui.content import AppTexts, load, texts_of
from collector.virtual.ui.events import Event
from collector.virtual.ui.theme import SHOP
from collector.virtual.ui.widgets import Screen

SCREENS: dict[str, Callable[[ShopState, Context, AppTexts], Screen]] = {
    ".MainActivity": home.home_screen,
    ".SearchActivity": results.search_screen,
    ".ResultsActivity": results.results_screen,
    ".ProductActivity": product.product_screen,
    ".PhotoActivity": photo.photo_screen,
    ".CartActivity": cart.cart_screen,
    ".SignInActivity": account.sign_in_screen,
    ".PinActivity": cart.pin_screen,
    ".OrderActivity": cart.order_screen,
}


class ShopApp(App[ShopState]):
    """A shop with search, a cart and a secure payment page."""

    name = "shop"
    package = PACKAGE
    icon = AppIcon("cart", "#00687A")
    needs_network = True
    theme = SHOP
    activities = tuple(Activity(name, launcher=name == ".MainActivity") for name in SCREENS)
    pages = {  # noqa: RUF012 - never changed
        "product": InnerPage(".ProductActivity", {}, {"product": "lamp"}),
        "orders": InnerPage(".MainActivity", {"tab": 3, "signed_in": True}),
    }
    state_type = ShopState
    version = "3.2.1"
    version_code = 321
    permissions = ("android.permission.INTERNET", POST_NOTIFICATIONS)

    def label(self, locale: str) -> str:
        return texts_of(self.name, locale)("app")

    def initial(self, seed: int, locale: str) -> ShopState:
        content = load(self.name)
        orders = tuple(Order(**order) for order in content["orders"])
        return ShopState(
            locale=locale,
            seed=seed,
            email=content["account"]["email"],
            orders=orders,
            cart={name: count for name, count in content.get("cart", {}).items() if name in products()},
            address=texts_of(self.name, locale)("address_1"),
        )

    def view(self, state: ShopState, context: Context) -> Screen:
        return SCREENS[context.activity](state, context, texts_of(self.name, context.locale))

    def data(self, state: ShopState) -> AppData:
        return data_of(state)

    def update(self, state: ShopState, event: Event) -> UpdateResult:
        return update(state, event)
