"""A house with devices, schedules, scenes, members and house rules."""
