"""wheel.py PROGRAM OUT: builds the wheel of this package in OUT, of the version of wikinav-eval.

It works on a copy, with the pip and setuptools of the Python that runs it, and prints the wheel's
path.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


# The time of every file in a wheel, the first that its format knows: equal files, equal bytes.
CLOCK = {"SOURCE_DATE_EPOCH": "315532800"}


def version_of(told: str) -> str:
    """Returns a version of Go as one of Python: v1.2.3 is 1.2.3, v1.2.3-rc.1 is 1.2.3rc1, a commit
    after or without a version a development version with the commit, and devel 0.0.0.dev0."""
    if told == "devel":
        return "0.0.0.dev0"
    found = re.fullmatch(r"v?(\d+\.\d+\.\d+)(?:-(.*?))?(\+dirty)?", told)
    if not found:
        raise SystemExit(f"wheel.py: the program's version is {told!r}: want devel or v1.2.3")
    version, rest, dirty = found.groups()
    commit = re.fullmatch(r"(?:.*\.)?(\d{14})-([0-9a-f]+)", rest or "")
    if commit:
        return f"{version}.dev{commit[1]}+g{commit[2]}" + (".dirty" if dirty else "")
    if rest:
        named = re.fullmatch(r"(alpha|beta|rc)\.?(\d+)", rest)
        if not named:
            raise SystemExit(f"wheel.py: the program's version is {told!r}: "
                             "want -alpha.N, -beta.N or -rc.N")
        version += {"alpha": "a", "beta": "b", "rc": "rc"}[named[1]] + named[2]
    return version + ("+dirty" if dirty else "")


def build(program: str, out: pathlib.Path) -> pathlib.Path:
    told = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout
    version = version_of(told.split()[2])
    with tempfile.TemporaryDirectory() as scratch:
        copy = pathlib.Path(scratch, "wikinav")
        shutil.copytree(pathlib.Path(__file__).parent, copy,
                        ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info"))
        file = copy / "src/wikinav/_version.py"
        text, n = re.subn(r'(?m)^__version__ = .*$', f'__version__ = "{version}"', file.read_text())
        assert n == 1, file
        file.write_text(text)
        subprocess.run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps",
                        "--disable-pip-version-check", "--no-build-isolation", "--wheel-dir",
                        str(out), str(copy)], check=True, env={**os.environ, **CLOCK})
    return out / f"wikinav-{version}-py3-none-any.whl"


if __name__ == "__main__":
    wheel = build(sys.argv[1], pathlib.Path(sys.argv[2]))
    assert wheel.exists(), wheel
    print(wheel)
