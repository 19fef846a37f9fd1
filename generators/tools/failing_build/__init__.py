"""Projects with a build script, faults that stop their builds, and the judging of repairs."""
