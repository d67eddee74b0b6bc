"""Files of TensorFlow records, read without TensorFlow: frames, checksums, examples and trees."""
