"""Maps: a town made from the seed, places that can be searched and saved, and directions."""
