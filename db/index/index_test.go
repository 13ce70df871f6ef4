package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"reprise/agent"
	"reprise/agent/past"
	"reprise/db"
)

func open1(t testing.TB, dir string) *Index {
	t.Helper()
	x, err := Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

func session(id, dir, first string, used int64) past.Conversation {
	return past.Conversation{
		Identity: agent.Identity{Kind: "claude", Session: agent.SessionID(id)},
		Dir:      dir, First: first, Last: "done", Words: first + "\nand more", Used: time.Unix(used, 0), Begun: time.Unix(1, 0),
	}
}

func ids(list []past.Conversation) (all []string) {
	for _, s := range list {
		all = append(all, string(s.Session))
	}
	return all
}

func TestIndex(t *testing.T) {
	ctx := context.Background()
	dir := filepath.Join(t.TempDir(), "cache")
	x := open1(t, dir)
	marked := past.Mark{Size: 1, Time: 2, Kind: "claude", Home: "/h", Form: -3}
	files := []past.File{
		{Path: "/a", Mark: marked, Sessions: []past.Conversation{session("a", "/w", "Mend the Zürich parser", 10)}},
		{Path: "/b", Mark: past.Mark{Size: 3, Time: 4}, Sessions: []past.Conversation{session("b", "/v", "write tests", 30), session("c", "/w", "parse more", 20)}},
		{Path: "/none", Mark: past.Mark{Size: 5, Time: 6}},
		{Path: "/again", Sessions: []past.Conversation{session("a", "/w", "an older file of it", 5)}},
	}
	must(t, x.Put(ctx, files))
	list := func(limit int) []string {
		t.Helper()
		all, err := x.List(ctx, limit)
		must(t, err)
		return ids(all)
	}
	saying := func(word string) (all []string) {
		t.Helper()
		found, err := x.Saying(ctx, word)
		must(t, err)
		for id := range found {
			all = append(all, string(id.Session))
		}
		slices.Sort(all)
		return all
	}
	want := func(what string, got []string, want ...string) {
		t.Helper()
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", what, d)
		}
	}
	want("all", list(9), "b", "c", "a")
	want("two", list(2), "b", "c")
	want("the beginning of a word", saying("pars"), "a", "c")
	want("an accent", saying("ZURICH"), "a")
	want("two runs in one word", saying("zürich-parser"), "a")
	want("a directory", saying("/v"), "b")
	want("not in the middle", saying("arser"))
	want("what a query would take for its own", saying(`par" OR "*`))
	if got, err := x.Saying(ctx, "-*\""); got != nil || err != nil {
		t.Errorf("no letters: %v, %v", got, err)
	}
	all, err := x.List(ctx, 1)
	must(t, err)
	whole := files[1].Sessions[0]
	whole.Words = ""
	if d := cmp.Diff(whole, all[0]); d != "" {
		t.Error(d)
	}

	// A file takes the place of what it was, another process sees it.
	files[1].Sessions = files[1].Sessions[1:]
	files[1].Mark.Size++
	must(t, open1(t, dir).Put(ctx, files[1:2]))
	want("of the file", list(9), "c", "a")
	want("its words", saying("tests"))
	must(t, x.Drop(ctx, []string{"/b", "/unknown"}))
	want("after it went", list(9), "a")
	want("its words", saying("parse"), "a")
	marks, err := x.Marks(ctx)
	must(t, err)
	if d := cmp.Diff(map[string]past.Mark{"/a": marked, "/none": {Size: 5, Time: 6}, "/again": {}}, marks); d != "" {
		t.Error(d)
	}
}

// A damaged index, and one of another version, is made anew: it is a cache.
func TestMadeAnew(t *testing.T) {
	ctx := context.Background()
	for name, spoil := range map[string]func(t *testing.T, path string){
		"damaged": func(t *testing.T, path string) {
			must(t, os.WriteFile(path, []byte(strings.Repeat("no database ", 999)), 0o600))
		},
		"another version": func(t *testing.T, path string) {
			x, err := Open(ctx, filepath.Dir(path))
			must(t, err)
			_, err = x.pool.ExecContext(ctx, `PRAGMA user_version = 99`)
			must(t, err)
			must(t, x.Close())
		},
		"another program's": func(t *testing.T, path string) {
			x, err := Open(ctx, filepath.Dir(path))
			must(t, err)
			_, err = x.pool.ExecContext(ctx, `PRAGMA user_version = 0`)
			must(t, err)
			must(t, x.Close())
		},
		"gone": func(t *testing.T, path string) { must(t, os.RemoveAll(filepath.Dir(path))) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "cache")
			x, err := Open(ctx, dir)
			must(t, err)
			must(t, x.Put(ctx, []past.File{{Path: "/a", Sessions: []past.Conversation{session("a", "/w", "hello", 10)}}}))
			must(t, x.Close())
			spoil(t, filepath.Join(dir, File))
			x = open1(t, dir)
			if all, err := x.List(ctx, 9); err != nil || len(all) != 0 {
				t.Errorf("%v, %v", all, err)
			}
			must(t, x.Put(ctx, []past.File{{Path: "/a"}}))
			if st, err := os.Stat(filepath.Join(dir, File)); err != nil || st.Mode().Perm() != 0o600 {
				t.Errorf("%v, %v", st.Mode(), err)
			}
		})
	}
}

