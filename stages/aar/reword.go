package aar

import (
	"github.com/wikinav/wikinav/artifacts/aar"
)

// notRecorded is why the riddle of a leg stays as it was.
const notRecorded = "not recorded"

// reword puts the riddle of a leg that passed every gate into the words of a model, as far as they
// were recorded. The wording is held to the gates again: it keeps the numbers of every clue, its
// clues are no better queries, and it leaks nothing. Else the riddle stays.
func (a *attempt) reword(m *made) {
	corrections := 0
	for try := range aar.MaxRewordings {
		messages := aar.RewordMessages(m.leg.Riddle, try)
		for {
			c := aar.RewordCall(messages)
			reply, recorded := a.tape.Reply(c)
			if !recorded {
				if m.reworded = notRecorded; a.wants != nil {
					a.wants(c)
				}
				return
			}
			if m.reworded = a.rewordedTo(m, reply); m.reworded == aar.WasReworded {
				return
			}
			if !aar.Correctable(m.reworded) || corrections == aar.MaxCorrections {
				break
			}
			corrections++
			messages = aar.Correct(messages, reply, m.reworded)
		}
	}
}

// rewordedTo has the leg say a wording that passes the gates, or returns the name of the first
// that it fails.
func (a *attempt) rewordedTo(m *made, riddle string) string {
	l, yes := *m.leg, true
	l.Riddle, l.Metadata.Reverbalized = riddle, &yes
	if !aar.KeepsNumbers(riddle, m.leg.Riddle) {
		return aar.LeakNumbers
	}
	if closed := a.reader.Gates(a.ctx, &l, a.strict()); closed != nil {
		return closed.Gate
	}
	if a.sound(&made{leg: &l}) != nil {
		return string(gateValidator)
	}
	m.leg = &l
	return aar.WasReworded
}
