"""The shop's search page, its results, and the sheets that sort and filter them."""

from __future__ import annotations

from collector.virtual.apps.shop.catalogue import PRICE_LIMIT, SORTS, products, search
from collector.virtual.apps.shop.rows import cart_button, empty, price, product_row
from collector.virtual.apps.shop.state import ShopState
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.content import AppTexts, load, localized
from collector.virtual.ui.events import Event


def search_screen(state: ShopState, context: Context, say: AppTexts) -> w.Screen:
    """The page where the person types a search."""
    field = w.TextField(
        text=state.query,
        hint=say("search_products"),
        style="filled",
        action="search",
        on_change=Event("query"),
        on_submit=Event("search"),
        id="query",
        suggestions=_keyboard_words(state.query),
        focused=True,
    )
    clear = w.IconButton(icon="close", id="clear", description=say("clear"), on_tap=Event("clear_query"))
    rows = tuple(
        w.Row(
            (
                w.Icon(name="search", size=20, class_name="-"),
                w.Text(text=text, size=15, id="suggestion_text"),
            ),
            gap=20,
            height=52,
            padding=(20, 0),
            key=text,
            id="suggestion",
            on_tap=Event("search", text),
        )
        for text in _suggestions(state.query, say.locale)
    )
    return w.Screen(
        w.ScrollList(rows, grow=1, id="suggestions"),
        app_bar=w.AppBar(navigation="back", middle=field, actions=(clear,)),
    )


def _suggestions(query: str, locale: str) -> tuple[str, ...]:
    typed = query.strip().casefold()
    texts = [localized(row, locale) for row in load("shop")["suggestions" if typed else "searches"]]
    return tuple(text for text in texts if typed in text.casefold() and text.casefold() != typed)[:6]


def _keyboard_words(query: str) -> tuple[str, ...]:
    last = query.split()[-1] if query and not query.endswith(" ") else ""
    if not last:
        return ()
    tags = sorted({word for product in products().values() for word in product.tags.split()})
    plural = (f"{last}s",) if last.isascii() and last.isalpha() else ()
    return (last, *[word for word in tags if word.startswith(last) and word != last], *plural)[:3]


def results_screen(state: ShopState, context: Context, say: AppTexts) -> w.Screen:
    """The search results, with chips to sort and filter them."""
    results = search(state.searched, state.category, state.filters, state.sort, state.seed)
    query = state.searched or _category(state, context, say)
    middle = w.Row(
        (
            w.Icon(name="search", size=20, class_name="-"),
            w.Text(text=query, size=15, max_lines=1, id="query"),
        ),
        gap=14,
        height=46,
        radius=23,
        padding=(18, 0),
        background="surface_container",
        id="search_box",
        on_tap=Event("edit_search"),
    )
    count = say("result" if len(results) == 1 else "results", count=len(results), query=query)
    head = w.Column(
        (_chips(state, say), w.Text(text=count, size=13.5, color="text_2", id="result_count")),
        gap=14,
        padding=(20, 10, 20, 8),
    )
    body: w.Widget = w.ScrollList(
        tuple(product_row(product, state, say) for product in results), grow=1, id="results"
    )
    if not results:
        body = empty("search", say("nothing"), say("nothing_2"))
    sheets = {"sort": _sort_sheet, "filter": _filter_sheet}
    sheet = sheets[state.sheet](state, say) if state.sheet in sheets else None
    return w.Screen(
        w.Column((head, body), grow=1),
        app_bar=w.AppBar(navigation="back", middle=middle, actions=(cart_button(state, say),)),
        sheet=sheet,
    )


def _category(state: ShopState, context: Context, say: AppTexts) -> str:
    """The name of the chosen category; the shop's name when the page was opened without a search."""
    texts = load("shop")["categories"].get(state.category)
    return localized(texts, context.locale) if texts else say("app")


def _chips(state: ShopState, say: AppTexts) -> w.Widget:
    sorted_by = state.sort != "relevance"
    chips = [
        w.Chip(
            label=say(state.sort) if sorted_by else say("sort"),
            icon="sort",
            selected=sorted_by,
            id="chip_sort",
            on_tap=Event("sheet", "sort"),
        ),
        w.Chip(
            label=_filter_words(state, say),
            icon="filter",
            selected=state.filters.any,
            id="chip_filter",
            on_tap=Event("sheet", "filter"),
        ),
    ]
    if state.category:
        label = localized(load("shop")["categories"][state.category], state.locale)
        chips.append(w.Chip(label=label, id="chip_category"))
    return w.Row(tuple(chips), gap=10, id="chips")


def _filter_words(state: ShopState, say: AppTexts) -> str:
    chosen = state.filters
    parts = [
        say(name)
        for name, on in (
            ("in_stock", chosen.in_stock),
            ("free_delivery", chosen.free_delivery),
            ("on_sale", chosen.on_sale),
        )
        if on
    ]
    if chosen.up_to < PRICE_LIMIT:
        parts.append(say("up_to", limit=f"{chosen.up_to:.0f}"))
    return parts[0] + (f" +{len(parts) - 1}" if len(parts) > 1 else "") if parts else say("filter")


def _sort_sheet(state: ShopState, say: AppTexts) -> w.Sheet:
    rows = tuple(
        w.Row(
            (
                w.Radio(checked=state.sort == sort, class_name="-"),
                w.Text(text=say(sort), size=15, class_name="-"),
            ),
            gap=18,
            height=52,
            padding=(24, 0),
            key=sort,
            id="option",
            description=say(sort),
            selected=state.sort == sort,
            on_tap=Event("sort", sort),
            class_name="android.widget.RadioButton",
        )
        for sort in SORTS
    )
    return w.Sheet(
        w.Column(rows, padding=(0, 0, 0, 16)),
        title=say("sort_by"),
        on_dismiss=Event("sheet"),
        id="sort_sheet",
    )


def _filter_sheet(state: ShopState, say: AppTexts) -> w.Sheet:
    draft = state.draft_filters
    boxes = (
        ("in_stock", say("in_stock_only"), draft.in_stock),
        ("free_delivery", say("free_delivery"), draft.free_delivery),
        ("on_sale", say("on_sale"), draft.on_sale),
    )
    checks = tuple(
        w.Checkbox(checked=on, label=label, on_change=Event("draft", name), id=name, height=48)
        for name, label, on in boxes
    )
    money = w.Column(
        (
            w.Row((w.Text(text=say("price"), size=14, grow=1), w.Text(text=price(draft.up_to), id="limit"))),
            w.Slider(
                value=draft.up_to,
                low=0,
                high=PRICE_LIMIT,
                step=5,
                on_change=Event("draft", "up_to"),
                id="price",
            ),
        ),
        gap=4,
        padding=(24, 8),
    )
    buttons = w.Row(
        (
            w.Button(label=say("reset"), style="outlined", grow=1, id="reset", on_tap=Event("reset_filters")),
            w.Button(label=say("apply"), grow=1, id="apply", on_tap=Event("apply_filters")),
        ),
        gap=12,
        padding=(24, 12, 24, 20),
    )
    return w.Sheet(
        w.Column((w.Column(checks, padding=(24, 0)), money, buttons)),
        title=say("filter"),
        on_dismiss=Event("sheet"),
        id="filter_sheet",
    )
