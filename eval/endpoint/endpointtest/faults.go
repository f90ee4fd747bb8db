package endpointtest

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/wikinav/wikinav/schemas"
)

// Fault is a way to misbehave. Of those that are replies of the model all the same, the text is that of the script, if there is any.
type Fault string

// The faults.
const (
	None Fault = ""

	// Answers with another status.
	RateSeconds  Fault = "429, Retry-After in seconds"
	RateDate     Fault = "429, Retry-After as a date"
	RateAbsent   Fault = "429, no Retry-After"
	RateGarbage  Fault = "429, Retry-After that is neither"
	RateForever  Fault = "429, Retry-After of a year"
	RateNow      Fault = "429, Retry-After 0"
	Internal     Fault = "500"
	BadGateway   Fault = "502"
	Unavailable  Fault = "503"
	Overloaded   Fault = "529"
	Unauthorized Fault = "401"
	Forbidden    Fault = "403"
	NotFound     Fault = "404"
	TooLong      Fault = "400, the prompt is too long"

	// Failures of the connection. As a server, the endpoint closes the connection for those that come before a server.
	Refused       Fault = "connection refused"
	Reset         Fault = "connection reset"
	BadTLS        Fault = "TLS error"
	SlowHead      Fault = "timeout before the headers"
	SlowBody      Fault = "timeout in the body"
	CutBody       Fault = "connection cut in the body"
	TornGzip      Fault = "gzip that breaks off"
	ElsewhereGET  Fault = "redirect to another host by 302"
	ElsewherePOST Fault = "redirect to another host by 307"

	// Bodies that are no completion.
	EmptyBody   Fault = "empty body"
	TornJSON    Fault = "truncated JSON"
	WrongShape  Fault = "JSON of another shape"
	NoChoices   Fault = "choices []"
	HTML        Fault = "HTML with status 200"
	GzipBomb    Fault = "gzip bomb"
	HugeReply   Fault = "reply of 50 MB"
	BrokenChunk Fault = "stream with a broken chunk"
	SameChunks  Fault = "stream with a chunk twice"

	// Replies of the model.
	NullContent Fault = "content null"
	CutLength   Fault = "finish reason length"
	Filtered    Fault = "finish reason content_filter"
	Refusal     Fault = "refusal"
	ToolCalls   Fault = "tool calls instead of text"
	BadUTF8     Fault = "bytes that are no UTF-8"
	Parts       Fault = "content in parts"
	NoUsage     Fault = "no usage"
	MadUsage    Fault = "usage below zero"
	EchoesKey   Fault = "says the key back"

	badRequest Fault = "a request that is none"
)

// OtherHost is where the redirects lead.
const OtherHost = "https://elsewhere.invalid/v1/chat/completions"

// answer is what is sent: status, headers, body, and how the connection ends.
type answer struct {
	status int
	header map[string]string
	body   string
	cut    bool // after the body the connection breaks
	slow   bool // before the rest of the body nothing comes any more
}

// answer makes the answer to a request.
func (e *Endpoint) answer(f Fault, messages []schemas.Message, req *http.Request) answer {
	if status, header, ok := statusOf(f); ok {
		body := `{"error":{"message":"` + string(f) + `"}}`
		if f == Unauthorized || f == TooLong {
			body = `{"error":{"message":"not with ` + key(req) + `"}}`
		}
		return answer{status: status, header: header, body: body}
	}
	if body, ok := junk[f]; ok {
		return answer{status: http.StatusOK, body: body()}
	}
	switch f {
	case GzipBomb:
		return answer{status: http.StatusOK, header: gzipped, body: bomb()}
	case TornGzip:
		packed := pack(completion("5", schemas.Usage{}))
		return answer{status: http.StatusOK, header: gzipped, body: packed[:len(packed)/2]}
	case CutBody, SlowBody:
		whole := completion("5", schemas.Usage{})
		return answer{status: http.StatusOK, body: whole[:len(whole)/2], cut: f == CutBody, slow: f == SlowBody}
	}
	return answer{status: http.StatusOK, body: e.complete(messages, shapes(f, req))}
}

func key(req *http.Request) string {
	return strings.TrimPrefix(req.Header.Get("Authorization"), "Bearer ")
}

var gzipped = map[string]string{"Content-Encoding": "gzip"}

