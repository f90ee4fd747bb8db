package release

import (
	"cmp"
	"context"
	"encoding/json"
	"path/filepath"

	"github.com/wikinav/wikinav/artifacts/minisign"
	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/schemas/fault"
)

// signedNames are the files that are signed: together they cover every byte of a release.
var signedNames = []string{ManifestName, SumsName}

// signatures is level 0: both signatures are there, by the key, of the files as they are and of
// this release.
func (v *verifier) signatures() {
	if v.opts.Key == nil {
		v.report.skip("level 0, signatures: no public key was given")
		return
	}
	before := len(v.report.Failed)
	for _, name := range signedNames {
		if want, found := v.signature(name); found != "" {
			v.report.add("signature", name+minisign.Extension, "", want, found)
		}
	}
	if v.report.untrusted = len(v.report.Failed) > before; !v.report.untrusted {
		v.report.cover("level 0: %s and %s are signed by key %s", signedNames[0], signedNames[1], v.opts.Key)
	}
}

// signature returns what is wrong with the signature of a file, and what it should be; "" for
// nothing.
func (v *verifier) signature(name string) (want, found string) {
	want = "a signature of " + name + " by key " + v.opts.Key.String()
	text, err := readSmall(v.root, name+minisign.Extension)
	if err != nil {
		return want, whatOf(err)
	}
	s, err := minisign.Parse(text)
	if err != nil {
		return want, err.Error()
	}
	message, err := readSmall(v.root, name)
	if err != nil {
		return want, whatOf(err)
	}
	if err := v.opts.Key.Check(message, s); err != nil {
		return want, err.Error()
	}
	manifest, err := readSmall(v.root, ManifestName)
	var head struct {
		ID string `json:"id"`
	}
	if err != nil || json.Unmarshal(manifest, &head) != nil || head.ID != s.Comment {
		want := "the id of the manifest, " + cmp.Or(head.ID, "which cannot be read") + ", as the trusted comment"
		return want, fault.Quote(s.Comment)
	}
	return "", ""
}

func whatOf(err error) string {
	if e, ok := err.(*fault.Error); ok {
		return e.What
	}
	return fault.Words(err)
}

// A Signer makes the file of a signature of message with a trusted and an untrusted comment.
type Signer func(message []byte, trusted, untrusted string) []byte

// Sign writes the signatures of the release in dir next to the files that they sign; nothing else
// of it changes. A release that verify finds wrong at level 1 is fault.Mismatch, one of a build
// whose source nobody could find fault.Failure, as it is for --published, and so are signatures
// that are there already, unless they are to be replaced.
func Sign(
	ctx context.Context, dir string, parts []Part, key minisign.Key, sign Signer, replace bool,
) (*Manifest, error) {
	r, err := Open(dir)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if err := r.signable(parts, replace); err != nil {
		return nil, err
	}
	report, err := Verify(ctx, dir, parts, VerifyOptions{Level: LevelDigests})
	if err == nil {
		err = report.Err()
	}
	if err != nil {
		return nil, err
	}
	for _, name := range signedNames {
		message, err := readSmall(r.root, name)
		if err != nil {
			return nil, err
		}
		text := sign(message, r.m.ID, "signature of "+name+" of a release of wikinav")
		if err := whole.WriteFile(dir, name+minisign.Extension, text); err != nil {
			return nil, fault.New(fault.KindOf(err), "%w", err).At(filepath.Join(dir, name+minisign.Extension), "")
		}
	}
	if report, err = Verify(ctx, dir, parts, VerifyOptions{Level: LevelDigests, Key: &key}); err != nil {
		return nil, err
	}
	return r.m, report.Err()
}

// signable refuses what must not be signed.
func (r *Release) signable(parts []Part, replace bool) error {
	if err := publishable(r.m.Generator); err != nil {
		return err
	}
	for _, p := range parts {
		if files := r.Part(p); len(files.Names()) > 0 {
			if err := fit(p, files); err != nil {
				return err
			}
		}
	}
	for _, name := range signedNames {
		if _, err := r.root.Lstat(name + minisign.Extension); err == nil && !replace {
			return fault.New(fault.Failure, "there is a signature already").At(name+minisign.Extension, "").
				Hint("--force replaces it")
		}
	}
	return nil
}
