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

// Fault is a way to misbehave. Of those that are replies of the model all the same, the text is
// that of the script, if there is any.
type Fault string

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

	// Failures of the connection. As a server, the endpoint closes the connection for those that
	// come before a server.
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
	untaken    Fault = "400, not in this form"
)

const OtherHost = "https://elsewhere.invalid/v1/chat/completions"

// answer is what is sent: status, headers, body, and how the connection ends.
type answer struct {
	status int
	header http.Header
	body   string
	cut    bool // after the body the connection breaks
	slow   bool // before the rest of the body nothing comes any more
}

func (e *Endpoint) answer(f Fault, messages []schemas.Message, req *http.Request) answer {
	if a, ok := refusals[f]; ok {
		said := string(f)
		if f == Unauthorized || f == TooLong {
			said = "not with " + key(req)
		}
		a.body = `{"error":{"message":"` + said + `"}}`
		return a
	}
	a := answer{status: http.StatusOK}
	whole := completion("5", schemas.Usage{})
	switch f {
	case GzipBomb:
		a.header, a.body = gzipped, bomb()
	case TornGzip:
		packed := pack(whole)
		a.header, a.body = gzipped, packed[:len(packed)/2]
	case CutBody, SlowBody:
		a.body, a.cut, a.slow = whole[:len(whole)/2], f == CutBody, f == SlowBody
	case HugeReply:
		a.body = completion(strings.Repeat("5", 50<<20), schemas.Usage{})
	default:
		var ok bool
		if a.body, ok = junk[f]; !ok {
			a.body = e.complete(messages, f, req)
		}
	}
	return a
}

func key(req *http.Request) string {
	return strings.TrimPrefix(req.Header.Get("Authorization"), "Bearer ")
}

var gzipped = with("Content-Encoding", "gzip")

// refusals are the answers with another status than 200, but for their bodies.
var refusals = map[Fault]answer{
	RateSeconds:   {status: 429, header: with("Retry-After", "7")},
	RateDate:      {status: 429, header: with("Retry-After", "Wed, 21 Oct 2026 07:28:09 GMT")},
	RateGarbage:   {status: 429, header: with("Retry-After", "soon")},
	RateNow:       {status: 429, header: with("Retry-After", "0")},
	RateForever:   {status: 429, header: with("Retry-After", "31536000")},
	RateAbsent:    {status: 429},
	Internal:      {status: 500},
	BadGateway:    {status: 502},
	Unavailable:   {status: 503, header: with("Retry-After", "3")},
	Overloaded:    {status: 529},
	Unauthorized:  {status: 401},
	Forbidden:     {status: 403},
	NotFound:      {status: 404},
	TooLong:       {status: 400},
	badRequest:    {status: 400},
	untaken:       {status: 400},
	ElsewhereGET:  {status: 302, header: with("Location", OtherHost)},
	ElsewherePOST: {status: 307, header: with("Location", OtherHost)},
}

func with(name, value string) http.Header { return http.Header{name: {value}} }

// junk is bodies with status 200 that hold no completion.
var junk = map[Fault]string{
	EmptyBody:   "",
	TornJSON:    `{"choices":[{"message":{"content":"5`,
	WrongShape:  `{"choices":{"message":"5"}}`,
	NoChoices:   `{"choices":[]}`,
	HTML:        "<html><body>5 minutes of maintenance</body></html>",
	BrokenChunk: chunk + `data: {"cho`,
	SameChunks:  chunk + chunk + "data: [DONE]\n\n",
}

const chunk = `data: {"choices":[{"delta":{"content":"5"}}]}` + "\n\n"

// bomb is 64 MiB of blanks in 64 KiB.
var bomb = sync.OnceValue(func() string { return pack(strings.Repeat(" ", 64<<20)) })

func pack(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(text)) // to memory
	_ = w.Close()
	return b.String()
}

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
			"prompt_tokens_details":     map[string]any{"cached_tokens": u.Cached},
		},
	})
	return string(out)
}

// shaped returns the form of a completion under a fault that leaves it one.
func shaped(f Fault, req *http.Request, text string, u schemas.Usage) string {
	m, finish := map[string]any{"role": "assistant", "content": text}, "stop"
	old, put := "", "" // in the whole answer
	switch f {
	case NullContent:
		m["content"], m["reasoning_content"] = nil, "I say nothing"
	case CutLength:
		finish = "length"
	case Filtered:
		finish = "content_filter"
	case Refusal:
		m["content"], m["refusal"] = nil, "I do not play"
	case ToolCalls:
		m["content"], m["tool_calls"] = nil, []any{map[string]any{"id": "1", "type": "function"}}
		finish = "tool_calls"
	case BadUTF8:
		m["content"] = "@" + text
		old, put = `"@`, "\"\xff\xc0"
	case Parts:
		m["content"] = []any{map[string]any{"type": "text", "text": text}, map[string]any{"type": "image"}}
	case NoUsage:
		old, put = `"usage"`, `"unused"`
	case MadUsage:
		old, put = fmt.Sprintf(`"prompt_tokens":%d`, u.Prompt), `"prompt_tokens":-5`
	case EchoesKey:
		m["content"], m["reasoning"] = text+" "+key(req), req.Header.Get("Authorization")
	}
	return strings.Replace(message(m, finish, u), old, put, 1)
}
