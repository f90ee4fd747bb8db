// Package secret makes pairs of keys of the program minisign, reads the secret ones and signs with
// them. It links scrypt, and is for programs that publish.
package secret

import (
	"bytes"
	"errors"
	"io"

	"aead.dev/minisign"

	"github.com/wikinav/wikinav/schemas/fault"
)

// Generate makes a pair: the files of the secret and of the public key. An empty password leaves
// the secret key unencrypted. Encrypting takes 1 GiB of memory and seconds, as minisign has it.
func Generate(password string) (secret, public []byte, err error) {
	pub, key, err := minisign.GenerateKey(nil)
	if err != nil {
		return nil, nil, err
	}
	if secret, err = key.MarshalText(); password != "" {
		secret, err = minisign.EncryptKey(password, key)
	}
	if err != nil {
		return nil, nil, err
	}
	public, err = pub.MarshalText()
	return append(secret, '\n'), append(public, '\n'), err
}

// Key is a secret key.
type Key struct{ key minisign.PrivateKey }

// Parse reads the file of a secret key, and asks for its password if it has one.
func Parse(data []byte, password func() (string, error)) (k Key, err error) {
	if !minisign.IsEncrypted(data) {
		if k.key.UnmarshalText(data) != nil {
			return k, fault.New(fault.Malformed, "it is not a secret key of minisign").
				Hint("name the file that wikinav sign --generate or minisign -G made")
		}
		return k, nil
	}
	word, err := password()
	if err != nil {
		return k, err
	}
	if k.key, err = minisign.DecryptKey(word, data); err != nil {
		err = errors.New("the password does not open the key, or the key is damaged")
	}
	return k, err
}

// Public returns the public key on one line.
func (k Key) Public() string { return k.key.Public().(minisign.PublicKey).String() }

// Sign returns the file of a signature of message. The same key, message and comments give the same
// bytes.
func (k Key) Sign(message []byte, trusted, untrusted string) []byte {
	r := minisign.NewReader(bytes.NewReader(message)) // the reader hashes before it signs
	if _, err := io.Copy(io.Discard, r); err != nil {
		panic(err) // of memory
	}
	return r.SignWithComments(k.key, trusted, untrusted)
}
