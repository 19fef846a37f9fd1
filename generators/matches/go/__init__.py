"""Go as a match: its rules, the search of endgames, and positions on boards of up to 13 by 13."""
