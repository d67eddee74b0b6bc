"""The files that the kernel of the virtual phone makes when they are read: processes, sockets, sensors."""
