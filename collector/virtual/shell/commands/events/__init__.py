"""Commands that put input events into the phone or print them."""
