package db_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"reprise/db"
)

var update = flag.Bool("update", false, "write blank.db")

// A new database is what the migrations would make.
func TestBlankIsAsMigrated(t *testing.T) {
	steps, err := db.Steps()
	if err != nil {
		t.Fatal(err)
	}
	migrated := filepath.Join(t.TempDir(), db.File)
	if err := db.Migrate(t.Context(), migrated, steps); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := db.ExecIn(t.Context(), migrated, `VACUUM`); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(migrated) // the last connection that closes leaves no log
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("blank.db", b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	blank := filepath.Join(t.TempDir(), db.File)
	b, err := os.ReadFile("blank.db")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(blank, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if want, got := describe(t, migrated), describe(t, blank); got != want {
		t.Errorf("blank.db is\n%s\nthe migrations make\n%s", got, want)
	}
	// Switched later, it would have to be written and waited for once more.
	if wal := []byte{2, 2}; !bytes.Equal(b[18:20], wal) { // https://sqlite.org/fileformat.html#file_format_version_numbers
		t.Errorf("blank.db is not in WAL mode: %v", b[18:20])
	}
}

// describe is the schema and settings of a database, and how much it holds.
func describe(t *testing.T, path string) (all string) {
	t.Helper()
	for _, pragma := range []string{"application_id", "user_version", "page_size", "auto_vacuum", "encoding", "journal_mode"} {
		all += fmt.Sprintf("%s: %v\n", pragma, texts(t, path, `SELECT * FROM pragma_`+pragma))
	}
	for _, table := range texts(t, path, `SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1`) {
		all += fmt.Sprintf("%s: %s rows\n", table, texts(t, path, `SELECT count(*) FROM "`+table+`"`))
	}
	for _, s := range texts(t, path, `SELECT type || ' ' || name || ' on ' || tbl_name || ': ' || ifnull(sql, '') FROM sqlite_schema ORDER BY 1`) {
		all += s + "\n"
	}
	return all
}

func texts(t *testing.T, path, query string) []string {
	t.Helper()
	all, err := db.TextsIn(t.Context(), path, query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return all
}
