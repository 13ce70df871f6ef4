package panes

// Slice is what ShortSlices asks for.
const Slice = slice
