"""One rule a file: a function from what is checked to findings."""
