"""The name by which verifiers finds wikinav: `vf-eval wikinav-verifiers`."""

from wikinav.integrations.verifiers import WikinavEnv, WikinavHarness, WikinavTaskset

__all__ = ["WikinavEnv", "WikinavHarness", "WikinavTaskset"]
