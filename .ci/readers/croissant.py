"""Opens croissant.json of a release, in its export of that form, with the reference program: it must
be valid without a warning of ours, and every record set must be iterated to its end, with as many
records and the fields that the manifest says; the first 1000 are compared with the table itself.
Usage: croissant.py RELEASE EXPORTS [RECORDS], with RECORDS for no more than so many of each set."""
import importlib.metadata, itertools, json, logging, pathlib, sys

import mlcroissant
import pyarrow.parquet


class Warnings(logging.Handler):
    """Keeps what the program warns of."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.seen = []

    def emit(self, record):
        lines = [line.strip() for line in record.getMessage().splitlines()]
        self.seen += [line for line in lines if not line.startswith("Found the following")]


def same(got, want):
    """Reports whether a record's value is that of the table, which pyarrow read by itself."""
    if isinstance(got, bytes):
        got = got.decode()
    if hasattr(got, "tolist"):
        got = got.tolist()
    return got == want


def main(release, exports, most=None):
    warnings = Warnings()
    logging.getLogger("absl").addHandler(warnings)
    document = exports / "croissant" / "croissant.json"
    assert document.read_bytes() == (release / "croissant.json").read_bytes()
    dataset = mlcroissant.Dataset(jsonld=str(document))
    published = manifest(release)["release"]["published"]
    unexpected = [w for w in warnings.seen if published or "datePublished" not in w]
    assert not unexpected, unexpected
    files = {f["path"]: f for f in manifest(release)["files"]}
    tables, rows = 0, 0
    for record_set in dataset.metadata.record_sets:
        path = record_set.id + ".parquet"
        records = dataset.records(record_set=record_set.id)
        if path not in files:
            assert len(list(records)) == len(record_set.data), record_set.id
            continue
        table, n = pyarrow.parquet.read_table(release / path), 0
        head = table.slice(0, 1000).to_pylist()
        for n, record in enumerate(itertools.islice(records, most), 1):
            if n <= len(head):
                want = {f"{record_set.id}/{k}": v for k, v in head[n - 1].items()}
                assert record.keys() == want.keys(), (path, record.keys() ^ want.keys())
                wrong = {k: (record[k], want[k]) for k in want if not same(record[k], want[k])}
                assert not wrong, (path, n, wrong)
        assert table.num_rows == files[path]["rows"], (path, table.num_rows, files[path]["rows"])
        assert n == (table.num_rows if most is None else min(most, table.num_rows)), (path, n, table.num_rows)
        tables, rows = tables + 1, rows + n
    assert tables == sum(p.endswith(".parquet") for p in files), "a table has no record set"
    version = importlib.metadata.version("mlcroissant")
    print(f"mlcroissant {version}: valid, {tables} tables with {rows} records iterated")


def manifest(release):
    return json.loads((release / "manifest.json").read_text(encoding="utf-8"))


if __name__ == "__main__":
    main(*map(pathlib.Path, sys.argv[1:3]), *map(int, sys.argv[3:]))
