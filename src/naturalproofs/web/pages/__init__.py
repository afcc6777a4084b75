"""The pages: each module prepares the data of one or two templates."""
