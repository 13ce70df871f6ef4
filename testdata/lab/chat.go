package lab

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// chat answers in the form of OpenAI's chat completions (qwen, copilot, opencode, pi,
// kimi, grok), with a call of a tool where the message asks for one.
func (e *events) chat(text, tool, input string, stream bool) {
	usage := object{"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20}
	head := object{"id": "chatcmpl-1", "created": 1, "model": "fake-model"}
	if !stream {
		head["object"], head["usage"] = "chat.completion", usage
		head["choices"] = []object{{"index": 0, "message": object{"role": "assistant", "content": text}, "finish_reason": "stop"}}
		reply(e.w.(http.ResponseWriter), head)
		return
	}
	delta, finish := object{"role": "assistant", "content": text}, "stop"
	if tool != "" {
		call := object{"index": 0, "id": "call_1", "type": "function", "function": object{"name": tool, "arguments": input}}
		delta, finish = object{"role": "assistant", "content": nil, "tool_calls": []object{call}}, "tool_calls"
	}
	head["object"] = "chat.completion.chunk"
	head["choices"] = []object{{"index": 0, "delta": delta, "finish_reason": nil}}
	e.data(head)
	head["choices"], head["usage"] = []object{{"index": 0, "delta": object{}, "finish_reason": finish}}, usage
	e.data(head)
	_, _ = io.WriteString(e.w, "data: [DONE]\n\n")
}

// gemini answers in the form of Google's generateContent, with a call of a tool where
// the message asks for one.
func (e *events) gemini(text, tool, input string, stream bool) {
	part := object{"text": text}
	if tool != "" {
		part = object{"functionCall": object{"name": tool, "args": json.RawMessage(input)}}
	}
	r := object{
		"candidates": []object{{
			"index": 0, "finishReason": "STOP", "content": object{"role": "model", "parts": []object{part}},
		}},
		"usageMetadata": object{"promptTokenCount": 10, "candidatesTokenCount": 10, "totalTokenCount": 20}, "modelVersion": "fake-model",
	}
	if !stream {
		reply(e.w.(http.ResponseWriter), r)
		return
	}
	e.data(r)
}

// data writes an event without a name.
func (e *events) data(o object) {
	if w := e.w.(http.ResponseWriter); w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "text/event-stream")
	}
	line, _ := json.Marshal(o)
	_, _ = fmt.Fprintf(e.w, "data: %s\n\n", line)
}

// serveOther serves the forms that claude and codex do not speak; false: the
// request is none of them. heard is told of each answer, and of what
// it answers.
func serveOther(w http.ResponseWriter, path string, body []byte, heard func(last, answer string)) bool {
	var in struct {
		Stream           bool
		Messages         []turn
		Contents         []struct{ Role, Parts json.RawMessage }
		Tools            []struct{ Function struct{ Name string } }
		GenerationConfig struct{ ResponseJSONSchema, ResponseSchema json.RawMessage }
	}
	_ = json.Unmarshal(body, &in)
	turns := in.Messages
	for _, c := range in.Contents {
		role := "assistant"
		if string(c.Role) == `"user"` {
			role = "user"
		}
		turns = append(turns, turn{role, c.Parts})
	}
	said := answer(turns)
	tool, input := called(turns)
	e := events{w: w}
	switch {
	case len(in.Tools) == 1 && in.Tools[0].Function.Name == "session_title": // grok's, beside the conversation
		e.chat("", "session_title", `{"session_title":"fake"}`, in.Stream)
		return true
	case strings.HasSuffix(path, "/chat/completions"):
		e.chat(said, tool, input, in.Stream)
	case strings.HasSuffix(path, ":countTokens"):
		reply(w, object{"totalTokens": 10})
		return true
	case strings.Contains(path, "enerateContent"):
		if in.GenerationConfig.ResponseJSONSchema != nil || in.GenerationConfig.ResponseSchema != nil {
			said, tool = `{"reasoning":"fake","next_speaker":"user","model_choice":"flash"}`, ""
		}
		e.gemini(said, tool, input, strings.Contains(path, "stream"))
	default:
		return false
	}
	if asked := lastAsked(turns); asked != "" {
		heard(asked, said)
	}
	return true
}

// lastAsked is what a person said last, with what the agent added as messages of its own
// (kimi: the date).
func lastAsked(history []turn) (said string) {
	for i := len(history) - 1; i >= 0; i-- {
		switch {
		case history[i].Role == "user":
			said = string(history[i].Content) + "\n" + said
		case said != "":
			return said
		}
	}
	return said
}
