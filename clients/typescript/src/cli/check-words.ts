/** What the service says of files that are uploaded, and of fields of a request, and what `check` says instead. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/\bcolumn_mapping\.(\w+)(?:\[\d+\])?/g, '--$1'],
  [/\bis the (\w+) column; map another column\b/g, 'is the column of --$1; name another one'],
  [/\bThe dataset's columns are\b/g, 'The columns are'],
  [
    /\bSend files with the same columns, or each as its own dataset\b/g,
    'Name files with the same columns, or check each by itself',
  ],
  [/\bwas announced as (\w+)/g, 'has the name of a $1 file'],
  [/\bupload it with the format jsonl\b/g, 'name it .jsonl'],
  [/\bupload that array alone\b/g, 'save that array alone'],
  [/\bcut off; upload it again\b/g, 'cut off: get the whole file'],
  [/\bUpload\b/g, 'Give'],
  [/\bupload\b/g, 'check'],
];

/** A message of the service in the words of `check`. What it quotes stays. */
export function inWordsOfCheck(message: string): string {
  return message
    .split(/("(?:[^"\\]|\\.)*")/)
    .map((part, index) => (index % 2 === 1 ? part : wordsOf(part)))
    .join('');
}

function wordsOf(part: string): string {
  const words = REPLACEMENTS.reduce((text, [pattern, words]) => text.replaceAll(pattern, words), part);
  // Such a message lists options.
  return words.includes('cannot be combined with')
    ? words.replaceAll(/(?<!-)\b(?:prompt|completion|chat|context)\b/g, '--$&')
    : words;
}
