const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Finite verbs as test titles have them: one of these makes a sentence of a title. */
export const VERBS = wordsOf(`
  accepts adapts adds agree agrees allows answer answers approves are arrive arrives ask asks averages beat
  beats become becomes begin begins believes belong belongs bills blames bound bounds break breaks bring brings
  calls can cancels cannot carries changes checkpoints checks cites close closes collects come comes compare
  compares continues copy corrects cost costs could count counts covers creates cuts decide decides declares
  defaults deletes delivers depends describe describes detects did differ differs do does downloads draws drops
  earn embed embeds end ends enforces enter estimates exits expects expire explains fail fails fetches fill
  fills filters find finds finishes fits follow follows forgets form forwards gather generates get gets give
  gives go goes grades grows guard had hands harms has hashes have hears hides hold holds ignores imports
  include invents invokes is joins judges keep keeps know knows lacks launches lead leads learn learns leave
  leaves let lets lie lies limits links list lists loads logs look looks loses lowers make makes mark marks may
  mean means measure measures meet meets mends move moves must name names narrow need needs neither never notes
  number numbers offer opens outlive outlives overwrites pack packs pair pass passes pays permits pins places
  plans posts prefers prints proposes prove proves provides publishes put puts quotes reach reaches read reads
  reckons recommends records refer refuse refuses rejects repairs repeats replaces replays reports requires
  reserves resolves rests retries return returns rewrites runs saves say says scores search searches see sees
  select selects send sends serve serves sets settles share should show shows shrinks sign signs sort sorts
  spares speaks spells split stand stands start starts stay stays stops streams strips submits succeed succeeds
  sum supplies survives take takes tell tells throttles throws tie tolerates touch touched touches train trains
  translates treat tries trusts turns twice unpacks uses validates verifies verify wait waits wakes wants warns was weigh
  weighs were widens will win wins work works would write writes
`);

/** Those of them that may begin a title, because they are nouns or imperatives too. */
export const NOUNS_TOO = wordsOf(`
  answer answers arrive arrives bound bring calls cancels changes checkpoints checks compare copy cost costs
  could counts decide decides declares depends describe downloads draws earn enter fail filters form give go
  grades holds imports judges lie lies limits links list lists loads look mark marks mean means measure
  measures meet meets moves name names narrow notes number numbers pack packs pass places posts proposes prove
  publishes put quotes refer repairs resolves runs scores search searches sets should show sign sort sorts
  start streams succeed touch touched turns verifies verify wait will win wins work works would
`);
