"""The reference graph as one self-contained web page: laid out here, drawn by a script of our own, no network."""
