"""What the readers share: the files of a release, and the facts that each reader writes down.

A reader is called as `read_X.py RELEASE EXPORTS FACTS`: the folders of a release and of its exports, and the
file for its facts. Of each file these are the number of its rows, and of each column a number: the sum of
numbers and of the elements of lists (how many there are stands beside it, under NAME[]), how many are true,
the bytes of texts. Two readers that read one file must write down the same.
"""

import json
import math
import os
import sys

RELEASE, EXPORTS = sys.argv[1:3] if len(sys.argv) > 3 else (None, None)


class Facts:
    def __init__(self, reader):
        self.said = {"reader": reader, "files": {}, "skipped": {}, "distances": None}
        with open(os.path.join(RELEASE, "manifest.json")) as f:
            self.manifest = json.load(f)

    def paths(self, *endings):
        """The files of the release with these endings, packed or not, and where they lie."""
        for f in self.manifest["files"]:
            if f["path"].removesuffix(".gz").endswith(endings):
                yield f["path"], os.path.join(RELEASE, f["path"])

    def add(self, path, rows, columns=None):
        self.said["files"][path] = {"rows": rows, "columns": {k: plain(v) for k, v in (columns or {}).items()}}

    def skip(self, path, why):
        self.said["skipped"][path] = str(why).splitlines()[0][:200]

    def read(self, read, *endings):
        """Adds what read(place) says of each file: its rows, and of its columns what is known."""
        for path, place in self.paths(*endings):
            self.add(path, *read(place))

    def distances(self, column, cell):
        """Writes down 200 distances, if the reader has read shards of them. column(name) is a column of
        columns.arrow as a list, cell(shard, i, node) the cell of a node in the i-th column of a shard."""
        shards, rows, nodes = column("shard"), column("row"), self.manifest["graph"]["nodes"]
        places = {int(p.split("-")[1].split(".")[0]): place for p, place in self.paths(".arrow", ".packed")
                  if p in self.said["files"] and p.startswith("distances/distances-")}
        if places:
            self.said["distances"] = [
                int(cell(places[shards[c]], rows[c], n)) for c, n in self.sample(len(shards), nodes)
            ]

    @staticmethod
    def sample(columns, nodes):
        return [(i * 7919 % columns, i * 104729 % nodes) for i in range(200)]

    def write(self):
        with open(sys.argv[3], "w") as f:
            json.dump(self.said, f)
        files = self.said["files"].values()
        print(f"{self.said['reader']}: {len(files)} files, {sum(f['rows'] or 0 for f in files)} rows, "
              f"{sum(len(f['columns']) for f in files)} columns; {len(self.said['skipped'])} files not read")


def plain(x):
    """A number that JSON keeps."""
    return float(x) if isinstance(x, float) or hasattr(x, "dtype") and x.dtype.kind == "f" else int(x)


def same(a, b):
    return a == b or math.isclose(a, b, rel_tol=1e-9)
