package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"reprise/ui/alert"
	"reprise/ui/frame"
)

// barParts are the parts that a side of the status bar can have. Tabs shrink where
// they are, so they stand at the left.
func barParts(left bool) (names []string) {
	for p := range frame.NumParts {
		if left || p != frame.PartTabs {
			names = append(names, p.String())
		}
	}
	return names
}

// barSide is a setting of the parts of one side of the status bar.
func barSide(key, doc string, left bool, field func(*config) *[]frame.Part) setting {
	all := barParts(left)
	among := strings.Join(all, ", ")
	set := func(c *config, v any) error {
		list, ok := v.([]any)
		if !ok {
			return fmt.Errorf("takes a list of parts (%s)", among)
		}
		parts := []frame.Part{}
		for _, e := range list {
			name, _ := e.(string)
			p, known := frame.PartNamed(name)
			switch {
			case !known || !slices.Contains(all, name):
				return fmt.Errorf("takes a list of parts (%s), and %q is none", among, fmt.Sprint(e))
			case slices.Contains(parts, p):
				return fmt.Errorf("has %q twice", name)
			}
			parts = append(parts, p)
		}
		*field(c) = parts
		return nil
	}
	get := func(c *config) any {
		names := []string{}
		for _, p := range *field(c) {
			names = append(names, p.String())
		}
		return names
	}
	values := takes{other: "a list of parts", schema: map[string]any{"type": "array", "items": map[string]any{"enum": all}, "uniqueItems": true}}
	return setting{key, doc + ": " + among, values, set, get}
}

// told is what notifications are: "on" or "off" for each kind.
type told [alert.NumKinds]string

// allTold is what is told without a setting: all.
func allTold() (t told) {
	for k := range t {
		t[k] = "on"
	}
	return t
}

// telling is the setting of one kind of notification.
func telling(key, doc string, k alert.Kind) setting {
	return onOff("notifications."+key, doc, func(c *config) *string { return &c.Told[k] })
}

var hoursTaken = takes{
	other:  "such as `\"22:00-07:00\"`; `\"\"` never",
	schema: map[string]any{"type": "string", "pattern": `^(([01]?\d|2[0-3]):[0-5]\d-([01]?\d|2[0-3]):[0-5]\d)?$`},
}

func setQuiet(c *config, v any) error {
	s, ok := v.(string)
	hours, err := alert.ParseHours(s)
	if !ok || err != nil {
		return fmt.Errorf("takes hours such as %q, or %q for none", "22:00-07:00", "")
	}
	c.Quiet = hours
	return nil
}

// alerts are what the config says of notifications.
func (c *config) alerts() alert.Settings {
	s := alert.Settings{Quiet: c.Quiet, Desktop: c.Desktop == "on", Silence: time.Duration(c.Silence) * time.Second}
	for k := range alert.NumKinds {
		if c.Told[k] == "off" {
			s.Off |= k.Set()
		}
	}
	return s
}
