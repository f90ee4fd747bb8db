package arrowio_test

// The tests of the package write through the encoders, which a test of the package itself cannot import.
import _ "github.com/wikinav/wikinav/artifacts/arrowio/library"
