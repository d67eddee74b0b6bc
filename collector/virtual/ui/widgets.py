"""The widgets a view is made of: plain frozen values, sizes in dp, colours by role.

A colour is a role of the app's :class:`~collector.virtual.ui.theme.Theme` (``"primary"``,
``"text_2"``) or ``"#RRGGBB"`` / ``"#AARRGGBB"``. ``on_*`` fields hold the
:class:`~collector.virtual.ui.events.Event` sent to the app. Composite widgets at the end
are drawn by expanding them into the primitives at the start.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

from collector.virtual.ui.events import Event
from collector.virtual.ui.window_style import PLAIN_STYLE, WindowStyle

FILL: float = -1.0
"""Width or height: all the space of the parent."""

Insets = float | tuple[float, float] | tuple[float, float, float, float]
"""All sides, or (horizontal, vertical), or (left, top, right, bottom), in dp."""

Align = Literal["start", "center", "end", "stretch"]
Arrange = Literal["start", "center", "end", "between"]
TextAlign = Literal["start", "center", "end"]
FieldKind = Literal["text", "password", "number", "email", "multiline"]
ImeAction = Literal["done", "search", "send", "next", "go"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Widget:
    """Properties of every widget.

    ``id`` becomes ``package:id/<id>`` in the tree; an id with a colon stays unchanged. ``key`` names the
    widget among its siblings, so that it keeps scroll position and focus when the view changes; without
    a key the id is used.
    """

    id: str = ""
    key: str = ""
    description: str = ""
    """content-desc of the node."""
    on_tap: Event | None = None
    on_long_press: Event | None = None
    """Sent with the position in shares."""
    on_double_tap: Event | None = None
    """Sent after the second tap, with the position in shares; ``on_tap`` is also sent for each of the
    two."""
    on_pinch: Event | None = None
    """Sent with a :class:`~collector.virtual.ui.events.Pinch` while two fingers or a drag move on it."""
    on_drag: Event | None = None
    """Sent with a :class:`~collector.virtual.ui.events.Drag` from a long press until the finger lifts."""
    on_trace: Event | None = None
    """Sent with a :class:`~collector.virtual.ui.events.Trace` at each place of a finger, until it lifts."""
    on_gesture: Event | None = None
    """Sent with a :class:`~collector.virtual.ui.events.WholeGesture` when the finger lifts: the widget takes
    every touch on it, also those at the edges that the system would take."""
    width: float | None = None
    """dp, FILL, or None for the size of the content."""
    height: float | None = None
    grow: float = 0.0
    """Share of the remaining space in a row or column."""
    padding: Insets = 0.0
    margin: Insets = 0.0
    background: str | None = None
    radius: float | tuple[float, float, float, float] = 0.0
    """Corner radius, or one for each corner from top left clockwise."""
    border: str | None = None
    border_width: float = 1.0
    elevation: float = 0.0
    enabled: bool = True
    selected: bool = False
    align_self: Align | None = None
    magnified: float = 1.0
    """Size of it and of all in it, as a multiple of the usual one."""
    mirrors: bool = True
    """Whether its children, or lines of text, begin at the right where all does; those of a map do not."""
    class_name: str = ""
    """Android class in the tree, when it differs from the widget's own."""


# ---- containers ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Column(Widget):
    """Children below each other; as wide as the column unless ``align`` or their own width differs."""

    children: tuple[Widget, ...] = ()
    gap: float = 0.0
    align: Align = "stretch"
    arrange: Arrange = "start"


@dataclass(frozen=True, slots=True)
class Row(Widget):
    """Children beside each other."""

    children: tuple[Widget, ...] = ()
    gap: float = 0.0
    align: Align = "center"
    arrange: Arrange = "start"


@dataclass(frozen=True, slots=True)
class Flow(Widget):
    """Children side by side, wrapped into new lines."""

    children: tuple[Widget, ...] = ()
    gap: float = 8.0
    line_gap: float = 8.0


@dataclass(frozen=True, slots=True)
class Grid(Widget):
    """Children in equal columns, filled row by row."""

    children: tuple[Widget, ...] = ()
    columns: int = 2
    gap: float = 8.0
    line_gap: float = 8.0


@dataclass(frozen=True, slots=True)
class Stack(Widget):
    """Children on top of each other, the last in front, each placed in the whole stack.

    ``at`` places children smaller than the stack: (horizontal, vertical).
    """

    children: tuple[Widget, ...] = ()
    at: tuple[Align, Align] = ("start", "start")


@dataclass(frozen=True, slots=True)
class ScrollList(Widget):
    """A list that scrolls (a RecyclerView); ``horizontal`` for a strip.

    ``from_end`` keeps the last item in view when the list grows, as a chat does.
    """

    children: tuple[Widget, ...] = ()
    gap: float = 0.0
    horizontal: bool = False
    from_end: bool = False
    ordered: bool = False
    """Whether the order of its children means something: noise leaves it as it is."""


