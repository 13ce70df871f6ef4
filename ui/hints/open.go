package hints

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLink bounds what is opened, in bytes, as the emulator bounds targets.
const maxLink = 2083

// mailFields are the parts of a mailto link that are handed on. Others, such as
// attach, make some programs send files of the person's.
var mailFields = []string{"to", "cc", "bcc", "subject", "body", "in-reply-to"}

// Openable is a link as it may be given to a program that opens links: it begins
// with its scheme, so that it is never an option, and holds no control characters.
// The error says why it is not opened, for a sentence that ends with it.
func Openable(link string) (safe string, err error) {
	if len(link) > maxLink || !utf8.ValidString(link) || strings.ContainsFunc(link, isHidden) {
		return "", errors.New("it is too long or has characters that cannot be seen")
	}
	u, err := url.Parse(link)
	if err != nil {
		return "", errors.New("it is no valid link")
	}
	switch u.Scheme {
	case "http", "https":
		if u.Host == "" {
			return "", errors.New("it names no host")
		}
	case "file":
		if u.Host != "" && u.Host != "localhost" || !strings.HasPrefix(u.Path, "/") {
			return "", errors.New("it names a file of another machine")
		}
		u.Host = ""
	case "mailto":
		q := u.Query()
		for k := range q {
			if !slices.Contains(mailFields, strings.ToLower(k)) {
				q.Del(k)
			}
		}
		// Mail programs take a plus for itself (RFC 6068).
		u.RawQuery = strings.ReplaceAll(q.Encode(), "+", "%20")
	default:
		return "", fmt.Errorf("only http, https, file and mailto are opened, not %q", u.Scheme)
	}
	return u.String(), nil
}

// LocalFile is the file that an openable link names; "": none.
func LocalFile(link string) string {
	if u, err := url.Parse(link); err == nil && u.Scheme == "file" {
		return u.Path
	}
	return ""
}

func isHidden(r rune) bool { return !unicode.IsPrint(r) }
