"""Tests of the versions that wheels get."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from wheel import version_of


class Versions(unittest.TestCase):
    def test_a_wheel_has_the_programs_version(self) -> None:
        for told, want in {
            "devel": "0.0.0.dev0",
            "v1.2.3": "1.2.3",
            "v1.2.3+dirty": "1.2.3+dirty",
            "v1.2.3-rc.1": "1.2.3rc1",
            "v0.4.0-beta.12": "0.4.0b12",
            "v0.0.0-20261123091912-deb834c874bf": "0.0.0.dev20261123091912+gdeb834c874bf",
            "v1.2.4-0.20261123091912-deb834c874bf+dirty": "1.2.4.dev20261123091912+gdeb834c874bf.dirty",
            "v1.2.3-rc.1.0.20261123091912-deb834c874bf": "1.2.3.dev20261123091912+gdeb834c874bf",
        }.items():
            self.assertEqual(version_of(told), want, told)

    def test_what_is_no_version_is_refused(self) -> None:
        for told in ("", "next", "v1.2", "v1.2.3-nightly", "v1.2.3 "):
            with self.assertRaises(SystemExit, msg=told):
                version_of(told)


if __name__ == "__main__":
    unittest.main()
