// Package files finds, checks and opens the files of a dump, before any page of it is read.
//
// It owns which packing a file has (Sniff, Unpack), which files of a folder make up a dump and in what order (Dumps, List), what
// lies beside a dump: its index, its siteinfo, its published sums (FindIndex, FindExtra, VerifySums). Content decides, never a name,
// except where only a name tells which file belongs to which. Errors are *fault.Error that name the file (Place).
package files
