"""The state of the phone behind one lock: settings, packages, log, clock, records, hardware."""
