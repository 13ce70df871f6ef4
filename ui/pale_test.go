package ui_test

import (
	"image/color"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"

	"reprise/ui"
	"reprise/ui/pump"
	"reprise/ui/theme"
)

// A pale colour of a person's own is named once, when the terminal told its background.
func TestPaleColoursAreNamedOnce(t *testing.T) {
	dusk := theme.Ink()
	dusk.Name = "dusk"
	dusk.Choose(theme.Muted, theme.Value{RGB: 0x666666})
	said := map[string]bool{}
	with := func(cfg *ui.Config) {
		cfg.Theme = theme.Always(dusk)
		cfg.Said = func(words string) bool {
			before := said[words]
			said[words] = true
			return before
		}
	}
	const words = "theme dusk: muted has contrast 3.7 on your background, 4.5 is readable. Used as it is."
	runWith(t, 1, with, func(c *client) {
		c.misses("readable")
		c.event(pump.Event{Ev: uv.BackgroundColorEvent{Color: color.Black}})
		c.sees(words)
	})
	runWith(t, 1, with, func(c *client) {
		c.event(pump.Event{Ev: uv.BackgroundColorEvent{Color: color.Black}})
		c.misses("readable")
		c.event(pump.Event{Ev: uv.BackgroundColorEvent{Color: color.RGBA{0x20, 0x20, 0x20, 0xff}}})
		c.sees("muted has contrast 2.8")
	})
}
