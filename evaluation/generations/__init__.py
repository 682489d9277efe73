"""Reading what models answered: which rows, how they are shown, exactly what was asked."""
