"""Opens the other descriptions of a release with the programs that people have: datapackage.json is
valid for frictionless, which compares every size and hash, CITATION.cff is valid by the schema of
its format, and the YAML of card and eval.yaml names tables that are there. Resources are compared as
files: frictionless 5.21 counts no bytes of Parquet, and takes no numpy array for an array.
Usage: datapackage.py RELEASE, and whatever croissant.py takes behind it."""
import json, pathlib, sys

import cffconvert
import frictionless
import yaml


def main(release):
    files = {f["path"]: f for f in json.loads((release / "manifest.json").read_text(encoding="utf-8"))["files"]}
    package = frictionless.Package(str(release / "datapackage.json"))
    listed = {r.path: r for r in package.resources}
    for path, r in listed.items():
        want = {"bytes": files[path]["bytes"], "hash": "sha256:" + files[path]["sha256"],
                "mediatype": files[path]["media_type"]}
        if path.endswith(".jsonl.gz"):  # format and media type are those of what is packed
            want |= {"mediatype": "application/jsonl", "format": "jsonl", "compression": "gz"}
        said = {"bytes": 0} | r.to_descriptor()  # which leaves out the bytes of an empty file
        assert {k: said[k] for k in want} == want, path
    documents = {p for p, f in files.items() if f["role"] == "document"}
    assert listed.keys() == files.keys() - documents, listed.keys() ^ (files.keys() - documents)
    for path, r in listed.items():
        file = frictionless.resources.FileResource(path=path, basepath=str(release), bytes=r.bytes, hash=r.hash)
        report = file.validate()
        assert report.valid, (path, report.flatten(["type", "message"]))
    print(f"frictionless {frictionless.__version__}: {len(listed)} resources valid, with their sizes and hashes")

    citation = cffconvert.Citation((release / "CITATION.cff").read_text(encoding="utf-8"))
    citation.validate()
    print(f"cffconvert: CITATION.cff is valid, {citation.cffversion}")

    card = yaml.safe_load((release / "README.md").read_text(encoding="utf-8").split("---\n")[1])
    splits = {}
    for config in card["configs"]:
        entries = [e if isinstance(e, dict) else {"path": e} for e in config["data_files"]]
        assert all(e["path"] in files and e["path"].endswith(".parquet") for e in entries), config
        assert config["config_name"] not in splits, config
        splits[config["config_name"]] = [e.get("split") for e in entries]
    assert sum(c.get("default", False) for c in card["configs"]) == 1, "want one default config"
    tasks = yaml.safe_load((release / "eval.yaml").read_text(encoding="utf-8"))["tasks"]
    assert tasks and all(t["split"] in splits[t["config"]] for t in tasks), tasks
    print(f"PyYAML {yaml.__version__}: {len(splits)} configs, {len(tasks)} tasks")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
