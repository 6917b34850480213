//go:build unix

package passes

import (
	"errors"
	"os"
	"syscall"
)

// lock takes the file for this process alone, until it is closed.
func lock(file *os.File) error {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrBusy
	}
	return err
}
