"""Rehearsing injection rules on the phone: a lane of what each rule does, state by state."""
