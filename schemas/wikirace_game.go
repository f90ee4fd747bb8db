package schemas

// Names of the records, texts and random streams of the game of links. They are published and
// hashed, and carry the name of the family that was played first, whatever family a game is of.
const (
	// ObservationSchema: 1: first layout; context, back, plan, state and what a ban adds stand in
	// it only under the options that show them.
	ObservationSchema = "wikirace.observation/1"
	// StepSchema and GameSchema: 1: first layout. Fields that are left out when they say nothing
	// came later: a file without them is read as it is. What games with a ban add stands in those
	// games alone.
	StepSchema = "wikirace.step/1"
	GameSchema = "wikirace.game/1"
	// ImportSchema: 1: first layout.
	ImportSchema = "wikirace.import/1"

	MenuStream    = "wikirace"          // menus are drawn from it
	PagePrompt    = "wikirace.prompt/1" // wording of a page with its links; rises with the template
	NumberParser  = "wikirace/1"        // parser of replies that are the number of a link
	NumberParser2 = "wikirace/2"        // the default: number, title or both, however models put them
)
