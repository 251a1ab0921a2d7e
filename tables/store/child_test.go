package store

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"goalproof/tables"
)

// Some tests need a process of its own, to be killed or to fail: the test binary again,
// which then runs one of the children instead of tests.
const (
	childEnv = "STORE_TEST_CHILD" // which
	dirEnv   = "STORE_TEST_DIR"
	fromEnv  = "STORE_TEST_FROM" // operations that were acknowledged before
)

func TestMain(m *testing.M) {
	which := os.Getenv(childEnv)
	if which == "" {
		flag.Parse()
		// Most tests sync a lot, and need no disk for that.
		if free, _ := room("/dev/shm"); free > 1<<30 && flag.Lookup("test.bench").Value.String() == "" {
			os.Setenv("TMPDIR", "/dev/shm")
		}
		os.Exit(m.Run())
	}
	from, _ := strconv.ParseUint(os.Getenv(fromEnv), 10, 64)
	if err := children[which](os.Getenv(dirEnv), from); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(refused)
	}
}

// refused is how a child ends that returned an error.
const refused = 7

var children = map[string]func(dir string, from uint64) error{"write": childWrites, "fill": childFills}

// child prepares a child.
func child(which, dir string, from uint64) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), childEnv+"="+which, dirEnv+"="+dir, fromEnv+"="+strconv.FormatUint(from, 10))
	return c
}

// fill writes a key of 25 bytes that depends on n alone, and looks random.
func fill(key *[25]byte, n uint64) {
	for i := 0; i+8 <= len(key); i += 8 {
		n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
		n = (n ^ n>>27) * 0x94d049bb133111eb
		n ^= n>>31 + 0x9e3779b97f4a7c15
		binary.LittleEndian.PutUint64(key[i:], n)
	}
	key[24] = byte(n >> 13)
}

// factOf is the fact of the key of n.
func factOf(n uint64) tables.Fact {
	d := uint8(n%7) + 1
	if n%3 == 0 {
		return tables.Fact{ProvedWithin: d, Turn: uint32(d) * 1_000_003}
	}
	return tables.Fact{ProvedWithin: 255, RefutedUpTo: d}
}

// The operations of a child: number n puts half of what there is to know about position
// n/2, whose key and distance follow from its number.

func operation(n uint64) ([]byte, tables.Fact) {
	key, d := position(n / 2)
	if n%2 == 0 {
		return key, tables.Fact{ProvedWithin: d, Turn: uint32(d) * 1_000_003}
	}
	return key, tables.Fact{ProvedWithin: 255, RefutedUpTo: d - 1}
}

func position(p uint64) (key []byte, distance uint8) {
	var k [25]byte
	fill(&k, p)
	binary.BigEndian.PutUint64(k[:], p*scatter)
	return k[:], uint8(p%200) + 2
}

const (
	scatter = 0x9e3779b97f4a7c15
	gather  = 0xf1de83e19937733d // its inverse
)

var errWrong = errors.New("a wrong fact")

// checkOperations checks that a store has the facts of the first operations, and
// otherwise only facts of later ones. It returns how many facts there are.
func checkOperations(s *Store, operations uint64) (int, error) {
	facts, done := 0, uint64(0)
	err := s.All(context.Background(), func(key []byte, f tables.Fact) error {
		facts++
		if len(key) != 25 {
			return fmt.Errorf("%w: key %x", errWrong, key)
		}
		p := binary.BigEndian.Uint64(key) * gather
		want, d := position(p)
		if string(key) != string(want) ||
			f.ProvedWithin != d && f.ProvedWithin != 255 || f.RefutedUpTo != d-1 && f.RefutedUpTo != 0 {
			return fmt.Errorf("%w: key %x: %v, and the distance is %d", errWrong, key, f, d)
		}
		if f.ProvedWithin == d && 2*p < operations {
			done++
		}
		if f.RefutedUpTo == d-1 && 2*p+1 < operations {
			done++
		}
		return nil
	})
	if err == nil && done != operations {
		err = fmt.Errorf("of %d acknowledged facts %d are there", operations, done)
	}
	return facts, err
}

// childWrites puts one operation after the other, with a checkpoint now and then, which it
// acknowledges on its output, and sometimes GC. Now and then it closes the store and opens it
// again.
func childWrites(dir string, from uint64) error {
	s, err := Open(dir, small)
	if err != nil {
		return err
	}
	if _, err := checkOperations(s, from); err != nil {
		return err
	}
	fmt.Println("acknowledged", from)
	random := rand.New(rand.NewPCG(from, uint64(os.Getpid())))
	for n := from; err == nil; n++ {
		err = s.Put(operation(n))
		if err == nil && random.IntN(2_000) == 0 {
			if err = s.Sync(); err == nil {
				fmt.Println("acknowledged", n+1)
			}
		}
		if err == nil && random.IntN(30_000) == 0 {
			err = s.GC(context.Background())
		}
		if err == nil && random.IntN(60_000) == 0 {
			if err = s.Close(); err == nil {
				fmt.Println("acknowledged", n+1)
				s, err = Open(dir, small)
			}
		}
	}
	return err
}

// childFills takes the room of a disk, so many bytes a second, or as fast as it can if that is 0,
// until nothing is left.
func childFills(dir string, rate uint64) error {
	f, err := os.Create(filepath.Join(dir, ballast))
	if err != nil {
		return err
	}
	start, written := time.Now(), uint64(0)
	for chunk := make([]byte, 1<<18); len(chunk) > 0; {
		n, err := f.Write(chunk)
		written += uint64(n)
		if err != nil {
			chunk = chunk[:len(chunk)/2] // pages that are left
		}
		if rate > 0 {
			time.Sleep(time.Until(start.Add(time.Duration(float64(written) / float64(rate) * float64(time.Second)))))
		}
	}
	return f.Close()
}

// ballast is the file that fills a disk.
const ballast = "ballast"

// acknowledged reads a child's output to its end, calls started after the first line,
// and returns the greatest number acknowledged.
func acknowledged(out io.Reader, least uint64, started func()) uint64 {
	lines := bufio.NewScanner(out)
	for first := true; lines.Scan(); first = false {
		if first {
			started()
		}
		if n, err := strconv.ParseUint(strings.TrimPrefix(lines.Text(), "acknowledged "), 10, 64); err == nil {
			least = max(least, n)
		}
	}
	return least
}
