"""What differs between two recorded states: their trees, their texts and their pixels."""
