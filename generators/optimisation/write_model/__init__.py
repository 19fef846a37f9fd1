"""Stories in words that ask for a linear model, with a model of each and its optimum by cases."""
