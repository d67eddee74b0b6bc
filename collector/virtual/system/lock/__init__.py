"""The lock screen: what it shows now, and how services and the shell use it."""
