"""Android's key codes by name, meta states, and what a US keyboard needs to type a character."""

from __future__ import annotations

# KEYCODE_ names of codes 0 to 169, in order.
_NAMES_IN_ORDER = """
    UNKNOWN SOFT_LEFT SOFT_RIGHT HOME BACK CALL ENDCALL 0 1 2 3 4 5 6 7 8 9 STAR POUND DPAD_UP
    DPAD_DOWN DPAD_LEFT DPAD_RIGHT DPAD_CENTER VOLUME_UP VOLUME_DOWN POWER CAMERA CLEAR A B C D E
    F G H I J K L M N O P Q R S T U V W X Y Z COMMA PERIOD ALT_LEFT ALT_RIGHT SHIFT_LEFT
    SHIFT_RIGHT TAB SPACE SYM EXPLORER ENVELOPE ENTER DEL GRAVE MINUS EQUALS LEFT_BRACKET
    RIGHT_BRACKET BACKSLASH SEMICOLON APOSTROPHE SLASH AT NUM HEADSETHOOK FOCUS PLUS MENU
    NOTIFICATION SEARCH MEDIA_PLAY_PAUSE MEDIA_STOP MEDIA_NEXT MEDIA_PREVIOUS MEDIA_REWIND
    MEDIA_FAST_FORWARD MUTE PAGE_UP PAGE_DOWN PICTSYMBOLS SWITCH_CHARSET BUTTON_A BUTTON_B
    BUTTON_C BUTTON_X BUTTON_Y BUTTON_Z BUTTON_L1 BUTTON_R1 BUTTON_L2 BUTTON_R2 BUTTON_THUMBL
    BUTTON_THUMBR BUTTON_START BUTTON_SELECT BUTTON_MODE ESCAPE FORWARD_DEL CTRL_LEFT CTRL_RIGHT
    CAPS_LOCK SCROLL_LOCK META_LEFT META_RIGHT FUNCTION SYSRQ BREAK MOVE_HOME MOVE_END INSERT
    FORWARD MEDIA_PLAY MEDIA_PAUSE MEDIA_CLOSE MEDIA_EJECT MEDIA_RECORD F1 F2 F3 F4 F5 F6 F7 F8 F9
    F10 F11 F12 NUM_LOCK NUMPAD_0 NUMPAD_1 NUMPAD_2 NUMPAD_3 NUMPAD_4 NUMPAD_5 NUMPAD_6 NUMPAD_7
    NUMPAD_8 NUMPAD_9 NUMPAD_DIVIDE NUMPAD_MULTIPLY NUMPAD_SUBTRACT NUMPAD_ADD NUMPAD_DOT
    NUMPAD_COMMA NUMPAD_ENTER NUMPAD_EQUALS NUMPAD_LEFT_PAREN NUMPAD_RIGHT_PAREN VOLUME_MUTE INFO
    CHANNEL_UP CHANNEL_DOWN ZOOM_IN ZOOM_OUT
"""

# Those above that tools send.
_LATER = {
    "APP_SWITCH": 187,
    "LANGUAGE_SWITCH": 204,
    "CONTACTS": 207,
    "CALENDAR": 208,
    "MUSIC": 209,
    "CALCULATOR": 210,
    "ASSIST": 219,
    "BRIGHTNESS_DOWN": 220,
    "BRIGHTNESS_UP": 221,
    "SLEEP": 223,
    "WAKEUP": 224,
    "SOFT_SLEEP": 276,
    "CUT": 277,
    "COPY": 278,
    "PASTE": 279,
    "ALL_APPS": 284,
}

CODES: dict[str, int] = {name: code for code, name in enumerate(_NAMES_IN_ORDER.split())} | _LATER
NAMES: dict[int, str] = {code: name for name, code in CODES.items()}

META_SHIFT = 0x01
META_ALT = 0x02
META_CTRL = 0x1000
META_META = 0x10000

# The meta state a held modifier key adds.
MODIFIERS: dict[int, int] = {
    CODES["SHIFT_LEFT"]: META_SHIFT,
    CODES["SHIFT_RIGHT"]: META_SHIFT,
    CODES["ALT_LEFT"]: META_ALT,
    CODES["ALT_RIGHT"]: META_ALT,
    CODES["CTRL_LEFT"]: META_CTRL,
    CODES["CTRL_RIGHT"]: META_CTRL,
    CODES["META_LEFT"]: META_META,
    CODES["META_RIGHT"]: META_META,
}


def key_code(name: str) -> int:
    """The code of ``4``, ``BACK``, ``keycode_back`` or ``KEYCODE_BACK``; ValueError if there is none."""
    if name.isascii() and name.isdigit():
        return int(name)
    code = CODES.get(name.upper().removeprefix("KEYCODE_"))
    if code is None:
        raise ValueError(f"no such key: {name!r}")
    return code


_OF_ACTIONS = {"recents": "APP_SWITCH", "delete": "DEL", "up": "DPAD_UP", "down": "DPAD_DOWN",
               "left": "DPAD_LEFT", "right": "DPAD_RIGHT"}  # fmt: skip
_CTRL_A = (29, 0x1000)


def action_key(name: str) -> tuple[int, int]:
    """Code and meta state of a key of the action space, or ``code:<number>``; ValueError for others."""
    if name == "select_all":
        return _CTRL_A
    return int(name[5:]) if name.startswith("code:") else key_code(_OF_ACTIONS.get(name, name)), 0
