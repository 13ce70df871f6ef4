package lab

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

// model serves a model on loopback for the length of a test and returns its URL.
// It speaks Anthropic Messages (claude), OpenAI Responses (codex, mastracode) and the
// forms of chat.go, tells of its answers, keeps no state, and answers with the last codeword and the number of messages in the
// history that it is sent: an agent that knows a codeword after a relaunch has
// sent its old conversation again.
func model(tb testing.TB, heard func(last, answer string)) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(io.LimitReader(r.Body, 64<<20))
		if last := hangs(body); last != "" {
			heard(last, "")
			<-r.Context().Done() // until the agent gives up
			return
		}
		if !serveOther(w, r.URL.Path, body, heard) {
			serveModel(w, r, body, heard)
		}
	}))
	tb.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s.URL
}

// hangs is the last message of a history, in any form, if it asks for no answer:
// [[hang]].
func hangs(body []byte) string {
	var in struct{ Messages, Contents, Input json.RawMessage }
	_ = json.Unmarshal(body, &in)
	last := ""
	for _, list := range []json.RawMessage{in.Messages, in.Contents, in.Input} {
		var turns []json.RawMessage
		_ = json.Unmarshal(list, &turns)
		for _, t := range turns {
			var of struct{ Role string }
			if _ = json.Unmarshal(t, &of); of.Role == "user" {
				last = string(t)
			}
		}
	}
	if !strings.Contains(last, "[[hang]]") {
		return ""
	}
	return last
}

var codeword = regexp.MustCompile(`codeword (?:is )?([A-Z]+-[0-9]+)`)

// turn is one entry of a history, in either form.
type turn struct {
	Role    string
	Content json.RawMessage
}

func serveModel(w http.ResponseWriter, r *http.Request, body []byte, heard func(last, answer string)) {
	var in struct {
		Stream   bool
		Messages []turn
		Input    json.RawMessage // a list of turns, or a string
	}
	_ = json.Unmarshal(body, &in)
	e := events{w: w}
	switch path := r.URL.Path; {
	case strings.HasSuffix(path, "/count_tokens"):
		reply(w, object{"input_tokens": 10})
	case strings.HasSuffix(path, "/messages") && in.Stream:
		if tool, input := called(in.Messages); tool != "" {
			e.anthropicCall(tool, input)
			return
		}
		heard(lastAsked(in.Messages), answer(in.Messages))
		e.anthropic(answer(in.Messages))
	case strings.HasSuffix(path, "/messages"):
		reply(w, anthropicMessage([]object{{"type": "text", "text": answer(in.Messages)}}, "end_turn"))
	case strings.HasSuffix(path, "/responses"):
		var turns []turn
		_ = json.Unmarshal(in.Input, &turns)
		if tool, input := called(turns); tool != "" && in.Stream {
			e.responsesCall(tool, input)
			return
		}
		heard(lastAsked(turns), answer(turns))
		e.responses(answer(turns), in.Stream)
	case strings.HasSuffix(path, "/models"):
		reply(w, object{"object": "list", "data": []object{{"id": "fake-model", "object": "model", "type": "model", "display_name": "fake-model"}}})
	default:
		w.WriteHeader(http.StatusNotFound)
		reply(w, object{"error": object{"type": "not_found", "message": "not served"}})
	}
}

// answer depends on the history and on nothing else.
func answer(history []turn) string {
	word, n := "", 0
	for _, t := range history {
		if t.Role != "user" && t.Role != "assistant" {
			continue
		}
		n++
		if t.Role != "user" {
			continue
		}
		for _, m := range codeword.FindAllSubmatch(t.Content, -1) {
			word = string(m[1])
		}
	}
	if word == "" {
		return fmt.Sprintf("no codeword (%d messages)", n)
	}
	return fmt.Sprintf("codeword is %s (%d messages)", word, n)
}

// call is how a message asks for a call of a tool: [[tool NAME {json}]], once the
// JSON that it stands in is undone.
var call = regexp.MustCompile(`\[\[tool (\w+) (\{[^]]*\})\]\]`)

