"""The version of the package: that of the program, in the form of Python's packages."""

__version__ = "0.0.0.dev0"  # of a checkout, whose program says devel
