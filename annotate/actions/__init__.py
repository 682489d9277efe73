"""Every write that needs a trail or touches more than one row, one verb a function."""
