package db_test

import (
	"slices"
	"testing"

	"reprise/db"
)

func TestBuildsOfThoseNotSwept(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	open := func(build string) *db.DB {
		d, err := db.Open(ctx, dir, db.Options{})
		if err == nil {
			_, err = d.Register(ctx, build)
		}
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	a, b := open("old"), open("new")
	defer b.Close()
	got, err := b.Builds(ctx)
	if want := []string{"new", "old"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("builds %v, %v, want %v", got, err, want)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	got, err = b.Builds(ctx)
	if want := []string{"new"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("builds after one left %v, %v, want %v", got, err, want)
	}
}
