"""The shop's first screen: home, saved, cart and account behind one bottom bar."""

from __future__ import annotations

from collector.virtual.apps.shop.account import account_body
from collector.virtual.apps.shop.cart import cart_body
from collector.virtual.apps.shop.catalogue import products
from collector.virtual.apps.shop.rows import cart_button, empty, product_row, product_tile
from collector.virtual.apps.shop.state import ShopState
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.content import AppTexts, load, localized
from collector.virtual.ui.events import Event

FEATURED = (
    "bauhaus",
    "night_sea",
    "botanical",
    "alps",
    "paris",
    "cat",
    "lamp",
    "mug",
    "waves",
    "book_gardens",
)


def home_screen(state: ShopState, context: Context, say: AppTexts) -> w.Screen:
    """One of the four tabs of the bottom bar."""
    bodies = (_home, _saved, cart_body, account_body)
    return w.Screen(
        bodies[state.tab](state, context, say), app_bar=_bar(state, say), bottom_bar=_bottom(state, say)
    )


def _bar(state: ShopState, say: AppTexts) -> w.AppBar:
    titles = ("app", "saved", "cart", "account")
    person: w.Widget = w.IconButton(
        icon="person", id="account", description=say("sign_in"), on_tap=Event("open_page", ".SignInActivity")
    )
    if state.signed_in:
        person = w.Row(
            (w.Avatar(initial=load("shop")["account"]["name"][0], size=30),),
            width=48,
            height=48,
            arrange="center",
            id="account",
            description=say("account"),
            on_tap=Event("tab", 3),
        )
    return w.AppBar(
        title=say(titles[state.tab]),
        navigation="menu",
        on_navigation=Event("tab", 0),
        actions=(person, cart_button(state, say)),
    )


def _bottom(state: ShopState, say: AppTexts) -> w.BottomBar:
    account = say("account" if state.signed_in else "sign_in")
    names = (("home", say("home")), ("heart", say("saved")), ("cart", say("cart")), ("person", account))
    tabs = tuple(
        w.Tab(label, Event("tab", place), icon=icon, id=f"tab_{icon}")
        for place, (icon, label) in enumerate(names)
    )
    return w.BottomBar(tabs=tabs, chosen=state.tab)


def _home(state: ShopState, context: Context, say: AppTexts) -> w.Widget:
    search = w.Row(
        (
            w.Icon(name="search", color="text_2", size=20, class_name="-"),
            w.Text(text=say("search_products"), size=15, color="text_2", class_name="-"),
        ),
        gap=14,
        height=48,
        radius=24,
        padding=(18, 0),
        background="surface_container",
        id="search_box",
        description=say("search_products"),
        on_tap=Event("start_search"),
    )
    chips = w.Row(
        tuple(
            w.Chip(
                label=localized(texts, context.locale),
                outlined=False,
                on_tap=Event("category", name),
                id="category",
                key=name,
            )
            for name, texts in load("shop")["categories"].items()
        ),
        gap=10,
    )
    name = load("shop")["account"]["name"]
    line = say("banner_in_2", name=name) if state.signed_in else say("banner_out_2")
    banner = w.Column(
        (
            w.Text(
                text=say("banner_in" if state.signed_in else "banner_out"),
                size=15,
                bold=True,
                color="on_container",
                id="banner_title",
            ),
            w.Text(text=line, size=13, color="on_container", id="banner_text"),
        ),
        padding=(18, 14),
        radius=14,
        background="container",
        id="banner",
        on_tap=None if state.signed_in else Event("open_page", ".SignInActivity"),
    )
    tiles = tuple(product_tile(products()[name], say) for name in FEATURED if name in products())
    grid = w.Grid(tiles, columns=4 if context.landscape else 2, gap=12, line_gap=18, id="featured")
    content = w.Column((search, chips, banner, grid), gap=16, padding=(16, 8, 16, 24))
    return w.Scroll(child=content, grow=1, id="home")


def _saved(state: ShopState, context: Context, say: AppTexts) -> w.Widget:
    if not state.saved:
        browse = w.Button(
            label=say("browse"), style="tonal", align_self="center", id="browse", on_tap=Event("tab", 0)
        )
        return empty("heart", say("empty_saved"), "", browse)
    rows = tuple(product_row(products()[product_id], state, say) for product_id in state.saved)
    return w.ScrollList(rows, grow=1, id="saved_list")
