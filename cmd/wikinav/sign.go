package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/minisign"
	"github.com/wikinav/wikinav/artifacts/minisign/secret"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/schemas/fault"
)

// passwordVariable may hold the password of a secret key. No flag's value does: lists of processes
// show it to everybody.
const passwordVariable = "WIKINAV_SIGN_PASSWORD"

type signFlags struct {
	Key          string `flag:"key" usage:"secret key of minisign to sign with"`
	Generate     string `flag:"generate" usage:"make a pair: file of the secret key; the public one is next to it"`
	PasswordFile string `flag:"password-file" usage:"first line: the password; else WIKINAV_SIGN_PASSWORD, else asked"`
	Unencrypted  bool   `flag:"unencrypted" usage:"with --generate: no password; whoever reads the file can sign"`
	Force        bool   `flag:"force" usage:"replace signatures that are there"`
}

func newSign() *cobra.Command {
	f := new(signFlags)
	cmd := &cobra.Command{
		Use:   "sign DIR --key FILE",
		Short: "Sign a release, so that others can check whose it is",
		Long: `sign checks every byte of a release (level 1 of verify) and writes manifest.json.minisig and
SHA256SUMS.minisig, in the format of the program minisign; the trusted comment is the manifest's id.
A release by a program whose source nobody could find is refused. With --generate it makes a pair of
keys: keep the secret one, publish the other; wikinav verify DIR --key FILE.pub checks signatures.`,
		Example: `  wikinav sign --generate release.key
  wikinav sign demo-release --key release.key
  wikinav sign demo-release --key release.key --password-file password.txt --force`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(args); err != nil {
				return err
			}
			if f.Generate != "" {
				return f.generate(cmd)
			}
			return f.sign(cmd, args[0])
		},
	}
	cli.Bind(cmd.Flags(), f)
	cli.AddJSON(cmd.Flags())
	return cmd
}

func (f *signFlags) check(args []string) error {
	generates := f.Generate != ""
	switch {
	case generates && (len(args) > 0 || f.Key != "" || f.Force):
		return fault.New(fault.Usage,
			"--generate makes keys and signs nothing: it takes neither DIR nor --key nor --force")
	case generates:
		return nil
	case f.Unencrypted:
		return fault.New(fault.Usage, "--unencrypted is for --generate: a key that has a password keeps it")
	case len(args) == 0:
		return fault.New(fault.Usage, "no release to sign").
			Hint("wikinav sign DIR --key FILE, or --generate FILE for a pair of keys")
	case f.Key == "":
		return fault.New(fault.Usage, "--key is missing: the file of a secret key of minisign").
			Hint("--generate FILE makes a pair")
	}
	return nil
}

func (f *signFlags) sign(cmd *cobra.Command, dir string) error {
	data, err := os.ReadFile(f.Key)
	if err != nil {
		return fault.Opening(f.Key, err)
	}
	if _, err := minisign.ParseKey(string(data)); err == nil {
		return fault.New(fault.Usage, "--key %s: it is a public key, which signs nothing", fault.Quote(f.Key)).
			Hint("name the file of the secret one")
	}
	key, err := secret.Parse(data, func() (string, error) { return f.password(cmd, false) })
	if err != nil {
		return fault.New(fault.KindOf(err), "%w", err).At(f.Key, "")
	}
	public, err := minisign.ParseKey(key.Public())
	if err != nil {
		return fault.New(fault.Failure, "%w", err).At(f.Key, "")
	}
	m, err := release.Sign(cmd.Context(), dir, artifacts.All, public, key.Sign, f.Force)
	if err != nil {
		return err
	}
	return cli.Print(cmd, map[string]any{"id": m.ID, "key_id": public.String(), "public_key": key.Public()},
		func(out io.Writer) error {
			_, err := fmt.Fprintf(out, "%s: release %s is signed by key %s\n"+
				"check it with: wikinav verify %s --key %s\n", dir, m.ID, public, dir, key.Public())
			return err
		})
}

func (f *signFlags) generate(cmd *cobra.Command) error {
	public := strings.TrimSuffix(f.Generate, ".key") + ".pub"
	for _, path := range []string{f.Generate, public} {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return fault.New(fault.Usage, "--generate %s: there is a file %s, and keys are never overwritten",
				fault.Quote(f.Generate), path)
		}
	}
	password := ""
	if !f.Unencrypted {
		var err error
		if password, err = f.password(cmd, true); err != nil {
			return err
		}
	}
	sec, pub, err := secret.Generate(password)
	if err != nil {
		return err
	}
	if err := errors.Join(writeNew(f.Generate, sec, 0o600), writeNew(public, pub, 0o644)); err != nil {
		return err
	}
	key, err := minisign.ParseKey(string(pub))
	if err != nil {
		return err
	}
	return cli.Print(cmd, map[string]any{"secret_key": f.Generate, "public_key": public, "key_id": key.String()},
		func(out io.Writer) error {
			_, err := fmt.Fprintf(out, "%s: the secret key %s; keep it, and nobody else\n"+
				"%s: the public key; publish it\n", f.Generate, key, public)
			return err
		})
}

// writeNew writes a file that must not be there.
func writeNew(path string, data []byte, mode fs.FileMode) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return fault.New(fault.KindOf(err), "%w", err).At(path, "")
	}
	_, err = file.Write(data)
	return errors.Join(err, file.Sync(), file.Close())
}

// password returns the password of a key from the file, the variable, or whoever sits at the
// terminal; twice says that it is a new one.
func (f *signFlags) password(cmd *cobra.Command, twice bool) (string, error) {
	word, isSet := os.LookupEnv(passwordVariable)
	if f.PasswordFile != "" {
		data, err := os.ReadFile(f.PasswordFile)
		if err != nil {
			return "", fault.Opening(f.PasswordFile, err)
		}
		line, _, _ := bytes.Cut(data, []byte("\n"))
		word, isSet = strings.TrimSuffix(string(line), "\r"), true
	}
	if !isSet {
		return askPassword(cmd, twice)
	}
	if word == "" {
		return "", fault.New(fault.Usage, "the password is empty").
			Hint("--generate with --unencrypted makes a key without one")
	}
	return word, nil
}

func askPassword(cmd *cobra.Command, twice bool) (string, error) {
	in, ok := cmd.InOrStdin().(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return "", fault.New(fault.Usage, "the key needs a password, and standard input is not a terminal to ask at").
			Hint("set %s, or name a file with --password-file", passwordVariable)
	}
	ask := func(text string) (string, error) {
		fmt.Fprint(cmd.ErrOrStderr(), text)
		word, err := term.ReadPassword(int(in.Fd()))
		fmt.Fprintln(cmd.ErrOrStderr())
		return string(word), err
	}
	word, err := ask("password of the key: ")
	if err != nil || word == "" {
		return "", errors.Join(err, fault.New(fault.Usage, "the password is empty"))
	}
	if again := word; twice {
		if again, err = ask("once more: "); err != nil || again != word {
			return "", errors.Join(err, fault.New(fault.Usage, "the two passwords differ"))
		}
	}
	return word, nil
}