func statusOf(f Fault) (status int, header map[string]string, ok bool) {
	after := func(text string) map[string]string { return map[string]string{"Retry-After": text} }
	to := map[string]string{"Location": OtherHost}
	switch f {
	case RateSeconds:
		return 429, after("7"), true
	case RateDate:
		return 429, after("Wed, 21 Oct 2026 07:28:09 GMT"), true
	case RateGarbage:
		return 429, after("soon"), true
	case RateNow:
		return 429, after("0"), true
	case RateForever:
		return 429, after("31536000"), true
	case RateAbsent:
		return 429, nil, true
	case Internal:
		return 500, nil, true
	case BadGateway:
		return 502, nil, true
	case Unavailable:
		return 503, after("3"), true
	case Overloaded:
		return 529, nil, true
	case Unauthorized:
		return 401, nil, true
	case Forbidden:
		return 403, nil, true
	case NotFound:
		return 404, nil, true
	case TooLong, badRequest:
		return 400, nil, true
	case ElsewhereGET:
		return 302, to, true
	case ElsewherePOST:
		return 307, to, true
	}
	return 0, nil, false
}

// junk is bodies with status 200 that hold no completion.
var junk = map[Fault]func() string{
	EmptyBody:   func() string { return "" },
	TornJSON:    func() string { return `{"choices":[{"message":{"content":"5` },
	WrongShape:  func() string { return `{"choices":{"message":"5"}}` },
	NoChoices:   func() string { return `{"choices":[]}` },
	HTML:        func() string { return "<html><body>5 minutes of maintenance</body></html>" },
	HugeReply:   func() string { return completion(strings.Repeat("5", 50<<20), schemas.Usage{}) },
	BrokenChunk: func() string { return "data: {\"choices\":[{\"delta\":{\"content\":\"5\"}}]}\n\ndata: {\"cho" },
	SameChunks: func() string {
		return strings.Repeat("data: {\"choices\":[{\"delta\":{\"content\":\"5\"}}]}\n\n", 2) + "data: [DONE]\n\n"
	},
}

// bomb is 64 MiB of blanks in 64 KiB.
var bomb = sync.OnceValue(func() string { return pack(strings.Repeat(" ", 64<<20)) })

func pack(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(text)) // to memory
	_ = w.Close()
	return b.String()
}

// completion is an ordinary answer.
func completion(text string, u schemas.Usage) string {
	return message(map[string]any{"role": "assistant", "content": text}, "stop", u)
}

func message(m map[string]any, finish string, u schemas.Usage) string {
	out, _ := json.Marshal(map[string]any{ // of strings and numbers
		"id": "x", "object": "chat.completion", "model": "scripted",
		"choices": []any{map[string]any{"index": 0, "finish_reason": finish, "message": m}},
		"usage": map[string]any{
			"prompt_tokens": u.Prompt, "completion_tokens": u.Output, "total_tokens": u.Prompt + u.Output,
			"completion_tokens_details": map[string]any{"reasoning_tokens": u.Reasoning},
		},
	})
	return string(out)
}

// shapes gives the form of a completion under a fault that leaves it one.
func shapes(f Fault, req *http.Request) func(string, schemas.Usage) string {
	return func(text string, u schemas.Usage) string {
		m := map[string]any{"role": "assistant", "content": text}
		switch f {
		case NullContent:
			m["content"] = nil
			m["reasoning_content"] = "I say nothing"
		case CutLength:
			return message(m, "length", u)
		case Filtered:
			return message(m, "content_filter", u)
		case Refusal:
			m["content"], m["refusal"] = nil, "I do not play"
		case ToolCalls:
			m["content"], m["tool_calls"] = nil, []any{map[string]any{"id": "1", "type": "function"}}
			return message(m, "tool_calls", u)
		case BadUTF8:
			m["content"] = "@" + text
			return strings.Replace(message(m, "stop", u), `"@`, "\"\xff\xc0", 1)
		case Parts:
			m["content"] = []any{map[string]any{"type": "text", "text": text}, map[string]any{"type": "image"}}
		case NoUsage:
			return strings.Replace(message(m, "stop", u), `"usage"`, `"unused"`, 1)
		case MadUsage:
			return strings.Replace(message(m, "stop", u), fmt.Sprintf(`"prompt_tokens":%d`, u.Prompt), `"prompt_tokens":-5`, 1)
		case EchoesKey:
			m["content"], m["reasoning"] = text+" "+key(req), req.Header.Get("Authorization")
		}
		return message(m, "stop", u)
	}
}
