"""Functions on lists and texts, specified step by step."""
