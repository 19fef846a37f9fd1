"""Causal graphs: independence, interventions and counterfactuals."""
