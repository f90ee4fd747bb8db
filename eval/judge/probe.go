package judge

import (
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/probe"
	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// ProbeScoresSchema names the record's version. 1: first layout. 2: says which wording the replies answer. 3: counts failures of
// an endpoint apart.
const ProbeScoresSchema = "probe.scores/3"

// ProbeScores is what the knowledge probe gives (wikirace specification, 7). Yes is positive; the four counts are of parsed replies.
type ProbeScores struct {
	Schema     string            `json:"schema"`
	Release    string            `json:"release"`
	ManifestID string            `json:"manifest_id"`
	N          int               `json:"n"`
	Missing    int               `json:"missing"`  // questions without a reply; they are unparsed
	Unknown    int               `json:"unknown"`  // replies to no question of the probe
	Infra      int               `json:"infra"`    // questions on which the endpoint failed: in no denominator
	Prompt     schemas.Versioned `json:"prompt"`   // the wording that replies are compared with
	Prompted   int               `json:"prompted"` // replies that name the digest of their question in this wording
	Foreign    int               `json:"foreign"`  // replies that name another digest; the others name none
	TP         int64             `json:"tp"`
	FP         int64             `json:"fp"`
	FN         int64             `json:"fn"`
	TN         int64             `json:"tn"`
	Metrics    map[string]Metric `json:"metrics"`
	ByClass    map[string]Metric `json:"by_class"` // accuracy; what is unparsed is wrong
}

// Names of the probe's metrics. MetricF1All is the primary one: what is unparsed counts against the player.
const (
	MetricF1All     = "f1_all"
	MetricF1Parsed  = "f1_parsed"
	MetricPrecision = "precision"
	MetricRecall    = "recall"
	MetricParseRate = "parse_rate"
)

// confusion counts answers; lost are the unparsed ones.
type confusion struct{ tp, fp, fn, tn, lostYes, lostNo int64 }

// ScoreProbe compares replies with the graph. Golden answers that the graph contradicts are fault.Mismatch.
func ScoreProbe(rel Release, questions []schemas.ProbeInstance, replies map[string]trace.Reply) (*ProbeScores, error) {
	var c confusion
	s := &ProbeScores{Schema: ProbeScoresSchema, Release: rel.Name, ManifestID: rel.ID, N: len(questions), Unknown: len(replies), Prompt: ProbePrompt(), ByClass: map[string]Metric{}}
	right, asked := map[string]int{}, map[string]int{}
	for _, q := range questions {
		gold, err := goldOf(rel.World, q)
		if err != nil {
			return nil, err
		}
		r, ok := replies[q.ID]
		if ok {
			s.Unknown--
			s.bookPrompt(q, r)
		} else {
			s.Missing++
		}
		if r.Infra != nil {
			s.Infra++
			continue
		}
		answer := ParseProbe(r.Reply)
		c.book(gold, answer)
		asked[q.Class]++
		if answer == gold {
			right[q.Class]++
		}
	}
	s.TP, s.FP, s.FN, s.TN = c.tp, c.fp, c.fn, c.tn
	s.Metrics = c.metrics()
	for class, n := range asked {
		s.ByClass[class] = Share(right[class], n)
	}
	return s, nil
}

// ProbePrompt names the wording in which the probe is put to players.
func ProbePrompt() schemas.Versioned {
	return schemas.Versioned{Version: probe.PromptVersion, SHA256: probe.PromptSHA256}
}

// bookPrompt notes whether a reply answers the question as this program words it: F1 under two wordings does not compare.
func (s *ProbeScores) bookPrompt(q schemas.ProbeInstance, r trace.Reply) {
	switch {
	case r.PromptSHA256 == nil:
	case *r.PromptSHA256 == prompt.Hash(probe.Messages(q.Source.Title, q.Target.Title)):
		s.Prompted++
	default:
		s.Foreign++
	}
}

// goldOf reads the answer in the graph.
func goldOf(w game.World, q schemas.ProbeInstance) (string, error) {
	gold := schemas.GoldNo
	if int64(q.Source.Node) < int64(w.Len()) && slices.Contains(w.Successors(q.Source.Node), q.Target.Node) {
		gold = schemas.GoldYes
	}
	if gold != q.Gold {
		return "", fault.New(fault.Mismatch, "question %s has the golden answer %s, the graph says %s", q.ID, fault.Quote(q.Gold), gold)
	}
	return gold, nil
}

func (c *confusion) book(gold, answer string) {
	n := map[string]*int64{
		"yes yes": &c.tp, "no yes": &c.fp, "yes no": &c.fn, "no no": &c.tn, "yes ": &c.lostYes, "no ": &c.lostNo,
	}[gold+" "+answer]
	*n++
}

func (c *confusion) metrics() map[string]Metric {
	parsed := c.tp + c.fp + c.fn + c.tn
	fp, fn := c.fp+c.lostNo, c.fn+c.lostYes
	return map[string]Metric{
		MetricF1All:     Ratio(2*c.tp, 2*c.tp+fp+fn),
		MetricF1Parsed:  Ratio(2*c.tp, 2*c.tp+c.fp+c.fn),
		MetricPrecision: Ratio(c.tp, c.tp+c.fp),
		MetricRecall:    Ratio(c.tp, c.tp+c.fn),
		MetricParseRate: Share(int(parsed), int(parsed+c.lostYes+c.lostNo)),
	}
}

// ParseProbe reads an answer of the probe: what the last \boxed{} with balanced braces holds, schemas.GoldYes, schemas.GoldNo, or "" for what is
// neither.
func ParseProbe(reply string) string {
	const box = `\boxed{`
	for end := len(reply); ; {
		at := strings.LastIndex(reply[:end], box)
		if at < 0 {
			return ""
		}
		if inside, ok := balanced(reply[at+len(box):]); ok {
			return yesOrNo(inside)
		}
		end = at
	}
}

// balanced gives what stands before the brace that closes one that is open.
func balanced(text string) (string, bool) {
	depth := 1
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return text[:i], true
			}
		}
	}
	return "", false
}

func yesOrNo(text string) string {
	const around = " \t\r\n\"'`“”‘’"
	text = strings.Trim(text, around)
	if inner, ok := strings.CutPrefix(text, `\text{`); ok {
		text = strings.Replace(inner, "}", "", 1)
	}
	text = strings.Trim(strings.TrimSuffix(strings.Trim(text, around), "."), around)
	switch strings.ToLower(text) {
	case schemas.GoldYes:
		return schemas.GoldYes
	case schemas.GoldNo:
		return schemas.GoldNo
	}
	return ""
}
