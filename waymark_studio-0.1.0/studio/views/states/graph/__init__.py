"""The graph of essential states over a film strip."""
