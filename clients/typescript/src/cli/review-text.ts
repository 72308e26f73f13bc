import type { Schemas } from '../client.ts';
import { endOf, partOf, plain } from './check-text.ts';

type Row = Schemas['ReviewRow'];

const WITNESSES: Readonly<Record<string, string>> = {
  program: 'checks',
  execution: 'its code was run',
  neighbours: 'similar rows',
  model: 'a model',
};

const nameOf = (witness: string): string =>
  Object.hasOwn(WITNESSES, witness) ? (WITNESSES[witness] as string) : plain(witness);

const count = (number: number): string => number.toLocaleString('en');

/** A review for people: who looked at how many rows, and the doubted ones with the words of the witnesses. */
export function reviewText(
  { dataset_id, looked_at, rows }: Pick<Schemas['Review'], 'dataset_id' | 'looked_at' | 'rows'>,
  rowCount: number,
): string {
  const doubted = rows.filter(({ doubt, drawn_as }) => doubt !== null && drawn_as === 'doubtful');
  return [
    `Dataset ${dataset_id}, ${count(rowCount)} rows: ${lookText(looked_at)}`,
    ...looked_at.silent.map(({ witness, message }) => `Note: ${nameOf(witness)}: ${plain(message)}`),
    '',
    ...(doubted.length === 0 ? ['No row is doubted.', ''] : doubted.flatMap((row) => [describeRow(row), ''])),
    'Witnesses run code and compare rows, and know no facts: a row that nobody doubts may be false. Rows are counted from 0.',
    `To say what is right, open the review of the dataset in the console, or send verdicts (docs/review.md).`,
  ].join('\n');
}

function lookText({
  status,
  program,
  execution,
  neighbours,
  not_looked_at: left,
  not_listed: more = 0,
}: Schemas['LookedAt']): string {
  if (status === 'failed') return 'the witnesses could not look at them. Repeat the command in five minutes.';
  if (status === 'none') return 'no witness has looked at them.';
  const parts = [
    `${count(program)} checked`,
    `${count(execution)} run as code`,
    `${count(neighbours)} compared with the others`,
    `${count(left)} looked at by nobody`,
    // A service of an earlier release does not count them.
    ...(more > 0 ? [`${count(more)} doubted beyond those that are listed`] : []),
  ];
  return `${parts.join(', ')}.`;
}

function describeRow({ row, prompt, completion, proposal, doubt }: Row): string {
  const { probability = 0, reasons = [] } = doubt ?? {};
  return [
    `Row ${row}, wrong with a probability of ${Math.round(100 * probability)} %`,
    ...reasons.map(({ witness, message }) => `  ${nameOf(witness)}: ${plain(message)}`),
    `  prompt      ${endOf(prompt ?? '')}`,
    `  completion  ${partOf(completion ?? '', 0)}`,
    ...(proposal === null ? [] : [`  proposal    ${partOf(proposal, 0)}`]),
  ].join('\n');
}
