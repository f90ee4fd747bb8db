package harbor

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"sync"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/arrowio"
	evalaar "github.com/wikinav/wikinav/eval/aar"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Desk answers calls from a store and keeps their log. It is safe for concurrent use.
type Desk struct {
	Tools  *aar.Tools
	Log    string // file
	Budget int    // calls that are answered; 0 without a bound
	Mode   string

	mu sync.Mutex
}

// OpenDesk reads a store. python is the interpreter, "" for none.
func OpenDesk(store, log, python string) (*Desk, error) {
	f, err := os.Open(filepath.Join(store, aar.StoreFile))
	if err != nil {
		return nil, fault.New(fault.NotFound, "%w", err).At(store, "").Hint("--store names the pages of a task")
	}
	defer f.Close()
	w, calls, err := aar.ReadStore(f)
	if err != nil {
		return nil, fault.New(fault.Malformed, "%w", err).At(f.Name(), "")
	}
	d := &Desk{Tools: &aar.Tools{World: w}, Log: log, Budget: calls, Mode: Single}
	if python != "" {
		d.Tools.Python = evalaar.Python(python)
	}
	tape := filepath.Join(store, cassetteFile)
	if _, err := os.Stat(tape); err == nil {
		if d.Tools.Cassette, err = aar.OpenCassette(tape); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// Call answers a call and adds it to the log, which is written before the answer is known to
// anybody. A call beyond the budget is not answered and stands in no log.
func (d *Desk) Call(ctx context.Context, name string, args []byte) (output string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	log, err := readLog(d.Log)
	if err != nil {
		return "", err
	}
	if d.Budget > 0 && len(log) >= d.Budget {
		return aar.ErrorObject(aar.TooManyCalls, fmt.Sprintf("all %d calls are used; write the answer", d.Budget)), nil
	}
	a := d.Tools.Call(ctx, name, args)
	line, err := json.Marshal(evalaar.Answered(name, string(args), a))
	if err != nil {
		return "", err
	}
	f, err := os.OpenFile(d.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	_, err = f.Write(append(line, '\n'))
	return a.Output, errors.Join(err, f.Close())
}

// readLog reads a log; none is empty.
func readLog(path string) ([]evalaar.HarborCall, error) {
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	log, err := evalaar.ReadHarborLog(data)
	if err != nil {
		err = fault.New(fault.Malformed, "%w", err).At(path, "")
	}
	return log, err
}

// Judge judges an answer by the log. What cannot be read of the log is said, and counts nothing.
func (d *Desk) Judge(l *schemas.AARLeg, answer *string) evalaar.Reward {
	log, err := readLog(d.Log)
	r := evalaar.JudgeHarbor(l, answer, log, d.Tools, logs[d.Mode])
	if err != nil {
		why := err.Error()
		r.Details.Missing = &why
	}
	return r
}

// Request is what a client asks the tool server, a line of JSON: a call, or, with a leg, a verdict.
type Request struct {
	Tool   string  `json:"tool,omitempty"`
	Args   string  `json:"args,omitempty"`
	Leg    string  `json:"leg,omitempty"` // its line: other bytes would be another leg
	Answer *string `json:"answer,omitempty"`
}

// Response is its answer.
type Response struct {
	Output string          `json:"output"`
	Reward *evalaar.Reward `json:"reward,omitempty"`
	Error  string          `json:"error,omitempty"`
}

// maxRequest bounds a request: code for Python is the longest.
const maxRequest = 8 << 20

// Serve answers the one request of a connection.
func (d *Desk) Serve(ctx context.Context, conn io.ReadWriteCloser) error {
	defer conn.Close()
	var out Response
	err := arrowio.Guard(func() error {
		line, err := bufio.NewReader(io.LimitReader(conn, maxRequest)).ReadBytes('\n')
		if err != nil {
			return fmt.Errorf("a request is no line of at most %d bytes", maxRequest)
		}
		var q Request
		if err := json.Unmarshal(line, &q); err != nil {
			return fmt.Errorf("a request is no JSON object: %w", err)
		}
		return d.respond(ctx, q, &out)
	})
	if err != nil {
		out.Error = err.Error()
	}
	return json.NewEncoder(conn).Encode(out)
}

func (d *Desk) respond(ctx context.Context, q Request, out *Response) (err error) {
	if q.Leg == "" {
		out.Output, err = d.Call(ctx, q.Tool, []byte(q.Args))
		return err
	}
	l, err := aar.DecodeLine([]byte(q.Leg))
	if err == nil {
		r := d.Judge(l, q.Answer)
		out.Reward = &r
	}
	return err
}

// Ask sends a request over a connection and returns the answer.
func Ask(conn io.ReadWriteCloser, q Request) (out Response, err error) {
	defer conn.Close()
	if err := json.NewEncoder(conn).Encode(q); err != nil {
		return out, err
	}
	if err := json.NewDecoder(conn).Decode(&out); err != nil {
		return out, fmt.Errorf("the tool server does not answer: %w", err)
	}
	if out.Error != "" {
		return out, errors.New(out.Error)
	}
	return out, nil
}

// Unlogged judges an answer without store and log, and says why they are missing.
func Unlogged(l *schemas.AARLeg, answer *string, mode string, why error) evalaar.Reward {
	t := &aar.Tools{World: aar.NewWorld(aar.Site{}, nil, nil)}
	r := evalaar.JudgeHarbor(l, answer, nil, t, logs[mode])
	text := why.Error()
	r.Details.Missing = &text
	return r
}

// WriteReward writes reward.txt, reward.json and reward-details.json into a folder.
func WriteReward(dir string, r evalaar.Reward) error {
	for name, x := range r.Numbers { // each by itself
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("%s is no finite number", name)
		}
	}
	numbers, err := json.Marshal(r.Numbers)
	if err != nil {
		return err
	}
	details, err := json.MarshalIndent(r.Details, "", "  ")
	if err != nil {
		return err
	}
	for name, text := range map[string]string{ // each by itself
		"reward.txt": fmt.Sprint(r.Numbers["reward"]), "reward.json": string(numbers) + "\n",
		"reward-details.json": string(details) + "\n",
	} {
		if err := write(filepath.Join(dir, name), text); err != nil {
			return err
		}
	}
	return nil
}
