"""Reports: tables beside the paper's, plots and dataset cards."""
