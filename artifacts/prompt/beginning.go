package prompt

// Beginning gives the first n code points of a text.
func Beginning(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}
