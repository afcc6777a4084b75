"""The reference graph as one self-contained web page: laid out in Python, drawn by its own script, no network."""
