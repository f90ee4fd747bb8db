package judge

import "github.com/wikinav/wikinav/schemas"

// MangoPair compares two models on the questions that were scored for both, so that neither gains by questions that the
// other could not be scored on (table 1 of the paper).
type MangoPair struct {
	A         string                  `json:"a"`
	B         string                  `json:"b"`
	Task      string                  `json:"task"`
	Class     string                  `json:"class"`
	Questions int                     `json:"n_questions"`
	OfA       map[string]MangoAverage `json:"of_a"` // by metric
	OfB       map[string]MangoAverage `json:"of_b"`
}

func (j *mangoJudge) pairs() []MangoPair {
	byModel := map[string]map[MangoQuestionKey]mangoScored{}
	for _, s := range j.scored {
		if byModel[s.model] == nil {
			byModel[s.model] = map[MangoQuestionKey]mangoScored{}
		}
		byModel[s.model][s.MangoQuestionKey] = s
	}
	out := []MangoPair{}
	for i, a := range j.models {
		for _, b := range j.models[i+1:] {
			for _, task := range []string{schemas.MangoDF, schemas.MangoRF} {
				for _, class := range []string{schemas.MangoEasy, schemas.MangoHard} {
					out = append(out, pairOf(a, b, task, class, byModel))
				}
			}
		}
	}
	return out
}

func pairOf(a, b, task, class string, byModel map[string]map[MangoQuestionKey]mangoScored) MangoPair {
	p := MangoPair{A: a, B: b, Task: task, Class: class}
	ofA, ofB := &mangoTally{mazes: map[string]*mangoSums{}}, &mangoTally{mazes: map[string]*mangoSums{}}
	for key, left := range byModel[a] { // exact sums
		right, both := byModel[b][key]
		if !both || left.task != task || left.class != class {
			continue
		}
		p.Questions++
		ofA.maze(key.MazeID).add(left.MangoVerdict)
		ofB.maze(key.MazeID).add(right.MangoVerdict)
	}
	p.OfA, p.OfB = ofA.parsed(), ofB.parsed()
	return p
}

func (t *mangoTally) parsed() map[string]MangoAverage {
	out := map[string]MangoAverage{}
	for name, m := range t.metrics() {
		out[name] = m.Parsed
	}
	return out
}
