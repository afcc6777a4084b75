"""Reading and writing: typed JSON lines, hashing, and folders that appear whole or not at all."""
