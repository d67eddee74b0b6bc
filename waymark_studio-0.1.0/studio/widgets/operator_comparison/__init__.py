"""Two operators' proposals of essential states side by side, and what was agreed between them."""
