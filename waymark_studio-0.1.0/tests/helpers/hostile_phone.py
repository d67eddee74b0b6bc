"""A phone behind a hostile adb server that answers what a real one does, but for what a test replaces."""

from __future__ import annotations

import io
from collections.abc import Mapping

from PIL import Image

from collector.adb.smart_socket import OKAY
from tests.helpers.hostile_adb import Answer, held, shell

APP = "com.example.shop"
NODE = (
    f'<node index="0" text="Buy" resource-id="{APP}:id/buy" class="android.widget.Button" package="{APP}" '
    'content-desc="" clickable="true" bounds="[10,10][110,110]" />'
)
TREE = f'<hierarchy rotation="0">{NODE}</hierarchy>'.encode()


def picture(width: int = 120, height: int = 240) -> bytes:
    """A PNG in two colours."""
    image, file = Image.new("RGB", (width, height), "white"), io.BytesIO()
    image.paste("navy", (0, 0, width // 2, height // 2))
    image.save(file, "PNG")
    return file.getvalue()


WELL: Mapping[str, Answer] = {
    "shell,v2,raw:getprop": shell(b"[ro.product.model]: [Pixel 7]\n[ro.serialno]: [P7]\n"),
    "shell,v2,raw:getprop sys.boot_completed": shell(b"1\npackage:/system/framework.apk\n"),
    "shell,v2,raw:getprop ro.serialno": shell(b"P7\n\nboot-1\n"),
    "shell,v2,raw:wm size": shell(b"Physical size: 120x240\nPhysical density: 160\n orientation=0\n"),
    "shell,v2,raw:dumpsys window": shell(f"mCurrentFocus=Window{{1 u0 {APP}/{APP}.Main}}\n".encode()),
    "shell,v2,raw:dumpsys battery": shell(b"  level: 80\n"),
    "shell,v2,raw:settings get": shell(b"com.example.keyboard/.Keyboard\n"),
    "shell,v2,raw:pm clear": shell(b"Success\n"),
    "shell,v2,raw:cmd package resolve-activity": shell(f"{APP}/.Main\n".encode()),
    "shell,v2,raw:rm -f": shell(b"UI hierchary dumped to: /data/local/tmp/x.xml\n"),
    "shell,v2,pty:getevent": held(OKAY),
    "exec:cat": OKAY + TREE,
    "exec:screencap": OKAY + picture(),
    "exec:CLASSPATH": OKAY + b"ERROR: this phone has no scrcpy\n",
    "exec:screenrecord": OKAY,
    "sync:": OKAY + OKAY + bytes(4),
}
"""A phone without scrcpy and screenrecord, whose screen never changes."""
