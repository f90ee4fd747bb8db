// Package minisign checks signatures of the program minisign: Ed25519 over the BLAKE2b-512 hash of
// a message, and over that signature with a trusted comment.
//
// It promises that a signature has one spelling: of two files that differ in a byte, at most one is
// taken, unless they differ in the untrusted comment alone, which nobody signs. It signs nothing
// and reads no secret key: that is package secret, which programs that only check do not link.
//
// Format: https://jedisct1.github.io/minisign/, "Signature format" and "Public key format". The
// older one, whose message is not hashed before it is signed, is refused.
package minisign

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Extension is what the name of a signature has after that of what it signs.
const Extension = ".minisig"

const (
	untrusted = "untrusted comment: "
	trusted   = "trusted comment: "
	plain     = "Ed" // the algorithm of public keys, and of signatures of messages that are not hashed
	hashed    = "ED"
	idBytes   = 8
)

// Key is a public key.
type Key struct {
	id     [idBytes]byte
	public [ed25519.PublicKeySize]byte
}

// ParseKey reads a public key: the two lines of its file, or the second of them alone.
func ParseKey(text string) (k Key, err error) {
	text = strings.TrimSpace(text)
	if comment, line, ok := strings.Cut(text, "\n"); ok && strings.HasPrefix(comment, untrusted) {
		text = line
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || strings.ContainsAny(text, "\r\n") || len(raw) != len(plain)+idBytes+len(k.public) ||
		string(raw[:2]) != plain {
		return k, errors.New("it is not a public key of minisign")
	}
	copy(k.id[:], raw[2:])
	copy(k.public[:], raw[2+idBytes:])
	return k, nil
}

// String returns the number of the key as minisign prints it.
func (k Key) String() string { return number(k.id) }

func number(id [idBytes]byte) string { return fmt.Sprintf("%016X", binary.LittleEndian.Uint64(id[:])) }

// Signature is what the file of a signature says, and proves nothing before Check.
type Signature struct {
	Comment string // the trusted one
	id      [idBytes]byte
	message [ed25519.SignatureSize]byte
	comment [ed25519.SignatureSize]byte // of message and Comment
}

var errForm = errors.New("it is not of the form that minisign writes")

// Parse reads the file of a signature.
func Parse(data []byte) (s Signature, err error) {
	lines := strings.Split(string(data), "\n")
	if len(lines) != 5 || lines[4] != "" || !utf8.Valid(data) || bytes.ContainsFunc(data, isControl) {
		return s, errForm
	}
	first, isFirst := strings.CutPrefix(lines[0], untrusted)
	var isThird bool
	s.Comment, isThird = strings.CutPrefix(lines[2], trusted)
	raw, err1 := base64.StdEncoding.Strict().DecodeString(lines[1])
	global, err2 := base64.StdEncoding.Strict().DecodeString(lines[3])
	whole := len(raw) == len(hashed)+idBytes+len(s.message) && len(global) == len(s.comment)
	if !isFirst || !isThird || first == "" || errors.Join(err1, err2) != nil || !whole {
		return s, errForm
	}
	switch string(raw[:2]) {
	case hashed:
	case plain:
		return s, errors.New("it signs the message without hashing it first, as minisign -l does")
	default:
		return s, errForm
	}
	copy(s.id[:], raw[2:])
	copy(s.message[:], raw[2+idBytes:])
	copy(s.comment[:], global)
	return s, nil
}

func isControl(r rune) bool { return r != '\n' && r < ' ' || r == 0x7f }

// Check reports what keeps s from being a signature of message by k; nil if nothing does.
func (k Key) Check(message []byte, s Signature) error {
	hash := sum512(message)
	switch {
	case s.id != k.id:
		return fmt.Errorf("it is by key %s", number(s.id))
	case !ed25519.Verify(k.public[:], hash[:], s.message[:]):
		return errors.New("it does not fit the file")
	case !ed25519.Verify(k.public[:], slices.Concat(s.message[:], []byte(s.Comment)), s.comment[:]):
		return errors.New("its trusted comment was changed")
	}
	return nil
}
