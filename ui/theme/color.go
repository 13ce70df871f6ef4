package theme

import "math"

// RGB is 0xRRGGBB in sRGB.
type RGB uint32

func (c RGB) channels() [3]float64 {
	return [3]float64{float64(c >> 16 & 255), float64(c >> 8 & 255), float64(c & 255)}
}

func fromChannels(ch [3]float64) RGB {
	var c RGB
	for _, x := range ch {
		c = c<<8 | RGB(math.Round(min(255, max(0, x))))
	}
	return c
}

// linear is the colour in linear light, each channel from 0 to 1 (IEC 61966-2-1).
func (c RGB) linear() [3]float64 {
	ch := c.channels()
	for i, x := range ch {
		if x /= 255; x <= 0.04045 {
			ch[i] = x / 12.92
		} else {
			ch[i] = math.Pow((x+0.055)/1.055, 2.4)
		}
	}
	return ch
}

func fromLinear(ch [3]float64) RGB {
	for i, x := range ch {
		if x = min(1, max(0, x)); x <= 0.0031308 {
			ch[i] = x * 12.92 * 255
		} else {
			ch[i] = (1.055*math.Pow(x, 1/2.4) - 0.055) * 255
		}
	}
	return fromChannels(ch)
}

// luminance is WCAG 2.2's relative luminance, 0 to 1.
func (c RGB) luminance() float64 {
	l := c.linear()
	return 0.2126*l[0] + 0.7152*l[1] + 0.0722*l[2]
}

// Dark reports whether white stands out more on the colour than black does.
func (c RGB) Dark() bool { return Contrast(c, 0xffffff) > Contrast(c, 0) }

// Contrast is WCAG 2.2's ratio of relative luminances, from 1 to 21.
func Contrast(a, b RGB) float64 {
	x, y := a.luminance(), b.luminance()
	if x < y {
		x, y = y, x
	}
	return (x + 0.05) / (y + 0.05)
}

// lab is a colour in OKLab: lightness from 0 to 1, and two axes of colour.
// https://bottosson.github.io/posts/oklab/
type lab [3]float64

func toLab(lin [3]float64) lab {
	l := math.Cbrt(0.4122214708*lin[0] + 0.5363325363*lin[1] + 0.0514459929*lin[2])
	m := math.Cbrt(0.2119034982*lin[0] + 0.6806995451*lin[1] + 0.1073969566*lin[2])
	s := math.Cbrt(0.0883024619*lin[0] + 0.2817188376*lin[1] + 0.6299787005*lin[2])
	return lab{
		0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		0.0259040371*l + 0.7827717662*m - 0.8086757660*s,
	}
}

func (c lab) rgb() RGB {
	l := c[0] + 0.3963377774*c[1] + 0.2158037573*c[2]
	m := c[0] - 0.1055613458*c[1] - 0.0638541728*c[2]
	s := c[0] - 0.0894841775*c[1] - 1.2914855480*c[2]
	l, m, s = l*l*l, m*m*m, s*s*s
	return fromLinear([3]float64{
		4.0767416621*l - 3.3077115913*m + 0.2309699292*s,
		-1.2684380046*l + 2.6097574011*m - 0.3413193965*s,
		-0.0041960863*l - 0.7034186147*m + 1.7076147010*s,
	})
}

func (c lab) distance(d lab) float64 {
	x, y, z := c[0]-d[0], c[1]-d[1], c[2]-d[2]
	return math.Sqrt(x*x + y*y + z*z)
}

// mix is a with the given share of b, in sRGB.
func mix(a, b RGB, share float64) RGB {
	x, y := a.channels(), b.channels()
	for i := range x {
		x[i] += share * (y[i] - x[i])
	}
	return fromChannels(x)
}

// paletteRGB is entry i of xterm's palette, for 16 to 255 (the first 16 are the
// person's own and cannot be known).
func paletteRGB(i uint8) RGB {
	if i >= 232 {
		g := RGB(8 + 10*(int(i)-232))
		return g<<16 | g<<8 | g
	}
	steps := [6]RGB{0, 95, 135, 175, 215, 255}
	n := int(i) - 16
	return steps[n/36]<<16 | steps[n/6%6]<<8 | steps[n%6]
}
