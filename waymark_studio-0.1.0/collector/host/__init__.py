"""This computer: processes, sockets, locks, and the person's own folders; standard library only"""
