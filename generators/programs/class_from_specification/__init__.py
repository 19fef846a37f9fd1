"""Small classes that can be said in English: a base, such as a queue or a cache, with a few rules.

A base has its state and a few methods, whose texts have places marked ``@here``. A rule puts lines
at such places, adds methods, or both, and says in English what that means. What comes of it is a
class in Python, which is what is run here, and its description. Rules that would not go together
without a further rule are kept apart.
"""
