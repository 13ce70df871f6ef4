package hints

// alphabet has the letters of labels, those under the fingers first.
const alphabet = "asdfjklghqwertyuiopzxcvbnm"

const letters = len(alphabet)

// Labels makes n labels of one or two lower-case letters, at most Max, of which
// none begins another one. The short ones come first.
func Labels(n int) []string {
	n = max(0, min(n, Max))
	// Each letter that begins two-letter labels is lost as a label and gives as many
	// as there are letters.
	pairs := max(0, (n-letters+letters-2)/(letters-1))
	labels := make([]string, 0, n)
	for i := 0; i < letters-pairs && len(labels) < n; i++ {
		labels = append(labels, alphabet[i:i+1])
	}
	for i := letters - pairs; i < letters; i++ {
		for j := 0; j < letters && len(labels) < n; j++ {
			labels = append(labels, alphabet[i:i+1]+alphabet[j:j+1])
		}
	}
	return labels
}

// Labelled gives each hint its label: the last one, which came last, the first;
// hints of the same text share one.
func Labelled(all []Hint) []string {
	type what struct {
		kind Kind
		text string
	}
	rank := map[what]int{}
	for i := len(all) - 1; i >= 0; i-- {
		w := what{all[i].Kind, all[i].Text}
		if _, known := rank[w]; !known {
			rank[w] = len(rank)
		}
	}
	labels := Labels(len(rank))
	of := make([]string, len(all))
	for i, h := range all {
		of[i] = labels[rank[what{h.Kind, h.Text}]]
	}
	return of
}
