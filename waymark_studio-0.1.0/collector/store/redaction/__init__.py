"""Hide private texts and pixels in what is stored, wherever they are repeated."""
