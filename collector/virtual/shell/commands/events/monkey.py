"""``monkey``: open an app, and press and touch at random, the same for the same seed."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from collector.adb.keys import CODES
from collector.model.phone.touch import TouchAction
from collector.virtual.shell.commands.packages.intents import intent_text, intent_uri
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command
from collector.virtual.ui.effects import ACTION_MAIN, CATEGORY_LAUNCHER, Component, Intent

_START_SECONDS = 0.15
_LAUNCH_FLAGS = 0x10200000
_KINDS = ("touch", "motion", "pinchzoom", "trackball", "rotation", "permission", "nav", "majornav",
          "syskeys", "appswitch", "flip", "anyevent")  # fmt: skip
_SHARES = {"touch": 15, "motion": 10, "pinchzoom": 2, "trackball": 15, "nav": 25, "majornav": 15,
           "syskeys": 2, "appswitch": 2, "flip": 1, "anyevent": 13}  # fmt: skip
"""Kinds of events in the order in which monkey lists them, and how many of a hundred are of each kind."""
_NAVIGATION = ("DPAD_UP", "DPAD_DOWN", "DPAD_LEFT", "DPAD_RIGHT")
_MAJOR = ("MENU", "DPAD_CENTER")
_SYSTEM = ("HOME", "BACK", "VOLUME_UP", "VOLUME_DOWN", "VOLUME_MUTE")
_WITH_VALUE = frozenset({"-p", "-c", "-s", "--throttle", "--pkg-whitelist-file", "--pkg-blacklist-file"})
_USAGE = """usage: monkey [-p ALLOWED_PACKAGE [-p ALLOWED_PACKAGE] ...]
              [-c MAIN_CATEGORY [-c MAIN_CATEGORY] ...]
              [--ignore-crashes] [--ignore-timeouts]
              [--ignore-security-exceptions]
              [--monitor-native-crashes] [--ignore-native-crashes]
              [--kill-process-after-error] [--hprof]
              [--match-description TEXT]
              [--pct-touch PERCENT] [--pct-motion PERCENT]
              [--pct-trackball PERCENT] [--pct-syskeys PERCENT]
              [--pct-nav PERCENT] [--pct-majornav PERCENT]
              [--pct-appswitch PERCENT] [--pct-flip PERCENT]
              [--pct-anyevent PERCENT] [--pct-pinchzoom PERCENT]
              [--pct-permission PERCENT]
              [--pkg-blacklist-file PACKAGE_BLACKLIST_FILE]
              [--pkg-whitelist-file PACKAGE_WHITELIST_FILE]
              [--wait-dbg] [--dbg-no-events]
              [--setup scriptfile] [-f scriptfile [-f scriptfile] ...]
              [--port port]
              [-s SEED] [-v [-v] ...]
              [--throttle MILLISEC] [--randomize-throttle]
              [--profile-wait MILLISEC]
              [--device-sleep-time MILLISEC]
              [--randomize-script]
              [--script-log]
              [--bugreport]
              [--periodic-bugreport]
              [--permission-target-system]
              COUNT"""


@dataclass(slots=True)
class _Options:
    """What a command line asks for."""

    count: int
    packages: list[str] = field(default_factory=list)
    categories: list[str] = field(default_factory=list)
    seed: int = 0
    throttle: float = 0.0
    """Seconds between events."""
    verbose: int = 0
    shares: dict[str, int] = field(default_factory=lambda: dict(_SHARES))


def _read(words: list[str]) -> _Options:
    options, asked, rest, count = _Options(0), {}, list(words), ""
    while rest:
        word = rest.pop(0)
        if word in _WITH_VALUE or word.startswith("--pct-"):
            if not rest:
                raise _mistake(f'** Error: Argument expected after "{word}"')
            value = rest.pop(0)
            if word.startswith("--pct-"):
                asked[word.removeprefix("--pct-")] = _whole(word, value)
            else:
                _store(options, word, value)
        elif word.startswith("-v"):
            options.verbose += word.count("v")
        elif not word.startswith("-"):
            count = word
    if not count.isdecimal():
        raise _mistake("** Error: Count not specified")
    options.count = int(count)
    options.shares = _adjusted(asked)
    return options


def _mistake(reason: str) -> CommandError:
    return CommandError(f"{reason}\n{_USAGE}", 255)


def _whole(option: str, text: str) -> int:
    if not text.lstrip("-").isdecimal():
        raise _mistake(f"** Error: Invalid value for {option}: {text}")
    return int(text)


def _store(options: _Options, option: str, value: str) -> None:
    if option == "-p":
        options.packages.append(value)
    elif option == "-c":
        options.categories.append(value)
    elif option == "-s":
        options.seed = _whole(option, value)
    elif option == "--throttle":
        options.throttle = max(0, _whole(option, value)) / 1000


def _adjusted(asked: dict[str, int]) -> dict[str, int]:
    """Kinds that were asked for have their share; the others divide the rest as usual."""
    if not asked:
        return dict(_SHARES)
    left = 100 - sum(asked.values())
    others = {kind: share for kind, share in _SHARES.items() if kind not in asked}
    if left < 0 or (left and not others):
        raise CommandError("** Event weights do not add up to 100%", 255)
    whole = sum(others.values())
    return asked | {kind: share * left // whole for kind, share in others.items()}


@command("monkey")
def monkey(process: Process) -> int:
    """``-p PACKAGE -c CATEGORY 1`` opens an app; a larger count adds random events, by the seed ``-s``."""
    words = process.arguments
    options = _read(words)
    process.out("".join(f"  bash arg: {word}\n" for word in words))
    launchers = [
        package.launcher
        for package in process.machine.phone.packages
        if package.launcher and not package.is_home
        if package.package in options.packages or not options.packages
    ]
    if options.categories and CATEGORY_LAUNCHER not in options.categories:
        launchers = []
    if not launchers:
        process.err("** No activities found to run, monkey aborted.")
        return 252
    return _Run(process, options, launchers).run()


class _Run:
    """One run: its random numbers come from the seed alone."""

    def __init__(self, process: Process, options: _Options, launchers: list[Component]) -> None:
        self._process = process
        self._options = options
        self._launchers = launchers
        self._random = random.Random(options.seed)
        self._phone = process.machine.phone

    def run(self) -> int:
        """Inject the events and print what monkey prints."""
        process, options = self._process, self._options
        begun = self._phone.clock.uptime_ns
        if options.verbose:
            self._print_plan()
        process.simulate_duration(_START_SECONDS)
        kinds, weights = list(options.shares), list(options.shares.values())
        for number in range(options.count):
            kind = "appswitch" if number == 0 else self._random.choices(kinds, weights)[0]
            self._inject(kind)
            self._return_to_the_app()
            process.sleep(options.throttle)
        process.line(f"Events injected: {options.count}")
        if options.verbose:
            process.out(
                ":Sending rotation degree=0, persist=false\n"
                ":Dropped: keys=0 pointers=0 trackballs=0 flips=0 rotations=0\n"
            )
        passed = max(10, (self._phone.clock.uptime_ns - begun) // 1_000_000)
        process.line(
            f"## Network stats: elapsed time={passed}ms (0ms mobile, 0ms wifi, {passed}ms not connected)"
        )
        if options.verbose:
            process.line("// Monkey finished")
        return 0

    def _print_plan(self) -> None:
        process, options = self._process, self._options
        process.line(f":Monkey: seed={options.seed} count={options.count}")
        for package in options.packages:
            process.line(f":AllowPackage: {package}")
        for category in options.categories or (CATEGORY_LAUNCHER, "android.intent.category.MONKEY"):
            process.line(f":IncludeCategory: {category}")
        process.line("// Event percentages:")
        for number, kind in enumerate(_KINDS):
            process.line(f"//   {number}: {float(options.shares.get(kind, 0))}%")

    def _say(self, text: str, level: int = 1) -> None:
        if self._options.verbose >= level:
            self._process.line(text)

    def _inject(self, kind: str) -> None:
        if kind == "appswitch":
            self._launch(self._random.choice(self._launchers))
        elif kind in ("touch", "motion", "pinchzoom"):
            self._touch(moves=0 if kind == "touch" else self._random.randint(2, 9))
        elif kind in ("nav", "trackball"):
            self._key(self._random.choice(_NAVIGATION))
        elif kind == "majornav":
            self._key(self._random.choice(_MAJOR))
        elif kind == "syskeys":
            self._key(self._random.choice(_SYSTEM))
        elif kind == "anyevent":
            self._key(
                self._random.choice((*_NAVIGATION, *"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", "SPACE", "DEL"))
            )
        else:
            self._say(":Sending Flip keyboardOpen=false", 2)

    def _launch(self, component: Component) -> None:
        intent = Intent(ACTION_MAIN, component, categories=(CATEGORY_LAUNCHER,), flags=_LAUNCH_FLAGS)
        self._say(f":Switch: {intent_uri(intent).removeprefix('intent:')}")
        self._say(f"    // Allowing start of {intent_text(intent)} in package {component.package}")
        self._phone.start_activity(intent)

    def _touch(self, moves: int) -> None:
        size = self._phone.size
        x, y = self._random.randrange(size.width), self._random.randrange(size.height)
        self._say(f":Sending Touch (ACTION_DOWN): 0:({x}.0,{y}.0)")
        self._phone.touch(TouchAction.DOWN, 0, x, y)
        for _move in range(moves):
            x = min(max(x + self._random.randint(-60, 60), 0), size.width - 1)
            y = min(max(y + self._random.randint(-60, 60), 0), size.height - 1)
            self._say(f":Sending Touch (ACTION_MOVE): 0:({x}.0,{y}.0)", 2)
            self._phone.touch(TouchAction.MOVE, 0, x, y)
        self._say(f":Sending Touch (ACTION_UP): 0:({x}.0,{y}.0)")
        self._phone.touch(TouchAction.UP, 0, x, y)

    def _key(self, name: str) -> None:
        code = CODES[name]
        self._say(f":Sending Key (ACTION_DOWN): {code}    // KEYCODE_{name}")
        self._say(f":Sending Key (ACTION_UP): {code}    // KEYCODE_{name}")
        self._phone.key(code)

    def _return_to_the_app(self) -> None:
        """Stay within the allowed packages, as monkey does by refusing the start of all others."""
        front = self._phone.focused
        allowed = {component.package for component in self._launchers}
        if front is not None and front.package not in allowed and self._options.packages:
            self._say(f"    // Rejecting start of Intent {{ cmp={front.short} }} in package {front.package}")
            self._phone.start_activity(
                Intent(ACTION_MAIN, self._launchers[0], categories=(CATEGORY_LAUNCHER,), flags=_LAUNCH_FLAGS)
            )
