package arrowio

import "testing"

// FuzzOpen reaches the parser as Open does when the digest matches. What it accepts must stay within the file.
func FuzzOpen(f *testing.F) {
	all := samples(f)
	for i, s := range all {
		f.Add(uint8(i), s.data)
	}
	f.Add(uint8(0), []byte(magic+"\x00\x00\x00\x00\x00\x00"+magic))
	f.Fuzz(func(t *testing.T, table uint8, data []byte) {
		file, err := parse(data, all[int(table)%len(all)].table)
		if err == nil {
			walk(t, file, data)
		}
	})
}
