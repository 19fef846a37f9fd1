"""Trips of employees: records of travel apps, a travel policy, itineraries, tools and a client."""
