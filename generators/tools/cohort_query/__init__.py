"""Charts of made-up patients, and questions about cohorts of them."""
