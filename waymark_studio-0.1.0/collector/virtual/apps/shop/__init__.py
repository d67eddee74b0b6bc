"""The shop: search, sort, filter, details, cart, account and paying."""
