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

func (s *Server) startGame(_ *request, b startBody) (none startedGame, err error) {
	instance := s.Host.Pinned()
	switch {
	case b.Instance != nil:
		instance = *b.Instance
	case instance == "":
		return none, badField("instance", "instance is missing: the id of what is to be played")
	}
	if err := s.games.free(); err != nil {
		return none, err
	}
	game, err := s.Host.Start(session.Request{Instance: instance, Options: b.Options, Client: b.ClientID})
	if err != nil {
		return none, err
	}
	state := game.Observe()
	if err := s.games.add(game); err != nil {
		return none, err
	}
	return startedGame{game.ID, game.OptionsSHA256(), state.Observation}, nil
}

func (s *Server) tellGame(r *request) (none session.State, err error) {
	e, err := s.games.get(r.arg)
	if err != nil {
		return none, err
	}
	return e.Observe(), nil
}

func (s *Server) move(r *request, b moveBody) (none session.Result, err error) {
	if b.Reply == nil && r.size > s.Limits.Body {
		return none, tooLarge(s.Limits.Body)
	}
	m, err := b.move()
	if err != nil {
		return none, err
	}
	return s.play(r, b.Step, m, expense{b.Usage, b.Cost})
}

func (s *Server) back(r *request, b backBody) (session.Result, error) {
	return s.play(r, b.Step, family.Reply{Back: true}, expense{b.Usage, b.Cost})
}

func (s *Server) call(r *request, b callsBody) (none session.Result, err error) {
	m, err := b.reply()
	if err != nil {
		return none, err
	}
	return s.play(r, b.Step, m, expense{b.Usage, b.Cost})
}

func (s *Server) answer(r *request, b answerBody) (session.Result, error) {
	if b.Answer == nil {
		return session.Result{}, badField("answer", "answer is missing: the text that is handed in")
	}
	return s.play(r, b.Step, family.Reply{Answer: b.Answer}, expense{b.Usage, b.Cost})
}

func (s *Server) play(r *request, at *int, m family.Reply, x expense) (none session.Result, err error) {
	step, err := checkStep(at)
	if err != nil {
		return none, err
	}
	if m.Said, err = session.Expense(x.Usage, x.Cost); err != nil {
		return none, err
	}
	e, err := s.games.get(r.arg)
	if err != nil {
		return none, err
	}
	result, err := e.Move(step, m)
	if err != nil {
		return none, err
	}
	if result.Done {
		s.games.end(e)
	}
	return result, nil
}

func (s *Server) giveUp(r *request, b stepBody) (none session.Ended, err error) {
	step, err := checkStep(b.Step)
	if err != nil {
		return none, err
	}
	e, err := s.games.get(r.arg)
	if err != nil {
		return none, err
	}
	ended, err := e.GiveUp(step)
	if err != nil {
		return none, err
	}
	s.games.end(e)
	return ended, nil
}

type trace struct {
	Game  string `json:"game"`
	Steps any    `json:"steps"`
}

func (s *Server) trace(r *request) (none trace, err error) {
	e, err := s.games.get(r.arg)
	if err != nil {
		return none, err
	}
	steps, err := e.Trace()
	if err != nil {
		return none, err
	}
	return trace{e.ID, steps}, nil
}
