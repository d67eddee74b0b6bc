"""Workers run episodes, each on one phone: in this process, in one of their own, or on another machine."""
