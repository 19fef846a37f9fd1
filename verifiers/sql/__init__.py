"""Results of SQL queries: running them, and comparing rows with what a question asks."""
