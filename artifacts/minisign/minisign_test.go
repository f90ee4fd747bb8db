package minisign

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/crypto/blake2b"

	"github.com/wikinav/wikinav/artifacts/minisign/secret"
)

// The hash is compared with another implementation, at lengths around the ends of blocks.
func TestTheHashIsThatOfRFC7693(t *testing.T) {
	t.Parallel()
	long := bytes.Repeat([]byte("wikinav, "), 100)
	for n := range 600 {
		if got, want := sum512(long[:n]), blake2b.Sum512(long[:n]); got != want {
			t.Fatalf("%d bytes: %x, want %x", n, got, want)
		}
	}
}

func pair(t *testing.T) (secret.Key, Key) {
	t.Helper()
	sec, pub, err := secret.Generate("")
	if err != nil {
		t.Fatal(err)
	}
	s, err := secret.Parse(sec, nil)
	if err != nil {
		t.Fatal(err)
	}
	k, err := ParseKey(string(pub))
	if err != nil {
		t.Fatal(err)
	}
	return s, k
}

func check(k Key, message, signature []byte) error {
	s, err := Parse(signature)
	if err == nil {
		err = k.Check(message, s)
	}
	return err
}

func TestASignatureFitsItsMessageAndItsKeyAlone(t *testing.T) {
	t.Parallel()
	s, k := pair(t)
	_, other := pair(t)
	message := []byte("manifest")
	signature := s.Sign(message, "0123456789abcdef", "of a test")
	if err := check(k, message, signature); err != nil {
		t.Fatal(err)
	}
	if got, err := Parse(signature); err != nil || got.Comment != "0123456789abcdef" {
		t.Errorf("comment %q, %v", got.Comment, err)
	}
	if again, err := ParseKey(s.Public()); err != nil || again != k {
		t.Errorf("the key on one line is another, %v", err)
	}
	if err := check(other, message, signature); err == nil || !strings.Contains(err.Error(), "by key "+k.String()) {
		t.Errorf("another key: %v", err)
	}
	if err := check(k, []byte("manifesto"), signature); err == nil || !strings.Contains(err.Error(), "does not fit") {
		t.Errorf("another message: %v", err)
	}
}

// Whatever bit of a signature is changed, and wherever it is cut or grows, it is refused; but for
// the untrusted comment.
func TestNoBitOfASignatureCanBeChanged(t *testing.T) {
	t.Parallel()
	s, k := pair(t)
	message := []byte("manifest")
	signature := s.Sign(message, "0123456789abcdef", "X")
	free := bytes.IndexByte(signature, 'X')
	for i := range signature {
		for bit := range 8 {
			changed := bytes.Clone(signature)
			changed[i] ^= 1 << bit
			if check(k, message, changed) == nil && i != free {
				t.Errorf("byte %d, bit %d: %q is taken", i, bit, changed)
			}
		}
		if check(k, message, signature[:i]) == nil {
			t.Errorf("the first %d bytes are taken", i)
		}
		if grown := string(signature[:i]) + "\n" + string(signature[i:]); i != free &&
			check(k, message, []byte(grown)) == nil {
			t.Errorf("a line break at %d is taken", i)
		}
	}
	for _, more := range []string{"\n", "\r\n", " ", "=", "x"} {
		if check(k, message, append(bytes.Clone(signature), more...)) == nil {
			t.Errorf("%q at the end is taken", more)
		}
	}
}

func TestWhatIsNoKeyIsRefused(t *testing.T) {
	t.Parallel()
	s, _ := pair(t)
	good := s.Public()
	for _, text := range []string{
		"", "x", good + "x", good[1:], good[:28] + "\n" + good[28:], "RX" + good[2:], "comment\n" + good,
		untrusted + "\n", good + "\n" + good,
	} {
		if k, err := ParseKey(text); err == nil {
			t.Errorf("%q is taken for key %s", text, k)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("untrusted comment: x\n\ntrusted comment: y\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if s, err := Parse(data); err == nil && strings.Contains(s.Comment, "\n") {
			t.Errorf("a comment of two lines: %q", s.Comment)
		}
	})
}
