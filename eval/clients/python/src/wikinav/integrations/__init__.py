"""wikinav inside the frameworks by which models are evaluated and trained.

inspect, verifiers, openenv, gymnasium and datasets each need the package of their name, which the
extra of that name installs; nothing here is imported by wikinav itself. All of them play every
family: in words, and a family with tools by those.
"""

FAMILIES = ("wikirace", "probe", "onestep", "constrained", "mango", "lumina", "aar")
