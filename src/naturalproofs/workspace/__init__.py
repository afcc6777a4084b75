"""What a mathematician asks for: checks, suggestions, search."""