@dataclass(frozen=True, slots=True)
class Scroll(Widget):
    """Content that scrolls when it is taller than its area (a ScrollView)."""

    child: Widget = Widget()
    start: float = 0.0
    """Share of the content above the area until somebody scrolls."""


# ---- leaves --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Text(Widget):
    """A text. ``size`` in sp, so the font scale applies."""

    text: str = ""
    size: float = 14.0
    color: str = "text"
    bold: bool = False
    italic: bool = False
    mono: bool = False
    strike: bool = False
    underline: bool = False
    align: TextAlign = "start"
    max_lines: int = 0
    """0 means unlimited; text that does not fit ends in an ellipsis."""
    line_height: float = 1.35
    """As a multiple of the font size."""
    spans: tuple[Span, ...] = ()
    """Parts with another colour or weight; together they cover ``text``."""


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a text with its own style."""

    text: str
    color: str | None = None
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Icon(Widget):
    """A line icon, 24 dp by default; names in :mod:`collector.virtual.ui.drawing.icons`."""

    name: str = ""
    size: float = 24.0
    color: str = "text"
    filled: bool = False


@dataclass(frozen=True, slots=True)
class Image(Widget):
    """A picture drawn by the function of its name in :mod:`collector.virtual.ui.drawing.pictures`."""

    picture: str = ""
    argument: str = ""
    """Argument of the drawing code, such as a route's name or a colour."""
    zoom: float = 1.0
    """Zoom factor; the widget then shows a part of the picture."""
    center: tuple[float, float] = (0.5, 0.5)
    """The point of the picture in the middle of the widget, in shares."""


@dataclass(frozen=True, slots=True)
class Divider(Widget):
    """A hairline."""

    color: str = "outline"
    thickness: float = 1.0


@dataclass(frozen=True, slots=True)
class Spacer(Widget):
    """Empty space: a fixed width or height, or ``grow``; never a node."""


@dataclass(frozen=True, slots=True)
class TextField(Widget):
    """A field the person types into; ``on_change`` carries the new text, ``on_submit`` too.

    The phone keeps caret and selection; the text is the app's. ``label`` floats on the outline
    of the ``outlined`` style; ``filled`` is a rounded box, ``plain`` has no box of its own.
    """

    text: str = ""
    hint: str = ""
    label: str = ""
    kind: FieldKind = "text"
    style: Literal["outlined", "filled", "plain", "unseen"] = "outlined"
    """``unseen`` is drawn only while it has a text: what is below it shows an empty one."""
    action: ImeAction = "done"
    on_change: Event | None = None
    on_submit: Event | None = None
    size: float = 15.0
    focused: bool = False
    """Takes the focus when the screen first shows it."""
    suggestions: tuple[str, ...] = ()
    """Words the keyboard offers above its keys while this field has the focus."""
    mono: bool = False
    wrap: bool = True
    """False gives a multi-line field the width of its longest line, for a horizontal list around it."""
    spans: tuple[Span, ...] = ()
    """Coloured parts of a multi-line text; together they cover ``text``."""
    marks: tuple[tuple[int, int], ...] = ()
    """Marked ranges (start, end) of a text that does not wrap; the first one is the chosen one."""


@dataclass(frozen=True, slots=True)
class Switch(Widget):
    """On or off; ``on_change`` carries the new bool. Without ``on_change`` the row around it takes the
    tap."""

    checked: bool = False
    on_change: Event | None = None


@dataclass(frozen=True, slots=True)
class Checkbox(Widget):
    """A checkbox with an optional label; ``on_change`` carries the new bool."""

    checked: bool = False
    label: str = ""
    on_change: Event | None = None


@dataclass(frozen=True, slots=True)
class Radio(Widget):
    """One choice of several; ``on_change`` carries True."""

    checked: bool = False
    label: str = ""
    on_change: Event | None = None


@dataclass(frozen=True, slots=True)
class Slider(Widget):
    """A value from ``low`` to ``high``; ``on_change`` carries the new float, rounded to ``step``."""

    value: float = 0.0
    low: float = 0.0
    high: float = 1.0
    step: float = 0.0
    on_change: Event | None = None


@dataclass(frozen=True, slots=True)
class Progress(Widget):
    """A bar showing a share from 0 to 1, or a turning circle when ``value`` is None.

    The circle moves all the time: a screen with one never becomes idle, as on a phone.
    """

    value: float | None = None
    color: str = "primary"


# ---- composites ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Button(Widget):
    """A pill with a label and an optional icon in front."""

    label: str = ""
    icon: str = ""
    style: Literal["filled", "tonal", "outlined", "text"] = "filled"


@dataclass(frozen=True, slots=True)
class IconButton(Widget):
    """A 48 dp touch target around an icon. Give it a ``description``."""

    icon: str = ""
    color: str = "text"
    filled: bool = False


@dataclass(frozen=True, slots=True)
class Chip(Widget):
    """A small pill that filters or suggests; ``selected`` fills it."""

    label: str = ""
    icon: str = ""
    outlined: bool = True


