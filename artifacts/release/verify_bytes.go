package release

import (
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas/fault"
)

// manifest reads the manifest; without one there is nothing to verify against.
func (v *verifier) manifest() (data []byte, ok bool) {
	data, err := readSmall(v.root, ManifestName)
	if err == nil {
		v.m, err = parse(data)
	}
	if err != nil {
		v.report.fail("manifest", ManifestName, err)
		v.report.malformed = fault.KindOf(err) == fault.Malformed && v.sealed(data)
		return nil, false
	}
	differ(v.report, "manifest id", ManifestName, "id", ID(v.m), v.m.ID)
	return data, true
}

// sealed reports whether SHA256SUMS has the manifest as it is: then nothing damaged it, and it is
// not one.
func (v *verifier) sealed(manifest []byte) bool {
	text, err := readSmall(v.root, SumsName)
	return err == nil && slices.Contains(strings.Split(string(text), "\n"), digest.SHA256(manifest)+"  "+ManifestName)
}

// checkSums compares SHA256SUMS with the manifest, line by line.
func (v *verifier) checkSums(manifest []byte) {
	data, err := readSmall(v.root, SumsName)
	if err != nil {
		v.report.fail("sums", SumsName, err)
		return
	}
	want, got := sums(v.m, manifest), string(data)
	if want == got {
		return
	}
	before := len(v.report.Failed)
	missingLines(want, got, func(line string) { v.report.add("sums", SumsName, pathOf(line), line, "no such line") })
	missingLines(got, want, func(line string) { v.report.add("sums", SumsName, pathOf(line), "no such line", line) })
	if len(v.report.Failed) == before {
		v.report.add("sums", SumsName, "", "lines sorted by path, each once", "another order, or a line twice")
	}
}

// missingLines reports the lines of a that b has not.
func missingLines(a, b string, report func(line string)) {
	has := map[string]bool{}
	for _, line := range strings.Split(b, "\n") {
		has[line] = true
	}
	for _, line := range strings.Split(a, "\n") {
		if !has[line] {
			report(line)
		}
	}
}

// pathOf returns the path in a line of SHA256SUMS.
func pathOf(line string) string {
	_, p, _ := strings.Cut(line, "  ")
	return p
}

// checkTree looks for what the manifest does not list, and for what is no file at all.
func (v *verifier) checkTree() error {
	listed := dirsOf(v.m.Files)
	for _, f := range v.m.Files {
		listed[f.Path] = true
	}
	grown := 0
	err := walk(v.root, func(name string, mode fs.FileMode) {
		switch {
		case mode.Type() != 0 && !mode.IsDir():
			v.report.add("tree", name, "", "regular files and directories", modeName(mode))
		case strings.HasPrefix(name, leaderboardDir+"/"):
			if !mode.IsDir() {
				grown++
			}
		case listed[name] || unlisted(name):
		case mode.IsDir():
			v.report.add("tree", name, "", "directories of listed files", "a directory that holds none")
		default:
			v.report.add("tree", name, "", "listed in the manifest", "a file that is not")
		}
	})
	if grown > 0 {
		v.report.skip("%s/: %d files that no digest covers; wikinav-eval board verify replays them", leaderboardDir,
			grown)
	}
	return err
}

// intact reports whether the bytes of f are those of the manifest. It looks once at each file and
// lists what is wrong.
func (v *verifier) intact(f FileEntry) bool {
	if good, looked := v.good[f.Path]; looked {
		return good
	}
	v.report.Checked++
	v.good[f.Path] = v.checkBytes(f)
	return v.good[f.Path]
}

// checkBytes looks at the size first: a file of another size needs no hashing, however large it is.
func (v *verifier) checkBytes(f FileEntry) bool {
	size, err := sizeOf(v.root, f.Path)
	if err != nil {
		v.report.fail("file", f.Path, err)
		return false
	}
	if differ(v.report, "size", f.Path, "", f.Bytes, size) {
		return false
	}
	got, err := v.digest(f.Path)
	if err != nil {
		v.report.fail("file", f.Path, err)
		return false
	}
	bad := differ(v.report, "size", f.Path, "", f.Bytes, got.Bytes)
	bad = differ(v.report, "sha256", f.Path, "", f.SHA256, got.SHA256) || bad
	return !differ(v.report, "xxh64", f.Path, "", f.XXH64, got.XXH64) && !bad
}

// digest reads a file through the one buffer of the run.
func (v *verifier) digest(name string) (digest.Digest, error) {
	file, err := v.root.Open(name)
	if err != nil {
		return digest.Digest{}, err
	}
	defer file.Close()
	h := digest.NewHash()
	for v.ctx.Err() == nil {
		n, err := file.Read(v.buf)
		h.Write(v.buf[:n])
		if err == io.EOF {
			return h.Sum(), nil
		}
		if err != nil {
			return digest.Digest{}, err
		}
	}
	return digest.Digest{}, v.ctx.Err()
}
