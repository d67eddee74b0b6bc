"""What is done to the phone: touches, keys, typing, and the keyboards that type."""
