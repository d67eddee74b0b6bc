"""The condition types, one module each, and the loader that registers them."""
