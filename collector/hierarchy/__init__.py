"""XML dumps to trees, and what a tree can be asked: hit tests, selectors, search, captions, differences."""
