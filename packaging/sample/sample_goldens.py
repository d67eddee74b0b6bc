"""The golden trajectories of the sample project: what each operator does on the phone.

Lin takes the straight way through an app. Sara looks for another: a page instead of a list, the search
instead of a menu, the shade instead of the settings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sample_phone import Operator

LIN, SARA = "lin", "sara"
CHINESE = "zh-CN"
_SHOP = ("com.waymark.shop", "Shop")
_TODO = ("com.waymark.todo", "To-do")
_MESSENGER = ("com.waymark.messenger", "Messenger")
_PASSWORD = "hunter22"  # noqa: S105 - of the account that tasks.yaml names


@dataclass(frozen=True)
class Golden:
    """One recording: its task, who makes it, and how, on a phone in ``locale``."""

    task: str
    who: str
    act: Callable[[Operator], None]
    locale: str = "en-US"

    @property
    def id(self) -> str:
        """The id of the trajectory."""
        return f"{self.task}-{self.who}"


GOLDENS: list[Golden] = []


def _golden(
    task: str, who: str, locale: str = "en-US"
) -> Callable[[Callable[[Operator], None]], Callable[[Operator], None]]:
    def register(act: Callable[[Operator], None]) -> Callable[[Operator], None]:
        GOLDENS.append(Golden(task, who, act, locale))
        return act

    return register


# -- shop ------------------------------------------------------------------------


@_golden("shop-11", LIN)
def _save_from_results(me: Operator) -> None:
    me.tap("Shop")
    me.tap(id="search_box")
    me.type("botanical")
    me.key("enter")
    me.tap(id="save")


@_golden("shop-11", SARA)
def _save_from_page(me: Operator) -> None:
    me.open_app(*_SHOP)
    me.tap("Botanical print, set of 3", id="title")
    me.tap(id="save")


@_golden("shop-13", LIN)
def _compare_in_results(me: Operator) -> None:
    me.tap("Shop")
    me.tap(id="search_box")
    me.tap("picture frame", id="suggestion_text")
    me.answer("The oak frame for $29.00. The black one costs $26.00 and is sold out.")


@_golden("shop-13", SARA)
def _compare_pages(me: Operator) -> None:
    me.open_app(*_SHOP)
    me.tap("Home", id="category")
    me.tap("Picture frame, oak", id="title")
    me.key("back")
    me.tap("Picture frame, black", id="title")
    me.answer("Only the oak one")


@_golden("shop-14", LIN)
def _sort_then_filter(me: Operator) -> None:
    me.tap("Shop")
    me.tap(id="account")
    me.tap(id="password")
    me.type(_PASSWORD)
    me.tap("Continue")
    _search(me, "poster")
    me.tap(id="chip_sort")
    me.tap("Price: low to high")
    me.tap(id="chip_filter")
    me.tap("In stock only")
    me.tap("Apply")
    me.tap("Paris street poster", id="title")
    me.tap("Add to cart")


@_golden("shop-14", SARA)
def _filter_then_sort(me: Operator) -> None:
    me.open_app(*_SHOP)
    me.tap(id="tab_person")
    me.tap(id="go_sign_in")
    me.tap(id="password")
    me.type(_PASSWORD)
    me.key("enter")
    me.tap(id="tab_home")
    me.tap(id="search_box")
    _type_query(me, "poster")
    me.tap(id="chip_filter")
    me.tap("In stock only")
    me.tap("Apply")
    me.tap(id="chip_sort")
    me.tap("Price: low to high")
    me.tap("Paris street poster", id="title")
    me.tap("Add to cart")


@_golden("shop-16", LIN)
def _filter_prints(me: Operator) -> None:
    me.tap("Shop")
    me.tap("Prints", id="category")
    me.tap(id="chip_filter")
    me.tap("In stock only")
    me.tap("Free delivery")
    me.tap("Apply")
    me.tap(id="chip_sort")
    me.tap("Newest")


@_golden("shop-16", SARA)
def _sort_prints(me: Operator) -> None:
    me.open_app(*_SHOP)
    me.tap("Prints", id="category")
    me.tap(id="chip_sort")
    me.tap("Newest")
    me.tap(id="chip_filter")
    me.tap("Free delivery")
    me.tap("In stock only")
    me.tap("Apply")


@_golden("shop-18", LIN, CHINESE)
def _save_best_rated(me: Operator) -> None:
    me.tap("商店")
    _search(me, "海报")
    me.tap(id="chip_sort")
    me.tap("用户评分")
    me.tap(id="save")


@_golden("shop-18", SARA, CHINESE)
def _open_best_rated(me: Operator) -> None:
    me.open_app(_SHOP[0], "商店")
    _search(me, "海报")
    me.tap(id="chip_sort")
    me.tap("用户评分")
    me.tap("睡猫海报", id="title")
    me.tap(id="save")


@_golden("shop-19", LIN)
def _buy_from_category(me: Operator) -> None:
    me.tap("Shop")
    me.tap("Home", id="category")
    me.tap("Stoneware mug", id="title")
    me.tap("Add to cart")
    me.tap("Add to cart")
    me.key("back")
    me.tap("Desk lamp", id="title")
    me.tap("Add to cart")
    me.tap(id="cart")
    me.answer("$64.90")


@_golden("shop-19", SARA)
def _buy_from_results(me: Operator) -> None:
    me.open_app(*_SHOP)
    me.tap(id="search_box")
    me.tap("desk lamp", id="suggestion_text")
    me.tap("Desk lamp", id="title")
    me.tap("Add to cart")
    me.key("back")
    me.tap(id="search_box")
    me.tap("Clear")
    me.type("mug")
    me.key("enter")
    me.tap("Stoneware mug", id="title")
    me.tap("Add to cart")
    me.tap(id="cart")
    me.tap("One more", place=1)
    me.answer("64.90")


def _search(me: Operator, query: str) -> None:
    me.tap(id="search_box")
    _type_query(me, query)


def _type_query(me: Operator, query: str) -> None:
    me.type(query)
    me.key("enter")


# -- to-do -----------------------------------------------------------------------


@_golden("todo-01", LIN)
def _add_in_list(me: Operator) -> None:
    me.tap("To-do")
    me.tap("Open menu")
    me.tap("Trip")
    me.tap(id="add")
    me.type("Collect the keys")
    me.key("back")
    me.tap("Tomorrow")
    me.tap(id="save")
    me.tap("Week")


@_golden("todo-01", SARA)
def _add_and_move(me: Operator) -> None:
    me.open_app(*_TODO)
    me.tap(id="add")
    me.type("Collect the keys")
    me.key("back")
    me.tap("Trip")
    me.tap("Tomorrow")
    me.tap(id="save")
    me.tap("Open menu")
    me.tap("Trip")
    me.tap("All")


@_golden("todo-04", LIN)
def _clear_finished(me: Operator) -> None:
    me.tap("To-do")
    me.tap(id="more")
    me.tap("Delete finished tasks")


@_golden("todo-04", SARA)
def _delete_one_by_one(me: Operator) -> None:
    me.open_app(*_TODO)
    for title in ("Send slides to Ana", "Water the plants"):
        me.tap(title, id="task_title")
        me.tap(id="delete")
        me.tap(id="confirm_delete")


@_golden("todo-05", LIN, CHINESE)
def _check_in_list(me: Operator) -> None:
    me.tap("待办")
    me.tap("打开菜单")
    me.tap("旅行")
    me.tap("全部")
    me.tap("打印车票", id="task_check")
    me.answer("2")


@_golden("todo-05", SARA, CHINESE)
def _check_in_search(me: Operator) -> None:
    me.open_app(_TODO[0], "待办")
    me.tap(id="search")
    me.type("打印")
    me.tap("打印车票", id="task_check")
    me.key("back")
    me.key("back")
    me.tap("打开菜单")
    me.tap("旅行")
    me.tap("全部")
    me.answer("还剩 2 项")


# -- messenger -------------------------------------------------------------------


@_golden("messenger-01", LIN)
def _write_to_ana(me: Operator) -> None:
    me.tap("Messenger")
    me.tap("Ana Duarte", id="chat_name")
    me.tap(id="message")
    me.type("I will be ten minutes late")
    me.tap(id="send")
    me.wait_for("Got it, thanks!")


@_golden("messenger-01", SARA)
def _find_ana(me: Operator) -> None:
    me.open_app(*_MESSENGER)
    me.tap(id="tab_people")
    me.tap("Ana Duarte", id="person_name")
    me.tap(id="message")
    me.type("Sorry, the bus is slow. See you 10 minutes late!")
    me.key("enter")
    me.wait_for("Got it, thanks!")


@_golden("messenger-02", LIN)
def _tell_dana(me: Operator) -> None:
    me.tap("Messenger")
    me.tap("Ben Okafor", id="chat_name")
    me.key("back")
    me.tap("Dana Levi", id="chat_name")
    me.tap(id="message")
    me.type("The door code is 7319")
    me.tap(id="send")
    me.wait_for("Got it, thanks!")


@_golden("messenger-02", SARA)
def _forward_to_dana(me: Operator) -> None:
    me.open_app(*_MESSENGER)
    me.tap("Ben Okafor", id="chat_name")
    me.long_press("Room 204, code 7319")
    me.tap("Forward")
    me.tap("Dana Levi")
    me.key("back")
    me.tap("Dana Levi", id="chat_name")


@_golden("messenger-05", LIN)
def _read_chat(me: Operator) -> None:
    me.tap("Messenger")
    me.tap("Ana Duarte", id="chat_name")
    me.answer("At the station, on platform 4")


@_golden("messenger-05", SARA)
def _search_chats(me: Operator) -> None:
    me.open_app(*_MESSENGER)
    me.tap(id="query")
    me.type("platform")
    me.tap("Ana Duarte", id="chat_name")
    me.answer("Platform 4 of the station, next to the flower shop")


# -- settings and home screen ----------------------------------------------------


@_golden("settings-03", LIN)
def _radios_in_settings(me: Operator) -> None:
    me.tap("Settings")
    me.tap("Network and internet")
    me.tap("Airplane mode", id="switch_widget")
    me.tap("Wi-Fi")
    me.tap("Use Wi-Fi", id="main_switch_bar")


@_golden("settings-03", SARA)
def _radios_in_shade(me: Operator) -> None:
    me.swipe_down_from_top()
    me.tap(text="Airplane mode")
    me.tap(text="Wi-Fi")


@_golden("home-01", LIN)
def _find_shop(me: Operator) -> None:
    me.tap(id="search_box")
    me.type("shop")
    me.tap("Shop", id="title")


@_golden("home-01", SARA)
def _find_among_apps(me: Operator) -> None:
    me.tap(id="search_box")
    me.type("sh")
    me.key("back")
    me.tap("Shop", id="title")
