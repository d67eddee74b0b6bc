"""``dumpsys input``: the devices, the screen that touches reach, and the window that has the focus."""

from __future__ import annotations

import hashlib

from collector.virtual.shell.commands.dumpsys.window.records import front_record
from collector.virtual.shell.input_nodes import EventDevice
from collector.virtual.shell.process import Process
from collector.virtual.system.phone_state.input_log import window_token

PHYSICAL_DISPLAY = 4619827259835644672
_VIRTUAL = EventDevice("<virtual>", "Virtual", 0, "")
_GENERIC = "/system/usr/keylayout/Generic.kl", "/system/usr/keychars/Generic.kcm"


def dump_input(process: Process, words: list[str]) -> int:
    """What InputManagerService prints; older tools read the screen's orientation of it."""
    del words
    phone = process.machine.phone
    awake = str(phone.awake).lower()
    touches = "true" if phone.settings.get("system", "show_touches") == "1" else "false"
    process.out(
        f"INPUT MANAGER (dumpsys input)\n\nInput Manager State:\n  Interactive: {awake}\n"
        "  System UI Lights Out: false\n"
        f"  Pointer Speed: {phone.settings.get('system', 'pointer_speed') or 0}\n"
        f"  Pointer Gestures Enabled: true\n  Show Touches: {touches}\n"
        "  Pointer Capture: Disabled, seq=0\n\nEvent Hub State:\n  BuiltInKeyboardId: -2\n  Devices:\n"
    )
    for number, device in enumerate(process.machine.input_nodes.devices, 1):
        _print_device(process, number, device, device.classes)
    _print_device(process, -1, _VIRTUAL, "KEYBOARD | ALPHAKEY | DPAD | VIRTUAL")
    _print_reader(process)
    _print_dispatcher(process)
    return 0


def _print_device(process: Process, number: int, device: EventDevice, classes: str) -> None:
    name, path, (layout, characters) = device.name, device.path, _GENERIC
    if number < 0:
        characters = characters.replace("Generic", "Virtual")
    descriptor = hashlib.sha1(name.encode(), usedforsecurity=False).hexdigest()
    process.out(
        f"    {number}: {name}\n      Classes: {classes}\n      Path: {path}\n      Enabled: true\n"
        f"      Descriptor: {descriptor}\n      Location: {device.location}\n      ControllerNumber: 0\n"
        f"      UniqueId: {path if number < 0 else ''}\n"
        f"      Identifier: bus=0x{device.bus:04x}, vendor=0x{device.vendor:04x}, "
        f"product=0x{device.product:04x}, version=0x{device.version:04x}\n"
        f"      KeyLayoutFile: {layout}\n      KeyCharacterMapFile: {characters}\n"
        "      ConfigurationFile: \n"
    )


def _print_reader(process: Process) -> None:
    phone = process.machine.phone
    size, turn = phone.size, phone.rotation
    nodes = process.machine.input_nodes
    screen = nodes.screen
    if screen is None:
        process.out("\nInput Reader State:\n")
        return
    process.out(
        f"\nInput Reader State:\n  Device {nodes.devices.index(screen) + 1}: {screen.name}\n"
        "    Touch Input Mapper (mode - DIRECT):\n"
        f"      Viewport INTERNAL: displayId=0, uniqueId=local:{PHYSICAL_DISPLAY}, port=0, "
        f"orientation={turn}, logicalFrame=[0, 0, {size.width}, {size.height}]\n"
        f"      SurfaceWidth: {size.width}px\n      SurfaceHeight: {size.height}px\n"
        f"      SurfaceOrientation: {turn}\n"
    )


def _print_dispatcher(process: Process) -> None:
    phone = process.machine.phone
    stack, title = phone.stack(), phone.focused_window
    process.out(
        "\nInput Dispatcher State:\n  DispatchEnabled: true\n  DispatchFrozen: false\n"
        "  InputFilterEnabled: false\n  FocusedDisplayId: 0\n"
    )
    if stack:
        name = front_record(phone)
        timeout = f"{phone.profile.input_timeout * 1000:.0f}ms"
        process.out(f"  FocusedApplications:\n    displayId=0, name='{name}', dispatchingTimeout={timeout}\n")
    else:
        process.line("  FocusedApplications: <none>")
    if title:
        window = f"{window_token(title)} {title}"
        process.out(
            f"  FocusedWindows:\n    displayId=0, name='{window}'\n"
            f"  FocusRequests:\n    displayId=0, name='{window}' result='OK'\n"
        )
    else:
        process.out("  FocusedWindows: <none>\n  FocusRequests: <none>\n")
    process.out(
        "  Pointer Capture Requested: false\n  Current Window with Pointer Capture: None\n"
        "  TouchStatesByDisplay: <no displays touched>\n  Display: 0\n"
        f"    logicalSize={phone.size.width}x{phone.size.height}\n    Windows:\n"
    )
    for number, (name, _kind, package, frame) in enumerate(reversed(phone.windows())):
        left, top, right, bottom = frame
        process.line(
            f"      {number}: name={window_token(name)} {name}, displayId=0, alpha=1.00, "
            f"frame=[{left},{top}][{right},{bottom}], globalScale=1.000000, applicationInfo.name={package}"
        )
    process.out(
        "  PendingEvent: <none>\n  InboundQueue: <empty>\n  CommandQueue: <empty>\n"
        "  Configuration:\n    KeyRepeatDelay: 50ms\n    KeyRepeatTimeout: 400ms\n"
    )
