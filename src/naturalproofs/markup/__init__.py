"""Markup languages: text becomes positions and tokens; nothing here knows what a theorem is."""
