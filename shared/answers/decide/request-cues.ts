import { cued } from './cued.ts';

/** What a request may ask for, with words of which a request has one that does. */
export const REQUEST_CUES = {
  sentences: cued(
    ['sentence'],
    /\b(?:in|with|of|write|exactly|use|using|give)\s+(?:exactly |only |just )?(\w+) (?:short |complete |full )?sentences?\b/i,
  ),
  ending: cued(
    ['end', 'finish', 'conclude'],
    /\b(?:ends?|ending|finish(?:es)?|conclude) (?:it )?(?:with|in)(?: the)?(?: exact)?(?: words?| phrase| sentence| letters?)?:? ?/i,
  ),
  beginning: cued(
    ['start', 'begin', 'open'],
    /\b(?:starts?|starting|begins?|beginning|opens?) (?:it )?(?:with|by saying)(?: the)?(?: exact)?(?: words?| phrase| sentence| letters?)?:? ?/i,
  ),
  numberLast: cued(
    ['end', 'number last', 'answer: <'],
    /\bend(?:s|ing)?(?: it)? (?:with|in) (?:the |a |its )?(?:\w+ ){0,4}?(?:number|result|figure)\b|\bnumber last\b|\bresult at the end\b|"?answer: <number>/i,
  ),
  withUnit: cued(
    ['unit', 'followed by'],
    /\bwith (?:its|the|a|their) unit\b|\band (?:the|its) unit\b|\bfollowed by (?:its unit|kg|km|cm|m|g|l|ml)\b|\binclude the unit/i,
  ),
  wordsMost: cued(
    ['words'],
    /\b(?:at most|no more than|under|fewer than|less than|max(?:imum)?(?: of)?|up to|within|not more than|in) (\w+) words\b(?! or more)/i,
  ),
  wordsExactly: cued(['word'], /\b(?:exactly|in exactly|precisely|use|with) (\w+) words?\b/i),
  oneWord: cued(['word'], /\b(one|a single)[- ]word (?:answer|reply|response)?/i),
  wordsLeast: cued(['words'], /\b(?:at least|no fewer than|more than|minimum(?: of)?) (\w+) words\b/i),
  person: cued(['person'], /\b(first|second|third)[- ]person\b/i),
  voice: cued(
    ['as if you', 'in the voice', 'from the p', 'pretend', 'diary'],
    /\b(?:as if you|in the voice of|from the (?:point of view|perspective) of|pretend (?:you are|to be)|diary)\b/i,
  ),
  much: cued(
    ['paragraphs', 'essay', 'in detail', 'at length', 'step by step', 'at least'],
    /\b(?:(?:two|three|four|five|several|\d) paragraphs|essay|in detail|at length|step by step|at least \w+ (?:words|sentences))\b/i,
  ),
  onlyJson: cued(['json'], /\b(?:only|just|valid) json\b|\bas json\b/i),
  onlyTable: cued(['markdown table', 'csv'], /\bmarkdown table\b|\bas (?:a )?csv\b/i),
  onlyWord: cued(['word'], /\b(?:one|a single) word\b/i),
  poem: cued(['haiku', 'poem'], /\bhaiku\b|\bpoem\b/i),
  reason: cued(
    ['explain', 'why', 'justify', 'because', 'reason', 'sentence'],
    /\b(?:explain|why|justify|because|with (?:a|your|one|the)\b[^.\n]{0,20}\breason|(?:give|state|add|and) (?:a|your|one|the)\b[^.\n]{0,20}\breason|one-sentence reason|short reason|in a sentence|in one sentence)/i,
  ),
  json: cued(['json'], /\bjson\b/i),
  table: cued(['table', 'csv'], /\b(?:markdown|csv|two|three|2|3)?[ -]?(?:column )?table\b|\bcsv\b/i),
  sql: cued(
    ['sql', 'query', 'statement'],
    /\bsql\b|\bselect (?:query|statement)\b|\bquery (?:that|which|to)\b/i,
  ),
  schema: cued(['create table'], /\bcreate table\b/i),
  /** Sessions of an interpreter, notebooks and old versions have a grammar of their own. */
  otherPython: cued(
    ['python', 'doctest', 'repl', 'interactive session', 'jupyter', 'notebook'],
    /\b(?:python ?2|doctests?|repl|interactive session|jupyter|notebook|ipython)\b/i,
  ),
  python: cued(['python'], /\bpython\b/i),
  javascript: cued(['javascript', 'js'], /\b(?:javascript|js|node\.?js)\b/i),
} as const;