@dataclass(frozen=True, slots=True)
class Card(Widget):
    """A rounded box around one child."""

    child: Widget = Widget()


@dataclass(frozen=True, slots=True)
class ListItem(Widget):
    """A row of a list: a leading widget, a title, a second line, a trailing widget."""

    title: str = ""
    subtitle: str = ""
    leading: Widget | None = None
    trailing: Widget | None = None
    title_id: str = "android:id/title"
    subtitle_id: str = "android:id/summary"
    strike: bool = False


@dataclass(frozen=True, slots=True)
class Avatar(Widget):
    """A coloured circle with an initial."""

    initial: str = ""
    color: str = "primary"
    size: float = 40.0


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab of :class:`Tabs` or :class:`BottomBar`; only the bar shows ``icon``."""

    label: str
    on_tap: Event
    icon: str = ""
    id: str = ""
    badge: str = ""


@dataclass(frozen=True, slots=True)
class Tabs(Widget):
    """A row of tabs, one of them selected."""

    tabs: tuple[Tab, ...] = ()
    chosen: int = 0


@dataclass(frozen=True, slots=True)
class BottomBar(Widget):
    """The 80 dp bar of destinations at the bottom of a screen."""

    tabs: tuple[Tab, ...] = ()
    chosen: int = 0


@dataclass(frozen=True, slots=True)
class AppBar(Widget):
    """The 56 dp bar at the top: navigation icon, title or another widget instead, actions."""

    title: str = ""
    subtitle: str = ""
    navigation: Literal["none", "back", "menu", "close"] = "none"
    on_navigation: Event | None = None
    """Sent by the navigation icon; ``back`` without an event acts like the BACK key."""
    middle: Widget | None = None
    leading: Widget | None = None
    actions: tuple[Widget, ...] = ()


@dataclass(frozen=True, slots=True)
class FloatingButton(Widget):
    """The 56 dp button over the content. Put it in :attr:`Screen.floating`."""

    icon: str = "plus"
    label: str = ""


# ---- windows -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Dialog:
    """A window over the screen with a 42 % scrim; taps outside and BACK send ``on_dismiss``."""

    title: str = ""
    message: str = ""
    icon: str = ""
    body: Widget | None = None
    buttons: tuple[Button, ...] = ()
    stacked: bool = False
    """Lay the buttons below each other, as wide as the dialog."""
    on_dismiss: Event | None = None
    """None keeps the dialog open until a button is pressed."""
    id: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A window that rises from the bottom with a grip; taps outside and BACK send ``on_dismiss``."""

    body: Widget
    title: str = ""
    on_dismiss: Event | None = None
    id: str = ""


@dataclass(frozen=True, slots=True)
class Screen:
    """The result of a view: the content of one activity's window and what floats over it."""

    content: Widget
    app_bar: AppBar | None = None
    bottom_bar: Widget | None = None
    floating: FloatingButton | None = None
    dialog: Dialog | None = None
    sheet: Sheet | None = None
    background: str = "surface"
    status_bar: Literal["auto", "light", "dark"] = "auto"
    """Colour of the status icons; auto contrasts with the background."""
    behind_bars: bool = False
    """The content extends under the status bar, as with a picture at the top."""
    on_back: Event | None = None
    """Sent by the BACK key; None finishes the activity."""
    on_outside: Event | None = None
    """Sent by a tap beside an activity that floats; None acts like the BACK key."""
    window: WindowStyle = PLAIN_STYLE
    """How an activity that floats differs from others."""
    secure: bool = False
    """FLAG_SECURE: captures are black while the tree stays readable."""
    immersive: bool = False
    """Neither the system's bars nor the keyboard are drawn over it; fields take text all the same."""
    keys: frozenset[int] = frozenset()
    """Key codes that it takes before the system does; sent by ``on_key``."""
    on_key: Event | None = None
    """Sent with the code of each key in ``keys``, and of those that nothing else takes."""
    hierarchy: bytes = b""
    """The dump of its window, where it is another than that of its widgets."""


def has_field(view: object) -> bool:
    """Whether a screen, a widget or one of several is a text field or holds one, be it in a dialog."""
    if isinstance(view, tuple):
        return any(map(has_field, view))
    if not isinstance(view, Widget | Screen | Dialog | Sheet):
        return False
    return isinstance(view, TextField) or any(has_field(getattr(view, name)) for name in _parts(view))


_parts_by_kind: dict[type, tuple[str, ...]] = {}


def _parts(view: Widget | Screen | Dialog | Sheet) -> tuple[str, ...]:
    """The names of what may hold widgets: none of the properties that all widgets have."""
    kind = type(view)
    if kind not in _parts_by_kind:
        common = {field.name for field in fields(Widget)}
        _parts_by_kind[kind] = tuple(field.name for field in fields(view) if field.name not in common)
    return _parts_by_kind[kind]
