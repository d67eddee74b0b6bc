"""The band over a stored run: agent, condition, outcome, and the buttons of a person's verdict."""
