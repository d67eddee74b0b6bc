"""The phone's commands by topic; each is one function registered under its name."""
