"""Environments, rewards and scores of wikinav releases.

env plays one episode at a time, batch many over one process; Release reads a release, score scores
what was played. The work is done by the program wikinav-eval, which is named by the argument
binary, by the variable WIKINAV_EVAL, or found beside the package or in PATH.
"""

from ._env import Action, Batch, Env, Info, Observation, Reset, Settings, Step, batch, env
from ._process import ActionError, BatchError, Error, ProgramError, find_program, run_program
from ._release import Release, runs, score
from ._version import __version__

__all__ = [
    "Action",
    "ActionError",
    "Batch",
    "BatchError",
    "Env",
    "Error",
    "Info",
    "Observation",
    "ProgramError",
    "Release",
    "Reset",
    "Settings",
    "Step",
    "__version__",
    "batch",
    "env",
    "find_program",
    "run_program",
    "runs",
    "score",
]
