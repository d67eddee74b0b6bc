"""A small app that uses every widget, for tests of the phone."""

from __future__ import annotations

from dataclasses import dataclass, replace

from collector.virtual.ui import effects as fx
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import STARTED, Activity, App, AppIcon, Context
from collector.virtual.ui.events import Event
from collector.virtual.ui.theme import SETTINGS

MANY_SCRIPTS = "你好，世界 مرحبا שלום 👩\u200d👩\u200d👧 😀 and a line long enough to wrap"
CHINESE = {"Settings": "设置", "Network and internet": "网络和互联网", "Battery": "电池", "Display": "显示"}


@dataclass(frozen=True)
class DemoState:
    """State of the demo app."""

    wifi: bool = True
    agreed: bool = False
    volume: float = 0.4
    name: str = ""
    secret: str = ""
    taps: int = 0
    asked: bool = False
    sorting: bool = False
    busy: bool = False
    heard: tuple[str, ...] = ()


class DemoApp(App[DemoState]):
    name = "demo"
    package = "com.example.demo"
    icon = AppIcon("settings", "#3D5F93")
    theme = SETTINGS
    activities = (
        Activity(".MainActivity", launcher=True),
        Activity(".FormActivity", actions=("com.example.demo.FORM",)),
        Activity(".SecretActivity"),
        Activity(".ControlsActivity"),
    )
    state_type = DemoState
    permissions = ("android.permission.INTERNET",)

    def initial(self, seed: int, locale: str) -> DemoState:
        return DemoState()

    def view(self, state: DemoState, context: Context) -> w.Screen:
        views = {".FormActivity": form, ".SecretActivity": secret, ".ControlsActivity": controls}
        return views.get(context.activity, listing)(state, context)

    def update(self, state: DemoState, event: Event) -> DemoState | fx.Change[DemoState]:
        component = fx.Component(self.package, f"{self.package}.FormActivity")
        match event.name:
            case "wifi" | "agreed" | "volume" | "name" | "secret":
                return replace(state, **{str(event.name): event.value})  # type: ignore[arg-type]
            case "tap":
                return replace(state, taps=state.taps + 1, heard=(*state.heard, str(event.key)))
            case "ask":
                return replace(state, asked=True)
            case "answer":
                toast = fx.ShowToast(f"You chose {event.key}")
                return fx.Change(replace(state, asked=False, heard=(*state.heard, str(event.key))), (toast,))
            case "sort":
                return replace(state, sorting=event.value is not False)
            case "form":
                return fx.Change(state, (fx.StartActivity(fx.Intent(component=component)),))
            case "submit":
                return fx.Change(state, (fx.ShowSnackbar("Saved", "Undo", Event("tap", "undo")), fx.Finish()))
            case "later":
                return fx.Change(state, (fx.Later(0.01, Event("tap", "later")),))
            case "log":
                return fx.Change(state, (fx.WriteLog("Demo", "hello"), fx.CopyText("copied")))
            case "busy":
                return replace(state, busy=not state.busy)
        assert event.name == STARTED, event
        return state


ROWS = (
    ("wifi", "Network and internet", "Wi-Fi, mobile, hotspot"),
    ("devices", "Connected devices", "Bluetooth, pairing"),
    ("apps", "Apps", "Default apps, permissions"),
    ("bell", "Notifications", "History, conversations"),
    ("battery", "Battery", "15 % - about 2 h left"),
    ("display", "Display", "Dark theme, font size"),
    ("volume", "Sound and vibration", "Volume, ring tone"),
    ("lock", "Security and privacy", "Screen lock, permissions"),
)


