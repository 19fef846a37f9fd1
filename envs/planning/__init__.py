"""Plans: moves that lead from one state to another, judged by making them."""
