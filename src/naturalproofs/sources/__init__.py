"""Sources: from what authors wrote to statements, proofs and mentions."""
