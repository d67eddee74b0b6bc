"""``cp``, ``mv``, ``ln``, ``dd`` and ``tee``."""

from __future__ import annotations

import posixpath

from collector.virtual.shell.commands.files.files import reason
from collector.virtual.shell.kernel_files.endless_files import endless_file
from collector.virtual.shell.options import read_options
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command


@command("cp")
def cp(process: Process) -> int:
    """Copy files; ``-r`` copies folders."""
    options = read_options("cp", process.arguments, "rRapfiLPdHvnu")
    deep = any(letter in options for letter in "rRa")
    status = 0
    for source, target in _pairs(process, options.operands):
        try:
            _copy(process, source, target, deep=deep)
        except OSError as error:
            source_failed = error.filename == process.path(source)
            process.err(
                f"cp: bad '{source}': {reason(error)}" if source_failed else f"cp: {target}: {reason(error)}"
            )
            status = 1
    return status


def _pairs(process: Process, operands: list[str]) -> list[tuple[str, str]]:
    if len(operands) < 2:
        raise CommandError(f'{process.name}: Needs 2 arguments (see "{process.name} --help")')
    *sources, target = operands
    files = process.machine.files
    into = files.exists(process.path(target)) and files.entry(process.path(target)).is_directory
    if len(sources) > 1 and not into:
        raise CommandError(f"{process.name}: '{target}' not directory")
    if not into:
        return [(sources[0], target)]
    return [(source, f"{target.rstrip('/')}/{posixpath.basename(source.rstrip('/'))}") for source in sources]


def _copy(process: Process, source: str, target: str, *, deep: bool) -> None:
    files = process.machine.files
    origin = process.path(source)
    entry = files.entry(origin)
    if not entry.is_directory:
        files.write(process.path(target), files.read(origin))
        return
    if not deep:
        raise CommandError(f"cp: Skipped dir '{source}'")
    files.make_directory(process.path(target), parents=True)
    for name, _child in files.list(origin):
        _copy(process, f"{source.rstrip('/')}/{name}", f"{target.rstrip('/')}/{name}", deep=True)


@command("mv")
def mv(process: Process) -> int:
    """Rename files and folders."""
    options = read_options("mv", process.arguments, "finv")
    status = 0
    for source, target in _pairs(process, options.operands):
        try:
            process.machine.files.move(process.path(source), process.path(target))
        except OSError as error:
            source_failed = error.filename == process.path(source)
            process.err(
                f"mv: bad '{source}': {reason(error)}" if source_failed else f"mv: {target}: {reason(error)}"
            )
            status = 1
    return status


@command("ln")
def ln(process: Process) -> int:
    """Make symbolic links."""
    options = read_options("ln", process.arguments, "sfnv")
    if len(options.operands) != 2:
        raise CommandError('ln: Needs 2 arguments (see "ln --help")')
    target, name = options.operands
    path = process.path(name)
    if "f" in options and process.machine.files.exists(path):
        process.machine.files.remove(path)
    process.machine.files.link(target, path)
    return 0


@command("tee")
def tee(process: Process) -> int:
    """Copy stdin to stdout and to files."""
    options = read_options("tee", process.arguments, "ai")
    paths = [process.path(name) for name in options.operands]
    for path in paths:
        process.machine.files.write(path, b"", append="a" in options)
    while part := process.stdin.read():
        process.stdout.write(part)
        for path in paths:
            process.machine.files.write(path, part, append=True)
    return 0


@command("dd")
def dd(process: Process) -> int:
    """Copy ``count`` blocks of ``bs`` bytes from ``if=`` to ``of=``."""
    settings = dict(word.split("=", 1) for word in process.arguments if "=" in word)
    units = {"k": 1024, "K": 1024, "m": 1 << 20, "M": 1 << 20}
    size_text = settings.get("bs", "512")
    try:
        size = int(size_text.rstrip("kKmM")) * units.get(size_text[-1:], 1)
        count = int(settings.get("count", "-1"))
    except ValueError:
        raise CommandError("dd: bad number") from None
    endless = endless_file(settings.get("if", ""))
    if endless is not None:
        if not 0 <= size * count <= process.machine.files.capacity:
            raise CommandError(f"dd: {settings.get('of', 'stdout')}: No space left on device")
        data = endless(size * count)
    else:
        data = (
            process.machine.files.read(process.path(settings["if"])) if "if" in settings else process.input()
        )
        data = data if count < 0 else data[: size * count]
    if "of" in settings:
        process.machine.files.write(process.path(settings["of"]), data)
    else:
        process.stdout.write(data)
    full, part = divmod(len(data), size)
    process.err(
        f"{full}+{int(part > 0)} records in\n{full}+{int(part > 0)} records out\n{len(data)} bytes copied"
    )
    return 0