// One that is only in use, or cannot be opened just now, stays as it is.
func TestNotMadeAnew(t *testing.T) {
	ctx := context.Background()
	dir := filepath.Join(t.TempDir(), "cache")
	x := open1(t, dir)
	must(t, x.Put(ctx, []past.File{{Path: "/a", Sessions: []past.Conversation{session("a", "/w", "hello", 10)}}}))
	before, err := os.Stat(filepath.Join(dir, File))
	must(t, err)
	same := func(what string) {
		t.Helper()
		if now, err := os.Stat(filepath.Join(dir, File)); err != nil || !os.SameFile(before, now) {
			t.Errorf("%s: it was made anew (%v)", what, err)
		}
	}

	// In rollback mode a writer that is about to commit keeps readers out.
	_, err = x.pool.ExecContext(ctx, `PRAGMA journal_mode = DELETE`)
	must(t, err)
	lock, err := x.pool.Conn(ctx)
	must(t, err)
	defer lock.Close()
	_, err = lock.ExecContext(ctx, `PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE`)
	must(t, err)
	busy, err := sql.Open("sqlite", "file:"+filepath.Join(dir, File)+"?_busy_timeout=1")
	must(t, err)
	defer busy.Close()
	if err := (&Index{pool: busy}).make(ctx); !db.Busy(err) {
		t.Errorf("a locked index: %v", err)
	}
	over, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Open(over, dir); err == nil {
		t.Error("opened though it was called off")
	}
	same("locked")
	_, err = lock.ExecContext(ctx, `ROLLBACK`)
	must(t, err)

	if os.Geteuid() != 0 { // root may read everything
		must(t, os.Chmod(filepath.Join(dir, File), 0))
		if _, err := Open(ctx, dir); err == nil {
			t.Error("opened what may not be read")
		}
		same("forbidden")
	}
}

// Whoever reads the stores has them alone; who waits can give up, and waits for nobody
// for good.
func TestAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	first, second := open1(t, dir), open1(t, dir)
	done, err := first.Alone(t.Context())
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	let := make(chan error)
	go func() {
		_, err := second.Alone(ctx)
		let <- err
	}()
	cancel()
	if err := <-let; !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	go func() {
		over, err := second.Alone(t.Context())
		if err == nil {
			over()
		}
		let <- err
	}()
	select {
	case err := <-let:
		t.Errorf("let in beside another: %v", err)
	case <-time.After(3 * aloneEvery): // enough for a wrong one to be let in
	}
	done()
	must(t, <-let)
	synctest.Test(t, func(t *testing.T) {
		done, err := first.Alone(t.Context())
		must(t, err)
		defer done()
		begun := time.Now()
		over, err := second.Alone(t.Context())
		must(t, err)
		over()
		if waited := time.Since(begun); waited < aloneWait || waited > 2*aloneWait {
			t.Errorf("waited for %v", waited)
		}
	})
}

