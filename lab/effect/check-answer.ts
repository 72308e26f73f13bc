import Papa from 'papaparse';
import { wordsOf } from '#shared/answers/decide/words.ts';
import { type LanguageDetector, loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import type { Check } from './row.ts';
import { runJavascript, runPython } from './run-code.ts';
import { runSql } from './run-sql.ts';
import { isSameJson } from './same-json.ts';

/** Whether an answer passes a check, and if not, its first fault. */
export interface Checked {
  readonly ok: boolean;
  readonly why: string;
}

type CheckOf<T extends Check['type']> = Extract<Check, { type: T }>;

/** Prose is checked up to here: no answer of the rows is nearly as long, and regular expressions take time. */
const PROSE_CHARACTERS_MAX = 20_000;
/** Longer code and data are wrong. */
const ANSWER_CHARACTERS_MAX = 200_000;

const OK: Checked = { ok: true, why: '' };
const wrong = (why: string): Checked => ({ ok: false, why });

/** Runs a check on a trimmed answer. An answer never makes it throw. */
export async function checkAnswer(check: Check, answer: string): Promise<Checked> {
  const text = answer.trim();
  switch (check.type) {
    case 'exact':
      return check.answers.some((expected) => expected.trim() === text)
        ? OK
        : wrong(`is not ${check.answers.map((expected) => JSON.stringify(expected)).join(' or ')}`);
    case 'number':
      return checkNumber(check, text);
    case 'result':
      return checkResult(check, text);
    case 'pattern':
      return new RegExp(check.pattern, check.flags ?? 'isu').test(text.slice(0, PROSE_CHARACTERS_MAX))
        ? OK
        : wrong(`does not match /${check.pattern}/`);
    case 'text':
      return checkText(check, text, await loadLanguageDetector());
    case 'all':
      for (const one of check.of) {
        const checked = await checkAnswer(one, text);
        if (!checked.ok) return checked;
      }
      return OK;
  }
  if (text.length > ANSWER_CHARACTERS_MAX) return wrong(`has more than ${ANSWER_CHARACTERS_MAX} characters`);
  switch (check.type) {
    case 'json':
      return checkJson(check, text);
    case 'table':
      return checkTable(check, text);
    case 'code':
      return checkCode(check, text);
    case 'sql':
      return checkSql(check, text);
  }
}

const NUMBER = /^([-−+]?)(\d+(?:\.\d+)?(?:e[-+]?\d+)?)\s*(.*)$/isu;

function checkNumber({ value, tolerance, units }: CheckOf<'number'>, text: string): Checked {
  const [, sign = '', digits = '', unit = ''] = NUMBER.exec(text.slice(0, 500)) ?? [];
  if (digits === '') return wrong('is no number');
  const allowed = units === undefined || units.length === 0 ? [''] : units;
  if (!allowed.includes(unit)) return wrong(`has ${JSON.stringify(unit.slice(0, 60))} for a unit`);
  const found = sign === '-' || sign === '−' ? -Number(digits) : Number(digits);
  return isNear(found, value, tolerance) ? OK : wrong(`says ${found} and not ${value}`);
}

/** A number in running text: not part of a word, with thousands separators other than spaces. */
const NUMBERS =
  /(?<![\p{L}\d])(?:(?<=^|[\s(=:≈$€£*_`"])[-−])?(?:[$€£]\s?)?(\d{1,3}(?:[,\u00a0\u202f'’]\d{3})+(?!\d)|\d+)(\.\d+)?/gu;

function checkResult({ value, tolerance }: CheckOf<'result'>, text: string): Checked {
  const last = [...text.slice(-PROSE_CHARACTERS_MAX).matchAll(NUMBERS)].at(-1);
  if (last === undefined) return wrong('states no number');
  const [all, whole = '', fraction = ''] = last;
  const size = Number(`${whole.replace(/\D/g, '')}${fraction}`);
  const found = /^[-−]/.test(all) ? -size : size;
  return isNear(found, value, tolerance) ? OK : wrong(`ends with ${found} and not ${value}`);
}

/** Within `tolerance`, plus floating-point error. */
function isNear(found: number, value: number, tolerance: number): boolean {
  return Math.abs(found - value) <= tolerance + 1e-9 * Math.max(1, Math.abs(value));
}

/** The content of the code fence if the text is one fence, else the text. */
function withoutFence(text: string): string {
  const inner = /^```[^\n`]*\n([\s\S]*?)\n?```$/.exec(text)?.[1];
  return inner === undefined || inner.includes('```') ? text : inner.trim();
}

function checkJson({ value }: CheckOf<'json'>, text: string): Checked {
  let found: unknown;
  try {
    found = JSON.parse(withoutFence(text));
  } catch {
    return wrong('is no JSON');
  }
  return isSameJson(found, value) ? OK : wrong('is JSON with other content');
}

function checkTable({ format, rows }: CheckOf<'table'>, text: string): Checked {
  const found = format === 'csv' ? readCsv(text) : readMarkdownTable(text);
  if (found === null) return wrong(`is no ${format} table`);
  const expected = rows.map((row) => row.map((cell) => cell.trim()));
  return isSameJson(found, expected) ? OK : wrong('is a table with other cells');
}

function readCsv(text: string): string[][] | null {
  const { data, errors } = Papa.parse<string[]>(text, { delimiter: ',', skipEmptyLines: true });
  return errors.length > 0 ? null : data.map((row) => row.map((cell) => cell.trim()));
}

function readMarkdownTable(text: string): string[][] | null {
  const lines = text.split('\n').map((line) => line.trim());
  const [header, rule, ...body] = lines.map((line) =>
    line
      .replace(/^\|/, '')
      .replace(/(?<!\\)\|$/, '')
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  );
  const isTable =
    lines.every((line) => line.includes('|')) && rule?.every((cell) => /^:?-+:?$/.test(cell)) === true;
  return isTable && header !== undefined ? [header, ...body] : null;
}

async function checkCode({ language, entry, tests }: CheckOf<'code'>, text: string): Promise<Checked> {
  const block = /```[^\n`]*\n([\s\S]*?)(?:```|$)/.exec(text)?.[1];
  const given = { code: block ?? text, entry, args: tests.map(({ args }) => args) };
  const outcome = await (language === 'python' ? runPython(given) : runJavascript(given));
  if ('error' in outcome) return wrong(outcome.error);
  for (const [n, { args, result }] of tests.entries()) {
    const found = outcome.results[n];
    const call = `${entry}(${JSON.stringify(args).slice(1, -1)})`.slice(0, 200);
    if (found === undefined) return wrong(`${call} was not reached`);
    if ('error' in found) return wrong(`${call} fails: ${found.error}`);
    if (!isSameJson(found.value, result)) {
      return wrong(
        `${call} is ${JSON.stringify(found.value)?.slice(0, 200)} and not ${JSON.stringify(result)}`,
      );
    }
  }
  return OK;
}

async function checkSql({ setup, rows, ordered }: CheckOf<'sql'>, text: string): Promise<Checked> {
  let found: unknown[][];
  try {
    found = await runSql({ setup, query: withoutFence(text), rowsMax: rows.length });
  } catch (error) {
    return wrong(`fails: ${(error as Error).message.split('\n')[0]?.slice(0, 200)}`);
  }
  if (found.length !== rows.length) return wrong(`returns ${found.length} rows and not ${rows.length}`);
  const isSame = ordered ? isSameJson(found, rows) : isSameBag(found, rows);
  return isSame ? OK : wrong(`returns other rows: ${JSON.stringify(found).slice(0, 200)}`);
}

function isSameBag(found: readonly unknown[], expected: readonly unknown[]): boolean {
  const left = [...expected];
  return found.every((row) => {
    const at = left.findIndex((other) => isSameJson(row, other));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

function checkText(check: CheckOf<'text'>, whole: string, detectLanguage: LanguageDetector): Checked {
  const text = whole.slice(0, PROSE_CHARACTERS_MAX);
  if (text === '') return wrong('is empty');
  const { includes = [], excludes = [], person, language } = check;
  const absent = includes.find((pattern) => !new RegExp(pattern, 'isu').test(text));
  if (absent !== undefined) return wrong(`lacks /${absent}/`);
  const present = excludes.find((pattern) => new RegExp(pattern, 'isu').test(text));
  if (present !== undefined) return wrong(`has /${present}/`);
  if (person !== undefined && !isInPerson(person, text)) return wrong(`is not in the ${person} person`);
  if (language !== undefined) {
    const found = detectLanguage(text);
    if (found !== language) return wrong(`is in language ${found} and not ${language}`);
  }
  const { words_min = 0, words_max = Number.POSITIVE_INFINITY } = check;
  const words = wordsOf(text).length;
  if (words < words_min || words > words_max) return wrong(`has ${words} words`);
  const sentences = countSentences(text);
  if (check.sentences !== undefined && sentences !== check.sentences) {
    return wrong(`has ${sentences} sentences and not ${check.sentences}`);
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '').length;
  if (check.lines !== undefined && lines !== check.lines) {
    return wrong(`has ${lines} lines and not ${check.lines}`);
  }
  return check.written === true ? checkWritten(text, whole, language ?? 'en') : OK;
}

const QUOTATIONS = /"[^"\n]*"|“[^”]*”|«[^»]*»|„[^“”]*[“”]|‘[^’]*’/gu;
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`|https?:\/\/\S+/gu;
/** The pronoun, not the numeral of `World War I` or the letter of `I/O`; also in lower case as in chat. */
const I =
  /(?<!\b(?:War|Type|Phase|Part|Class|Level|Chapter|Volume|Stage|Grade|Act|Book|Napoleon|Elizabeth|Henry|Charles|James) )(?<![\p{L}\p{N}/'’.-])(?:I(?![\p{L}\p{N}/.-])|i(?=['’](?:m|ve|d|ll)\b|\s+\p{L}))/u;
const WE = /(?<![\p{L}\p{N}'’-])(?:my|myself|we|our|ours|ourselves)(?![\p{L}\p{N}])/iu;
const YOU = /(?<![\p{L}\p{N}'’-])(?:you|your|yours|yourself)(?![\p{L}\p{N}])/iu;

function isInPerson(person: 'first' | 'second' | 'third', text: string): boolean {
  const said = text.replace(CODE, ' ').replace(QUOTATIONS, ' ');
  if (person === 'first') return I.test(said) || WE.test(said);
  if (person === 'second') return YOU.test(said) && !I.test(said);
  return !I.test(said) && !WE.test(said);
}

/** Abbreviations whose full stop does not end a sentence: some never, some only within a sentence. */
const ABBREVIATIONS =
  /\b(?:(?:[Ee]\.g|[Ii]\.e|z\.B|d\.h|Dr|Mr|Mrs|Ms|Prof|St)\.|(?:a\.m|p\.m|U\.S|vs|approx|ca|etc|Nr|No)\.(?=\s*[\p{Ll}\p{N},(]))/gu;

function countSentences(text: string): number {
  const plain = text
    .replace(ABBREVIATIONS, (found) => found.replaceAll('.', ''))
    .replace(/^\s*\d+[.)]\s+/gm, '');
  const ended = plain.match(/(?:[.!?…]+["')\]”’»*_]*(?=\s|$))|[。！？]+[」』”]?/gu)?.length ?? 0;
  const isOpen = !/[.!?…。！？]["')\]”’»」』*_]*$/u.test(plain.trim());
  return ended + (isOpen && plain.trim() !== '' ? 1 : 0);
}

/** Chat words and misspellings that no answer of a dataset may contain, as regular expressions of whole words. */
const CARELESS = [
  ...['thx', 'tnx', 'thnx', 'pls', 'plz', 'ur', 'ya', 'yea', 'yeah', 'yep', 'nope', 'lol', 'lmao'],
  ...[
    'omg',
    'btw',
    'imo',
    'imho',
    'idk',
    'tbh',
    'fyi',
    'asap',
    'bc',
    'b4',
    'gr8',
    'l8r',
    'cuz',
    'coz',
    'cos',
  ],
  ...[
    'becuz',
    'tho',
    'thru',
    'tmrw',
    'tmr',
    'ppl',
    'msg',
    'ok so',
    'gonna',
    'wanna',
    'gotta',
    'kinda',
    'sorta',
  ],
  ...['dunno', 'lemme', 'gimme', 'aint', 'dont', 'doesnt', 'didnt', 'cant', 'couldnt', 'shouldnt', 'wouldnt'],
  ...['wont', 'isnt', 'arent', 'wasnt', 'werent', 'hasnt', 'havent', 'hadnt', 'im', 'ive', 'youre', 'youve'],
  ...['theyre', 'weve', 'thats', 'whats', 'theres', 'heres', 'hes', 'shes', 'alot', 'teh'],
  ...[
    'recieve',
    'recieved',
    'definately',
    'definatly',
    'seperate',
    'seperately',
    'becuase',
    'becasue',
    'beacuse',
  ],
  ...['wich', 'whitch', 'untill', 'tommorow', 'tomorow', 'occured', 'occurence', 'neccessary', 'necesary'],
  ...['adress', 'wierd', 'thier', 'freind', 'beleive', 'goverment', 'enviroment', 'accross', 'wether it'],
  ...['could of', 'should of', 'would of', 'your welcome', 'w/', 'w/o'],
  ...[
    'u(?!\\s*[=(^])',
    'r (?:u|you|we|they|not)',
    '(?:how|what|where|who|u|you|we|they|there|these|those) r',
  ],
  ...['its (?:a|an|the|not|error|been|gonna|going|ok|okay|because|too|really)'],
];
const CARELESS_WORDS = new RegExp(
  `(?<![\\p{L}\\p{N}'’./-])(?:${CARELESS.join('|')})(?![\\p{L}\\p{N}'’])`,
  'iu',
);
/** Not the `i` of `i.e.`, of `(i)` or of a formula. */
const LONE_I = /(?<![\p{L}\p{N}(._=+*/<>[-])i(?=['’](?:m|ve|d|ll)\b|[\s,]+\p{L}|[\s.!?]*$)(?!\.e)/u;

/** Allowed characters before the first word of a text: emphasis, headings, brackets and currencies. */
const MARKS_BEFORE = /^[*_#>\s([{$€£¥¿¡~=+−-]+/u;
const BEGINNING =
  /^(?:[\p{Lu}\p{Lt}\p{Lo}\p{N}"'“‘«„「『`|]|[^\p{Script=Latin}\P{L}]|\p{Ll}+\p{Lu}|[^\p{L}\p{N}\s])/u;
const ENDING = /(?:[.!?。！？…)"'”»।؟۔」』\]]|```)$/u;
const LIST_ITEM = /^\s*(?:[-*•–]|\d+[.)]|[a-z]\)|\|)\s*\S/u;

function checkWritten(text: string, whole: string, language: string): Checked {
  const begins = text.replace(MARKS_BEFORE, '');
  if (!BEGINNING.test(begins) && !LIST_ITEM.test(text))
    return wrong(`begins with ${JSON.stringify(text.slice(0, 20))}`);
  const end = whole.slice(-2000);
  const lastLine = end.split('\n').at(-1) ?? '';
  if (!ENDING.test(end.replace(/[*_]+$/, '')) && !LIST_ITEM.test(lastLine)) {
    return wrong(`ends with ${JSON.stringify(end.slice(-20))}`);
  }
  if (language !== 'en') return OK;
  const said = text.replace(CODE, ' ').replace(QUOTATIONS, ' ');
  const careless = CARELESS_WORDS.exec(said)?.[0] ?? LONE_I.exec(said)?.[0];
  return careless === undefined ? OK : wrong(`has ${JSON.stringify(careless)}`);
}
