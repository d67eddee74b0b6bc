"""The phone's system: activities, input, settings, clock, log, and the screen they compose."""