// called is the call that the last message asks for; "": none does.
func called(history []turn) (tool, input string) {
	if len(history) == 0 || history[len(history)-1].Role != "user" {
		return "", ""
	}
	var content any
	_ = json.Unmarshal(history[len(history)-1].Content, &content)
	for _, text := range texts(content) {
		if m := call.FindStringSubmatch(text); m != nil {
			return m[1], m[2]
		}
	}
	return "", ""
}

// texts are the words of a message's content, which is text or a list of parts.
func texts(content any) (all []string) {
	switch c := content.(type) {
	case string:
		return []string{c}
	case []any:
		for _, part := range c {
			if p, ok := part.(object); ok {
				if text, ok := p["text"].(string); ok {
					all = append(all, text)
				}
			}
		}
	}
	return all
}

type object = map[string]any

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// events writes server-sent events.
type events struct {
	w io.Writer
	n int
}

func (e *events) send(name string, o object) {
	if e.n == 0 {
		e.w.(http.ResponseWriter).Header().Set("Content-Type", "text/event-stream")
	}
	o["type"], o["sequence_number"] = name, e.n
	e.n++
	data, _ := json.Marshal(o)
	_, _ = fmt.Fprintf(e.w, "event: %s\ndata: %s\n\n", name, data)
}

func anthropicMessage(content []object, stop any) object {
	return object{
		"id": "msg_1", "type": "message", "role": "assistant", "model": "fake-model", "content": content,
		"stop_reason": stop, "stop_sequence": nil, "usage": object{"input_tokens": 10, "output_tokens": 10},
	}
}

func (e *events) anthropic(text string) {
	e.send("message_start", object{"message": anthropicMessage([]object{}, nil)})
	e.send("content_block_start", object{"index": 0, "content_block": object{"type": "text", "text": ""}})
	e.send("content_block_delta", object{"index": 0, "delta": object{"type": "text_delta", "text": text}})
	e.send("content_block_stop", object{"index": 0})
	e.send("message_delta", object{"delta": object{"stop_reason": "end_turn", "stop_sequence": nil}, "usage": object{"output_tokens": 10}})
	e.send("message_stop", object{})
}

func (e *events) anthropicCall(tool, input string) {
	e.send("message_start", object{"message": anthropicMessage([]object{}, nil)})
	e.send("content_block_start", object{"index": 0, "content_block": object{"type": "tool_use", "id": "toolu_1", "name": tool, "input": object{}}})
	e.send("content_block_delta", object{"index": 0, "delta": object{"type": "input_json_delta", "partial_json": input}})
	e.send("content_block_stop", object{"index": 0})
	e.send("message_delta", object{"delta": object{"stop_reason": "tool_use", "stop_sequence": nil}, "usage": object{"output_tokens": 10}})
	e.send("message_stop", object{})
}

func response(status string, output ...object) object {
	return object{
		"id": "resp_1", "object": "response", "created_at": 1, "status": status, "model": "fake-model",
		"output": append([]object{}, output...), "usage": object{"input_tokens": 10, "output_tokens": 10, "total_tokens": 20},
	}
}

func (e *events) responsesCall(tool, input string) {
	item := object{"id": "fc_1", "type": "function_call", "call_id": "call_1", "name": tool, "arguments": input, "status": "completed"}
	e.send("response.created", object{"response": response("in_progress")})
	e.send("response.output_item.done", object{"output_index": 0, "item": item})
	e.send("response.completed", object{"response": response("completed", item)})
}

func (e *events) responses(text string, stream bool) {
	item := object{
		"id": "msg_1", "type": "message", "role": "assistant", "status": "completed",
		"content": []object{{"type": "output_text", "text": text, "annotations": []any{}}},
	}
	if !stream {
		reply(e.w.(http.ResponseWriter), response("completed", item))
		return
	}
	e.send("response.created", object{"response": response("in_progress")})
	e.send("response.output_item.done", object{"output_index": 0, "item": item})
	e.send("response.completed", object{"response": response("completed", item)})
}
