import { type AnswerProfile, nameOfDemand } from './answer-profile.ts';
import { type Demand, demandFault, demandsOf } from './check-form.ts';
import { type AnswerForm, isCodeLike } from './read-form.ts';

/**
 * The form that an answer is held against: what its request demands, without the demands that it does not meet although
 * nothing confirms that they were read rightly. The column confirms a demand that its other answers meet, and the answer
 * confirms its own kind (JSON, code). An empty answer has to meet all of them.
 */
export function settleForm(
  form: AnswerForm,
  answer: string,
  { met }: Pick<AnswerProfile, 'met'>,
): AnswerForm {
  const text = answer.trim();
  if (text === '') return form;
  const dropped = demandsOf(form).filter(
    (demand) =>
      !met.has(nameOfDemand(demand, form)) &&
      !(demand === 'kind' && isOfItself(form, text)) &&
      demandFault(form, demand, text) !== null,
  );
  return Object.assign({}, form, ...dropped.map((demand) => WITHOUT[demand](text))) as AnswerForm;
}

/** Whether an answer shows its kind itself, however broken its notation is. */
function isOfItself({ kind, codeLanguage }: AnswerForm, text: string): boolean {
  if (kind === 'json') return /^[[{]/.test(text);
  return kind === 'code' && codeLanguage !== null && isCodeLike(text);
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
