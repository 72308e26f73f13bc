import { formFault } from './check-form.ts';
import { matchLabel, withoutPreface } from './labels.ts';
import { jsonIsValid } from './lint/code.ts';
import { isBareNumber } from './numbers.ts';
import type { AnswerForm } from './read-form.ts';
import { repairCode, repairJson } from './repair-notation.ts';

/**
 * Writes an answer in the form that its request demands and its column has, if that changes its notation only: the
 * column's spelling of a label, a number without the words around it, JSON and code without their fence or
 * with the bracket that they lack. Null if it would lose or change what the answer says.
 */
export function coerce(form: AnswerForm, original: string): string | null {
  const answer = rewrite(form, original.trim());
  return answer !== null && formFault(form, answer) === null ? answer : null;
}

function rewrite(form: AnswerForm, text: string): string | null {
  switch (form.kind) {
    case 'label':
      return matchLabel({ labels: form.spelled, options: form.options }, text);
    case 'number':
      return findNumber(text);
    case 'json':
      return findFenced(text) ?? findAnnounced(text) ?? repairJson(text);
    case 'code':
      return findFenced(text) ?? findRepairedCode(form, text);
    case 'sql':
      return findFenced(text);
    default:
      return null;
  }
}

/** Code whose notation is repaired; an answer with prose around its code is left alone. */
function findRepairedCode({ codeLanguage }: AnswerForm, text: string): string | null {
  if (text.includes('```') || (codeLanguage !== 'python' && codeLanguage !== 'javascript')) return null;
  return repairCode(codeLanguage, text);
}

/** A number with its unit, without words around it that say nothing. */
function findNumber(text: string): string | null {
  const answer = withoutPreface(text).replace(/(?<=[\d\p{L}%°])[.!]$/u, '');
  return isBareNumber(answer) ? answer : null;
}

/** The content of the only fenced block of a text that says nothing beside it. */
function findFenced(text: string): string | null {
  const [before = '', block, after, ...more] = text.split('```', 4);
  if (
    block === undefined ||
    after === undefined ||
    more.length > 0 ||
    !block.includes('\n') ||
    after.trim() !== ''
  )
    return null;
  if (!ANNOUNCED.test(before.trim())) return null;
  const code = block.slice(block.indexOf('\n') + 1).trim();
  return code === '' ? null : code;
}

/** JSON behind words that announce it. */
function findAnnounced(text: string): string | null {
  const json = /^[^\n{[]{1,80}:\s*([[{][\s\S]*)$/.exec(text)?.[1];
  return json !== undefined && jsonIsValid(json) ? json : null;
}

/** Nothing, or one line that announces what follows. */
const ANNOUNCED = /^(?:[^\n]{0,80}:)?$/;
