import { type AnswerProfile, nameOfDemand } from './answer-profile.ts';
import { type Demand, demandFault, demandsOf } from './check-form.ts';
import type { AnswerForm } from './read-form.ts';

/**
 * The form that an answer is held against: what its request demands, without the demands that it does not meet although
 * nothing confirms that they were read rightly. The column confirms a demand that its other answers meet, and the answer
 * itself that it is JSON, or that its list breaks off. An empty answer has to meet all of them.
 */
export function resolveForm(
  form: AnswerForm,
  answer: string,
  { met, unmet, repeated, spelled }: Pick<AnswerProfile, 'met' | 'unmet' | 'repeated' | 'spelled'>,
): AnswerForm {
  const text = answer.trim();
  if (text === '') return form;
  const isConfirmed = (demand: Demand): boolean => {
    const name = nameOfDemand(demand, form);
    // What the other answers of a column are not, none of them is meant to be.
    return met.has(name) || (!unmet.has(name) && isShownBy(form, demand, text));
  };
  const dropped = demandsOf(form).filter(
    (demand) => (repeated.has(text) || !isConfirmed(demand)) && demandFault(form, demand, text) !== null,
  );
  const settled = Object.assign({}, form, ...dropped.map((demand) => WITHOUT[demand](text))) as AnswerForm;
  // What occurs more than once is a form of its own; else the column writes labels as its requests name them.
  if (repeated.has(text)) return { ...settled, spelled: [] };
  return met.has('spelling') ? { ...settled, spelled: settled.labels } : { ...settled, spelled };
}

/** Whether an answer shows itself that it is meant to meet a demand. */
function isShownBy({ kind }: AnswerForm, demand: Demand, text: string): boolean {
  if (demand === 'parts') return breaksOff(text);
  if (demand !== 'kind') return false;
  return kind === 'json' && ANNOUNCED_JSON.test(text);
}

/** An object of JSON with a key, from the beginning on or behind a line that announces it. */
const ANNOUNCED_JSON = /^(?:[^\n{[]{0,80}:)?\s*\{\s*["'\w][^\n]{0,80}?:/;

/** Whether the last item of a list has no final mark, and the others have. */
function breaksOff(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const isEnded = (line: string): boolean => /[.!?。！？]["”')]?\s*$/.test(line);
  return lines.length > 1 && lines.slice(0, -1).every(isEnded) && !isEnded(lines.at(-1) ?? '');
}

/** A few words without punctuation are a fact, not a text. */
const isPhrase = (text: string): boolean => text.split(/\s+/).length <= 6 && !/[.!?\n]/.test(text);

const WITHOUT: Readonly<Record<Demand, (text: string) => Partial<AnswerForm>>> = {
  kind: (text) => ({ kind: isPhrase(text) ? 'short' : 'open', labels: [], jsonKeys: null }),
  words: () => ({ words: null }),
  sentences: () => ({ sentences: null }),
  parts: () => ({ parts: null }),
  result: () => ({ endsWithNumber: false }),
  ending: () => ({ endsWith: null }),
  beginning: () => ({ startsWith: null }),
};
