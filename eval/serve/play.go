package serve

import (
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/session"
)

type startedGame struct {
	Game          string `json:"game"`
	OptionsSHA256 string `json:"options_sha256"`
	Observation   any    `json:"observation"`
}

func (s *Server) startGame(r *request) (any, error) {
	var b startBody
	if _, err := r.read(s.Limits.Body, &b); err != nil {
		return nil, err
	}
	instance := s.Host.Pinned()
	switch {
	case b.Instance != nil:
		instance = *b.Instance
	case instance == "":
		return nil, badField("instance", "instance is missing: the id of what is to be played")
	}
	if err := s.games.free(); err != nil {
		return nil, err
	}
	game, err := s.Host.Start(session.Request{Instance: instance, Options: b.Options, Client: b.ClientID})
	if err != nil {
		return nil, err
	}
	state := game.Observe()
	if err := s.games.add(game); err != nil {
		return nil, err
	}
	return created{startedGame{game.ID, game.OptionsSHA256(), state.Observation}}, nil
}

func (s *Server) tellGame(r *request) (any, error) {
	e, err := s.games.get(r.arg)
	if err != nil {
		return nil, err
	}
	return e.Observe(), nil
}

func (s *Server) move(r *request) (any, error) {
	limit := s.Limits.Body
	if s.Host.Replies {
		limit = max(limit, s.Limits.Reply)
	}
	var b moveBody
	size, err := r.read(limit, &b)
	if err != nil {
		return nil, err
	}
	if b.Reply == nil && size > s.Limits.Body {
		return nil, tooLarge(s.Limits.Body)
	}
	m, err := b.move()
	if err != nil {
		return nil, err
	}
	return s.play(r, b.Step, m, expense{b.Usage, b.Cost})
}

func (s *Server) back(r *request) (any, error) {
	var b backBody
	if _, err := r.read(s.Limits.Body, &b); err != nil {
		return nil, err
	}
	return s.play(r, b.Step, family.Reply{Back: true}, expense{b.Usage, b.Cost})
}

// call plays a turn of calls of tools, whose arguments may be as long as a raw reply.
func (s *Server) call(r *request) (any, error) {
	var b callsBody
	if err := r.readOpen(max(s.Limits.Body, s.Limits.Reply), &b); err != nil {
		return nil, err
	}
	m, err := b.reply()
	if err != nil {
		return nil, err
	}
	return s.play(r, b.Step, m, expense{b.Usage, b.Cost})
}

// answer plays the turn that hands in an answer.
func (s *Server) answer(r *request) (any, error) {
	var b answerBody
	if _, err := r.read(s.Limits.Body, &b); err != nil {
		return nil, err
	}
	if b.Answer == nil {
		return nil, badField("answer", "answer is missing: the text that is handed in")
	}
	return s.play(r, b.Step, family.Reply{Answer: b.Answer}, expense{b.Usage, b.Cost})
}

func (s *Server) play(r *request, at *int, m family.Reply, x expense) (any, error) {
	step, err := checkStep(at)
	if err != nil {
		return nil, err
	}
	if m.Said, err = session.Expense(x.Usage, x.Cost); err != nil {
		return nil, err
	}
	e, err := s.games.get(r.arg)
	if err != nil {
		return nil, err
	}
	result, err := e.Move(step, m)
	if err != nil {
		return nil, err
	}
	if result.Done {
		s.games.end(e)
	}
	return result, nil
}

func (s *Server) giveUp(r *request) (any, error) {
	var b stepBody
	if _, err := r.read(s.Limits.Body, &b); err != nil {
		return nil, err
	}
	step, err := checkStep(b.Step)
	if err != nil {
		return nil, err
	}
	e, err := s.games.get(r.arg)
	if err != nil {
		return nil, err
	}
	ended, err := e.GiveUp(step)
	if err != nil {
		return nil, err
	}
	s.games.end(e)
	return ended, nil
}

type traced struct {
	Game  string `json:"game"`
	Steps any    `json:"steps"`
}

func (s *Server) trace(r *request) (any, error) {
	e, err := s.games.get(r.arg)
	if err != nil {
		return nil, err
	}
	steps, err := e.Trace()
	if err != nil {
		return nil, err
	}
	return traced{e.ID, steps}, nil
}
