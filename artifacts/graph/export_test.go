package graph

// BuildUpTo is Build with a limit that a test can reach.
var BuildUpTo = build
