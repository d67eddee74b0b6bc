"""Parse hierarchy dumps into trees; hit tests, selectors, search, captions and differences over them."""
