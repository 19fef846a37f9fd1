"""A shop with orders and customers, and the policy that its clerks follow."""
