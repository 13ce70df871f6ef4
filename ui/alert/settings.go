package alert

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// DefaultSilence is after how long a pane that is monitored for silence is silent.
const DefaultSilence = 30 * time.Second

// Settings says what of what happens is told, and when.
type Settings struct {
	Off   Kinds // these are kept in the log and told in no other way
	Quiet Hours // marks alone: nothing is said, nothing passed on
	// Desktop also hands what is said of agents to the client's terminal, as a
	// notification.
	Desktop bool
	Silence time.Duration // 0: DefaultSilence
}

// Marks reports whether a kind shows in the tab.
func (s *Settings) Marks(k Kind) bool { return !s.Off.Has(k) }

// Tells reports whether a kind is said or passed on at a time.
func (s *Settings) Tells(k Kind, at time.Time) bool { return s.Marks(k) && !s.Quiet.Has(at) }

// SilentAfter is after how long a monitored pane is silent.
func (s *Settings) SilentAfter() time.Duration {
	if s.Silence <= 0 {
		return DefaultSilence
	}
	return s.Silence
}

// Hours is a part of each day, in minutes since midnight: from the one until before
// the other, over midnight if To is less. The zero Hours is no time at all.
type Hours struct{ From, To int }

// errHours says how hours are written.
var errHours = errors.New(`takes hours such as "22:00-07:00", or "" for none`)

// ParseHours reads "22:00-07:00"; "" is no time at all.
func ParseHours(s string) (h Hours, err error) {
	if s == "" {
		return Hours{}, nil
	}
	from, to, ok := strings.Cut(s, "-")
	if !ok {
		return Hours{}, errHours
	}
	for _, end := range []struct {
		text string
		to   *int
	}{{from, &h.From}, {to, &h.To}} {
		at, err := time.Parse("15:04", strings.TrimSpace(end.text))
		if err != nil {
			return Hours{}, errHours
		}
		*end.to = at.Hour()*60 + at.Minute()
	}
	if h.From == h.To { // all day, or never: nobody can tell
		return Hours{}, errHours
	}
	return h, nil
}

// String is what ParseHours reads.
func (h Hours) String() string {
	if h == (Hours{}) {
		return ""
	}
	return fmt.Sprintf("%02d:%02d-%02d:%02d", h.From/60, h.From%60, h.To/60, h.To%60)
}

// Has reports whether a time is within the hours, by the clock of its location.
func (h Hours) Has(t time.Time) bool {
	at := t.Hour()*60 + t.Minute()
	if h.From <= h.To {
		return at >= h.From && at < h.To
	}
	return at >= h.From || at < h.To
}
