package cli

// nearest is the word that a misspelt one most likely meant: the one with the
// least edit distance, if that is at most a third of its length; else "".
func nearest(word string, among []string) string {
	best, least := "", len(word)/3+1
	for _, w := range among {
		if d := editDistance(word, w); d < least {
			best, least = w, d
		}
	}
	return best
}

// editDistance is Levenshtein's: insertions, deletions and substitutions.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
