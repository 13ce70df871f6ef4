package vt

// control obeys a C0 control. Those that are not here do nothing.
func (e *Emulator) control(c byte) {
	switch c {
	case '\a':
		e.told.bells++
		return
	case '\b':
		e.back(1)
	case '\t':
		e.tab(1)
	case '\n', '\v', '\f':
		e.lineFeed()
	case '\r':
		e.carriageReturn()
	case 0x0E: // SO, LS1
		e.sets.gl = 1
	case 0x0F: // SI, LS0
		e.sets.gl = 0
	default:
		return
	}
	e.last.forget()
}

// escTable has the escape sequences without an intermediate, by final byte.
var escTable = [128]func(*Emulator){
	'6': (*Emulator).backIndex,                           // DECBI
	'7': (*Emulator).save,                                // DECSC
	'8': (*Emulator).restore,                             // DECRC
	'9': (*Emulator).forwardIndex,                        // DECFI
	'=': func(e *Emulator) { e.modes.appKeypad = true },  // DECKPAM
	'>': func(e *Emulator) { e.modes.appKeypad = false }, // DECKPNM
	'D': (*Emulator).index,                               // IND
	'E': (*Emulator).nextLine,                            // NEL
	'H': (*Emulator).setTab,                              // HTS
	'M': (*Emulator).reverseIndex,                        // RI
	'N': func(e *Emulator) { e.sets.single = 2 },         // SS2
	'O': func(e *Emulator) { e.sets.single = 3 },         // SS3
	'V': (*Emulator).startGuarded,                        // SPA
	'W': (*Emulator).endGuarded,                          // EPA
	'Z': (*Emulator).primaryAttributes,                   // DECID
	'c': (*Emulator).ris,                                 // RIS
	'n': func(e *Emulator) { e.sets.gl = 2 },             // LS2
	'o': func(e *Emulator) { e.sets.gl = 3 },             // LS3
}

// escIntermediate obeys an escape sequence with an intermediate.
func (e *Emulator) escIntermediate(inter, final byte) {
	e.last.forget()
	switch inter {
	case '(', ')', '*', '+':
		set := byte(0) // what is not known is ASCII
		if final == '0' || final == 'A' {
			set = final
		}
		e.sets.g[inter-'('] = set
	case '#':
		if final == '8' {
			e.alignmentTest()
		}
	}
}