// Changes tells whether there may be something else.
func TestChanges(t *testing.T) {
	ctx := context.Background()
	dir := filepath.Join(t.TempDir(), "cache")
	x, other := open1(t, dir), open1(t, dir)
	tell := func() int64 {
		t.Helper()
		n, err := other.Changes(ctx)
		must(t, err)
		return n
	}
	empty := tell()
	if tell() != empty {
		t.Error("it changes by itself")
	}
	must(t, x.Put(ctx, []past.File{{Path: "/a"}}))
	put := tell()
	must(t, x.Drop(ctx, []string{"/a"}))
	if dropped := tell(); put == empty || dropped == put || dropped == empty {
		t.Errorf("%d, %d, %d", empty, put, dropped)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// many is a store of sessions of about 100 KB each, or of size bytes where that is more:
// what tools printed stands between the messages then, as it does in stores.
func many(t testing.TB, home string, n, size int) []past.Source {
	t.Helper()
	sources := func() []past.Source {
		return past.Sources(past.Stores(), home, func(string) string { return "" }, nil)
	}
	made := filepath.Join(home, "made")
	if _, err := os.Stat(made); err == nil {
		return sources()
	}
	words := strings.Fields("mend the flaky resume test that fails on a loaded machine and write its release notes about parsers sockets panes layouts themes colours")
	say := func(i int) string {
		var b strings.Builder
		for k := range 60 {
			fmt.Fprintf(&b, "%s%d ", words[(i*7+k*k)%len(words)], (i*31+k)%977)
		}
		return b.String()
	}
	printed := fmt.Sprintf(`{"type":"user","cwd":"/w","message":{"role":"user","content":[{"type":"tool_result","content":%q}]}}`+"\n", strings.Repeat("ok  \treprise/panes\t0.123s\n", 300))
	for i := range n {
		dir := filepath.Join(home, ".claude", "projects", fmt.Sprintf("-w-project-%d", i%250))
		must(t, os.MkdirAll(dir, 0o700))
		var b strings.Builder
		for k := range 120 {
			who, content := "user", fmt.Sprintf("%q", say(i+k))
			if k%2 == 1 {
				who, content = "assistant", fmt.Sprintf(`[{"type":"text","text":%q}]`, say(i*k))
			}
			fmt.Fprintf(&b, `{"type":%q,"cwd":"/w/project/%d","sessionId":"x","timestamp":"2026-11-%02dT10:%02d:00.000Z","message":{"role":%q,"content":%s}}`+"\n", who, i%250, 1+i%28, k%60, who, content)
			for b.Len() < size*k/120 {
				b.WriteString(printed)
			}
		}
		must(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%08d-1111-4111-8111-111111111111.jsonl", i)), []byte(b.String()), 0o600))
	}
	must(t, os.WriteFile(made, nil, 0o600))
	return sources()
}

const thousands = 5000

// What a person waits for: the first screen, a search, and a refresh that finds
// nothing changed. The first refresh is made before.
func BenchmarkHistory(b *testing.B) {
	benchmark(b, many(b, b.TempDir(), thousands, 0))
}

// The same of 5 GB, which has to be asked for: REPRISE_BENCH_GB=5. In the folder that
// REPRISE_BENCH_HOME names they are kept for the next time.
func BenchmarkLargeHistory(b *testing.B) {
	gb, err := strconv.Atoi(os.Getenv("REPRISE_BENCH_GB"))
	if err != nil || gb < 1 {
		b.Skip("it writes as many GB as REPRISE_BENCH_GB says")
	}
	home := os.Getenv("REPRISE_BENCH_HOME")
	if home == "" {
		home = b.TempDir()
	}
	benchmark(b, many(b, home, thousands, gb<<30/thousands))
}

func benchmark(b *testing.B, sources []past.Source) {
	ctx := context.Background()
	dir := b.TempDir()
	x := open1(b, dir)
	first := time.Duration(0)
	begun := time.Now()
	var most uint64 // memory of the heap, looked at after each batch
	stats, err := past.Refresh(ctx, x, past.Stores(), sources, func() {
		if first == 0 {
			first = time.Since(begun)
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapInuse)
	})
	must(b, err)
	b.Logf("first refresh: %+v in %v, something to show after %v, heap of at most %d MiB", stats, time.Since(begun), first, most>>20)
	if st, err := os.Stat(filepath.Join(dir, File)); err == nil {
		b.Logf("index of %d KiB", st.Size()>>10)
	}
	b.Run("open+list", func(b *testing.B) {
		for b.Loop() {
			x, err := Open(ctx, dir)
			must(b, err)
			all, err := x.List(ctx, thousands)
			must(b, err)
			if len(all) != thousands {
				b.Fatal(len(all))
			}
			must(b, x.Close())
		}
	})
	b.Run("open+list 200", func(b *testing.B) {
		for b.Loop() {
			x, err := Open(ctx, dir)
			must(b, err)
			_, err = x.List(ctx, 200)
			must(b, err)
			must(b, x.Close())
		}
	})
	b.Run("search", func(b *testing.B) {
		for b.Loop() {
			for _, w := range []string{"resume1", "p"} {
				_, err := x.Saying(ctx, w)
				must(b, err)
			}
		}
	})
	b.Run("refresh nothing", func(b *testing.B) {
		for b.Loop() {
			stats, err := past.Refresh(ctx, x, past.Stores(), sources, nil)
			must(b, err)
			if stats.Read != 0 || stats.Files != thousands {
				b.Fatalf("%+v", stats)
			}
		}
	})
}