def listing(state: DemoState, context: Context) -> w.Screen:
    def translate(text: str) -> str:
        return CHINESE.get(text, text) if context.language == "zh" else text

    rows = tuple(
        w.ListItem(
            title=translate(title),
            subtitle=subtitle,
            leading=w.Icon(name=icon, id="android:id/icon"),
            on_tap=Event("tap", title),
            on_long_press=Event("ask") if i == 0 else None,
            key=f"{i}",
        )
        for i, (icon, title, subtitle) in enumerate(ROWS * 4)
    )
    search = w.Row(
        (w.Icon(name="search", color="text_2"), w.Text(text="Search settings", size=15, color="text_2")),
        gap=14,
        height=48,
        radius=24,
        padding=(16, 0),
        margin=(18, 8),
        background="surface_container",
        id="search_bar",
        on_tap=Event("form"),
    )
    head = w.Text(text=translate("Settings"), size=30, margin=(26, 28, 26, 8), id="title")
    dialog = None
    if state.asked:
        dialog = w.Dialog(
            "Battery low",
            "15 % left. Turn on battery saver to keep the phone on longer.",
            "battery",
            buttons=(
                w.Button(label="Ignore", style="text", on_tap=Event("answer", "ignore")),
                w.Button(label="Go to settings", on_tap=Event("answer", "settings")),
            ),
            on_dismiss=Event("answer", "dismissed"),
        )
    sheet = None
    if state.sorting:
        orders = ("Relevance", "Price", "Newest")
        choices = tuple(w.Radio(label=label, height=52, id=label) for label in orders)
        sheet = w.Sheet(w.Column(choices, padding=(24, 0)), "Sort by", on_dismiss=Event("sort", value=False))
    return w.Screen(
        w.ScrollList((head, search, *rows), id="recycler_view"),
        dialog=dialog,
        sheet=sheet,
        floating=w.FloatingButton(description="Sort", id="fab", on_tap=Event("sort")),
    )


def form(state: DemoState, context: Context) -> w.Screen:
    fields = (
        w.TextField(
            state.name, "Name", label="Email", id="name", action="next", on_change=Event("name"), focused=True
        ),
        w.TextField(
            state.secret,
            label="Password",
            kind="password",
            id="password",
            on_change=Event("secret"),
            on_submit=Event("submit"),
        ),
        w.Button(label="Continue", id="continue", on_tap=Event("submit")),
        w.Button(label="Forgot password?", style="text", on_tap=Event("tap", "forgot")),
    )
    if context.landscape:
        # Between other things with ids like Android's, so that a field has to be scrolled to.
        room = w.Spacer(height=300)
        content = w.Column((room, *fields, room), gap=24, id="android:id/list_container")
        return w.Screen(w.Scroll(child=content, id="android:id/scroll"))
    return w.Screen(
        w.Column(fields, gap=24, padding=(24, 40)), app_bar=w.AppBar(title="Sign in", navigation="back")
    )


def secret(state: DemoState, context: Context) -> w.Screen:
    return w.Screen(w.Text(text="Nobody may photograph this", padding=40), secure=True)


def controls(state: DemoState, context: Context) -> w.Screen:
    chips = w.Flow(
        (
            w.Chip(label="Sort", icon="sort", on_tap=Event("sort")),
            w.Chip(label="In stock", selected=True, on_tap=Event("tap", "chip")),
            w.Chip(label="Prints", outlined=False, on_tap=Event("tap", "prints")),
        )
    )
    avatar = w.Avatar(initial="A", color="#C4673A")
    body = w.Column(
        (
            w.Tabs(tabs=(w.Tab("First", Event("tap", "first")), w.Tab("Second", Event("tap", "second")))),
            chips,
            w.Row(
                (
                    w.Text(text="Use Wi-Fi", grow=1),
                    w.Switch(state.wifi, on_change=Event("wifi"), id="wifi", description="Wi-Fi"),
                )
            ),
            w.Checkbox(state.agreed, "In stock only", on_change=Event("agreed"), id="agreed"),
            w.Slider(state.volume, on_change=Event("volume"), id="volume"),
            w.Progress(value=0.3),
            *((w.Progress(),) if state.busy else ()),
            w.Card(child=w.Text(text=MANY_SCRIPTS, size=16), padding=16),
            w.Row(
                (
                    avatar,
                    w.Image(picture="none", width=64, height=64, radius=8),
                ),
                gap=12,
            ),
            w.Button(label="Tonal", style="tonal", icon="cart", on_tap=Event("later"), id="later"),
            w.Button(label="Outlined", style="outlined", on_tap=Event("busy"), id="busy"),
            w.Button(label="Off", enabled=False, on_tap=Event("tap", "off"), id="off"),
        ),
        gap=14,
        padding=(20, 8),
    )
    bar = w.BottomBar(
        tabs=(
            w.Tab("Home", Event("tap", "home"), "home"),
            w.Tab("Saved", Event("tap", "saved"), "heart", badge="3"),
            w.Tab("Cart", Event("tap", "cart"), "cart"),
        )
    )
    actions = (
        w.IconButton(icon="search", description="Search", on_tap=Event("tap", "search")),
        w.IconButton(icon="more", on_tap=Event("log"), id="nameless"),
    )
    return w.Screen(
        w.Scroll(child=body),
        app_bar=w.AppBar(title="Controls", navigation="menu", actions=actions),
        bottom_bar=bar,
    )
