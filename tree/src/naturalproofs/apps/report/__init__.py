"""Reports: tables, plots, dataset cards and text for the terminal."""
