"""The phones of the window, in order: one is in front, and only phones that somebody needs have a link."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, Signal

from studio.bridge.phones.phone import PhoneLink

MakeLink = Callable[[str], PhoneLink]


class PhoneLinks(QObject):
    """Owns the links. A phone without one shows nothing, decodes nothing and is free for other programs.

    The phone in front always has its link, unless it was released. GUI thread; nothing waits for a phone.
    """

    changed = Signal()
    """Phones came or went, another is in front, or links were opened or closed."""
    front_changed = Signal(object)
    """The :class:`PhoneLink` of the phone in front, or None."""
    opened = Signal(object)
    """A link, before it is started."""
    closed = Signal(object)
    """A link that is closed now; its signals can still be disconnected."""

    def __init__(self, make_link: MakeLink, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._make_link = make_link
        self._links: dict[str, PhoneLink] = {}
        self._needs: dict[str, frozenset[str]] = {}
        self._released: set[str] = set()
        self.serials: tuple[str, ...] = ()
        """The phones of the window, from left to right."""
        self.front = ""
        """The phone in front; empty for none."""

    @property
    def current(self) -> PhoneLink | None:
        """The link of the phone in front; None without one."""
        return self._links.get(self.front)

    @property
    def others(self) -> tuple[PhoneLink, ...]:
        """The links of the phones that are not in front, in their order."""
        links = (self._links.get(serial) for serial in self.serials if serial != self.front)
        return tuple(link for link in links if link is not None)

    def link(self, serial: str) -> PhoneLink | None:
        """The link of a phone; None while it has none."""
        return self._links.get(serial)

    # -- commands ------------------------------------------------------------
    def use(self, serial: str, *, beside: bool = False) -> None:
        """Bring a phone to the front.

        A new one takes the place of a single phone that nobody needs, unless it is to stand ``beside`` it.
        """
        if serial == self.front and serial in self._links:
            return
        if serial not in self.serials:
            self._place(serial, beside=beside or len(self.serials) > 1 or self._is_needed(self.front))
        self.front = serial
        self._released.discard(serial)
        self._keep_needed(front_changed=True)

    def remove(self, serial: str) -> None:
        """Take a phone out of the window; the next one, or the one before it, comes to the front."""
        if serial not in self.serials:
            return
        place = self.serials.index(serial)
        self.serials = tuple(other for other in self.serials if other != serial)
        is_front = serial == self.front
        if is_front:
            self.front = self.serials[min(place, len(self.serials) - 1)] if self.serials else ""
        self._keep_needed(front_changed=is_front)

    def release(self, serial: str) -> None:
        """Close the link of a phone until it is used again; without need for it, it leaves the window."""
        if serial not in self.serials:
            return
        if not self._is_needed(serial):
            self.remove(serial)
            return
        self._released.add(serial)
        if self._close(serial):
            if serial == self.front:
                self.front_changed.emit(None)
            self.changed.emit()

    def renew(self) -> None:
        """Open all links anew, as with other settings."""
        for serial in tuple(self._links):
            self._close(serial)
        self._keep_needed(front_changed=True)

    def need(self, who: str, serials: Iterable[str]) -> None:
        """Say which phones ``who`` needs from now on: those of the window get links, the others lose them."""
        needed = frozenset(serials)
        if needed != self._needs.get(who, frozenset()):
            self._needs[who] = needed
            self._keep_needed(front_changed=False)

    def close(self) -> None:
        """Close all links, without a signal. At the end only."""
        for link in self._links.values():
            link.close()
        self._links.clear()
        self.serials, self.front = (), ""

    # -- inside --------------------------------------------------------------
    def _place(self, serial: str, *, beside: bool) -> None:
        order = list(self.serials)
        at = order.index(self.front) if self.front in order else len(order) - 1
        order[at + 1 : at + 1] = [serial]
        if not beside and self.front in order:
            order.remove(self.front)
        self.serials = tuple(order)

    def _is_needed(self, serial: str) -> bool:
        return any(serial in needed for needed in self._needs.values())

    def _keep_needed(self, *, front_changed: bool) -> None:
        """Close the links that nobody needs, and open those that somebody does."""
        self._released &= set(self.serials)
        wanted = [
            serial
            for serial in self.serials
            if (serial == self.front or self._is_needed(serial)) and serial not in self._released
        ]
        closed = [serial for serial in self._links if serial not in wanted]
        for serial in closed:
            self._close(serial)
        missing = [serial for serial in wanted if serial not in self._links]
        new = {serial: self._make_link(serial) for serial in missing}
        self._links |= new
        for link in new.values():
            self.opened.emit(link)
        if front_changed or self.front in new:
            self.front_changed.emit(self.current)
        for serial, link in new.items():
            if self._links.get(serial) is link:  # nobody closed it again meanwhile
                link.start()
        if front_changed or closed or new:
            self.changed.emit()

    def _close(self, serial: str) -> bool:
        link = self._links.pop(serial, None)
        if link is not None:
            link.close()
            self.closed.emit(link)
            link.deleteLater()
        return link is not None
