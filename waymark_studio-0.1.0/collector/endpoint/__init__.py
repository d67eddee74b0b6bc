"""Model endpoints: their addresses and keys, and requests with limits, for agents and judges."""
