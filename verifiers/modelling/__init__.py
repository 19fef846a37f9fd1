"""Linear and integer programs as text: reading them, and solving them exactly."""
