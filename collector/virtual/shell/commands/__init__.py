"""The phone's commands by theme; each is one function registered under its name."""
