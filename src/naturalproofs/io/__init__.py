"""Reading and writing: typed JSON lines, hashing, spools, and folders that appear whole or not at all."""
