package library

import (
	"context"
	"database/sql"
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"goalproof/arimaa"
	"goalproof/zobrist"
)

// Version is the version of the schema that this program writes. It reads no newer one, and brings
// older ones up to date when it opens them.
const Version = 2

// application marks a SQLite file as a library: the letters ARIM.
const application = 0x4152494d

// schemas make each version, from 1 on, of the one before it.
//
//go:embed schema1.sql schema2.sql
var schemas embed.FS

// schema returns the statements that make a version of the one before it.
func schema(version int) string {
	text, err := schemas.ReadFile(fmt.Sprintf("schema%d.sql", version))
	if err != nil {
		panic(err) // it is part of the program
	}
	return string(text)
}

// Where the header of a SQLite file has what it is (The SQLite Database File Format, section 1.3).
const (
	headerSize    = 100
	magic         = "SQLite format 3\x00"
	versionAt     = 60
	applicationAt = 68
)

// kind returns the version of a library by the first bytes of the file, before SQLite may touch it;
// 0 if there is no file, or an empty one.
func kind(path string) (version int, err error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return 0, fmt.Errorf("%s: %w: it is no regular file", path, ErrForeign)
	}
	header := make([]byte, headerSize)
	switch n, err := io.ReadFull(f, header); {
	case n == 0:
		return 0, nil // its making was interrupted
	case err != nil && !errors.Is(err, io.ErrUnexpectedEOF):
		return 0, err
	case err != nil, string(header[:len(magic)]) != magic, binary.BigEndian.Uint32(header[applicationAt:]) != application:
		return 0, fmt.Errorf("%s: %w; goalproof library import makes one, in a file of its own", path, ErrForeign)
	}
	version = int(binary.BigEndian.Uint32(header[versionAt:]))
	return version, checkVersion(path, version)
}

// checkVersion refuses a file of a newer version.
func checkVersion(path string, version int) error {
	if version > Version {
		return fmt.Errorf("%s: %w (version %d, this program knows %d): use that one", path, ErrNewer, version, Version)
	}
	return nil
}

// constants are what the numbers in the file mean, besides the schema.
func constants() map[string]string {
	return map[string]string{"keys": strconv.Itoa(zobrist.Version), "packed": strconv.Itoa(arimaa.PackedVersion)}
}

// migrate makes the schema, or brings an older one up to date, in one transaction.
func migrate(ctx context.Context, c *sql.Conn) error {
	version, err := userVersion(ctx, c)
	if err != nil || version == Version {
		return err
	}
	if _, err := c.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	defer c.ExecContext(context.Background(), "ROLLBACK") // in vain after COMMIT
	if version, err = userVersion(ctx, c); err != nil {   // another process may have been quicker
		return err
	}
	for v := version + 1; v <= Version; v++ {
		if _, err := c.ExecContext(ctx, schema(v)); err != nil {
			return err
		}
	}
	if version == 0 {
		for name, value := range constants() {
			if _, err := c.ExecContext(ctx, "INSERT INTO about VALUES (?, ?)", name, value); err != nil {
				return err
			}
		}
	}
	if version < Version {
		if _, err := c.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", application, Version)); err != nil {
			return err
		}
	}
	_, err = c.ExecContext(ctx, "COMMIT")
	return err
}

func userVersion(ctx context.Context, c *sql.Conn) (version int, err error) {
	err = c.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	return version, err
}

// checkConstants refuses a file whose numbers mean something else than in this program.
func (l *Library) checkConstants(ctx context.Context, c *sql.Conn) error {
	for name, want := range constants() {
		var value string
		if err := c.QueryRowContext(ctx, "SELECT value FROM about WHERE name = ?", name).Scan(&value); err != nil {
			return err
		}
		if value != want {
			return fmt.Errorf("%s: %w: its %s are those of version %s, this program has %s", l.path, ErrNewer, name, value, want)
		}
	}
	return nil
}
