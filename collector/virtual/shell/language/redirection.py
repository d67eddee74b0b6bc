"""Redirects: what the descriptors of a command read from and write to."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace

from collector.virtual.shell.files import Files
from collector.virtual.shell.kernel_files.endless_files import EndlessReader, endless_file
from collector.virtual.shell.language.expansion import Expander
from collector.virtual.shell.language.jobs import Coprocess
from collector.virtual.shell.language.syntax import Redirect
from collector.virtual.shell.named_pipes import NamedPipeEnd
from collector.virtual.shell.pipes import (
    BytesReader,
    FileWriter,
    InputPipe,
    LineReader,
    NullPipe,
    OpenFile,
    Streams,
    Writer,
)
from collector.virtual.shell.process import encode

_STANDARD = {0: "stdin", 1: "stdout", 2: "stderr"}


class RedirectError(Exception):
    """A redirect fails; the message is what the shell prints after its name."""


class Redirection:
    """Carries out the redirects of one shell."""

    def __init__(
        self,
        files: Files,
        expander: Expander,
        place: Callable[[str], str],
        keeps: bool,
        coprocess: Coprocess | None,
    ) -> None:
        self._files = files
        self._expander = expander
        self._place = place
        self._keeps = keeps
        """Whether ``>`` may not replace a file (``set -C``)."""
        self._coprocess = coprocess

    def redirected(self, redirect: Redirect, streams: Streams) -> Streams:
        """The descriptors after one redirect; RedirectError when it fails."""
        target = self._expander.text(redirect.target)
        descriptor, operator = redirect.descriptor, redirect.operator
        if operator in (">&", "<&"):
            return self._duplicated(descriptor, operator, target, streams)
        if operator == "<<":
            return connected(streams, descriptor, BytesReader(encode(target)))
        if operator == "<<<":
            return connected(streams, descriptor, BytesReader(encode(target + "\n")))
        if operator == "<":
            return connected(streams, descriptor, self._open(target))
        writer = self._create(target, streams, operator)
        if operator.startswith("&"):
            return replace(streams, stdout=writer, stderr=writer)
        return connected(streams, descriptor, writer)

    def _duplicated(self, descriptor: int, operator: str, target: str, streams: Streams) -> Streams:
        if target == "-":
            if self._coprocess and streams.more.get(descriptor) is self._coprocess.to_it:
                self._coprocess.to_it.close_writing()
            return connected(streams, descriptor, None)
        source: InputPipe | Writer | None = None
        if target == "p" and self._coprocess:
            source = self._coprocess.to_it if operator == ">&" else self._coprocess.from_it
        elif target.isdecimal() and len(target) < 4:
            source = stream_of(streams, int(target))
        if source is None:
            reason = "no coprocess" if target == "p" else "bad file descriptor"
            raise RedirectError(f"{operator}{target} : {reason}")
        return connected(streams, descriptor, source)

    def _open(self, name: str) -> InputPipe:
        if name == "/dev/null":
            return NullPipe()
        path = self._place(name)
        if endless := endless_file(path):
            return EndlessReader(endless)
        try:
            if pipe := self._files.named_pipe(path):
                return pipe.open(reading=True)
            return LineReader(BytesReader(self._files.read(path)))
        except OSError as error:
            raise RedirectError(f"can't open {name}: {os.strerror(error.errno or 0)}") from error

    def _create(self, name: str, streams: Streams, operator: str) -> Writer:
        if name == "/dev/null":
            return NullPipe()
        if name in ("/dev/stdout", "/dev/tty", "/proc/self/fd/1"):
            return streams.stdout
        if name in ("/dev/stderr", "/proc/self/fd/2"):
            return streams.stderr
        path = self._place(name)
        try:
            if self._keeps and operator == ">" and self._files.exists(path):
                raise RedirectError(f"can't create {name}: File exists")
            both = operator == "<>"
            if pipe := self._files.named_pipe(path):
                return pipe.open(reading=both, writing=True)
            if both:
                return OpenFile(self._files, path)
            return FileWriter(self._files, path, append=operator.endswith(">>"))
        except OSError as error:
            raise RedirectError(f"can't create {name}: {os.strerror(error.errno or 0)}") from error


def close_pipes(streams: Streams, before: Streams) -> None:
    """Close the named pipes that a command had open, but for those that are open around it."""
    kept = {id(stream) for stream in _all_of(before)}
    for stream in _all_of(streams):
        if isinstance(stream, NamedPipeEnd) and id(stream) not in kept:
            stream.close()


def _all_of(streams: Streams) -> tuple[InputPipe | Writer, ...]:
    return streams.stdin, streams.stdout, streams.stderr, *streams.more.values()


def stream_of(streams: Streams, descriptor: int) -> InputPipe | Writer | None:
    """What a descriptor is connected to; None when it is closed."""
    if descriptor in _STANDARD:
        stream: InputPipe | Writer = getattr(streams, _STANDARD[descriptor])
        return stream
    return streams.more.get(descriptor)


def connected(streams: Streams, descriptor: int, stream: InputPipe | Writer | None) -> Streams:
    """The streams with one descriptor connected anew, or closed."""
    if descriptor == 0:
        return replace(streams, stdin=stream if isinstance(stream, InputPipe) else NullPipe())
    if descriptor in (1, 2):
        writer = stream if isinstance(stream, Writer) else NullPipe()
        return replace(streams, stdout=writer) if descriptor == 1 else replace(streams, stderr=writer)
    more = {number: other for number, other in streams.more.items() if number != descriptor}
    more = more if stream is None else more | {descriptor: stream}
    return replace(streams, more=more, private=streams.private - {descriptor})
