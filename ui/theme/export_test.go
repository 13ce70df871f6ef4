package theme

// Distance is the OKLab distance as a person sees it whose vision the matrix
// describes.
func Distance(a, b RGB, m [9]float64) float64 {
	see := func(c RGB) lab {
		l := c.linear()
		var d [3]float64
		for i := range d {
			d[i] = min(1, max(0, m[3*i]*l[0]+m[3*i+1]*l[1]+m[3*i+2]*l[2]))
		}
		return toLab(d)
	}
	return see(a).distance(see(b))
}

// PaletteRGB is an entry of xterm's palette.
func PaletteRGB(i uint8) RGB { return paletteRGB(i) }
