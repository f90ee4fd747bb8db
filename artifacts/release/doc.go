// Package release writes, opens and verifies the frozen directory that wikinav publishes.
//
// A release is manifest.json, SHA256SUMS, the documents generated from the manifest, and the data: graph/,
// distances/, splits/ and, when it was built, catalog.sqlite. What was not built is absent, never a stub.
//
// Promises. Every byte is covered by a digest: the manifest lists each file but itself, SHA256SUMS lists each
// file but itself. The same build and the same options give the same bytes in any directory, under any umask, time zone or locale.
// A release appears whole or not at all, and only after it passed its own verification. The manifest's id covers
// everything but the release's name, version and date, so the documents hold none of these three.
//
// A reader trusts nothing: it checks the manifest's paths before it opens any of them, stays inside the directory,
// follows no symbolic link, and parses no file whose size or SHA-256 differs from the manifest.
//
// The package never writes into a finished release but its signatures, reads no clock and opens no
// connection. It needs no SQLite: the catalogue is copied and hashed, never opened.
package release
