"""Stock of several sites: records, a policy, decisions on orders, tools and a client."""
