"""Golden trajectories as programs that do them again on a phone, for the tools that test apps."""
