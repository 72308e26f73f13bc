import type { Preferences } from './blind-pairs.ts';
import { oneLine, table } from './markdown.ts';
import type { Judging, LabResult, LabRun } from './result.ts';
import { KINDS, type Kind, type LabRow } from './row.ts';
import { isScripted } from './scripted-answers.ts';
import { EVIDENCE, type LabSummary, type Share, type Summary, wilsonInterval } from './summarize.ts';

export interface ReportOptions {
  readonly name: string;
  readonly run: LabRun;
  readonly summary: LabSummary;
  /** All rows of the run, with or without a result. */
  readonly rows: readonly LabRow[];
  /** Null if no reader compared the answers. */
  readonly preferences: ReadonlyMap<Kind, Preferences> | null;
}

/** A report of a run, in Markdown: the measurements, and each harmed row. */
export function writeReport({ name, run, summary, rows, preferences }: ReportOptions): string {
  const { all, learning } = summary;
  const judge =
    run.judge === null ? 'no judge' : `judge ${run.judge}${run.judge_trusted ? '' : ' (not trusted)'}`;
  const embedder = run.embedding_model === null ? 'no embedding model' : `embeddings ${run.embedding_model}`;
  const learned =
    learning.calls === 0
      ? ''
      : ` Learning of the datasets took ${learning.calls} calls, ${learning.inputTokens} tokens in and ${learning.outputTokens} out beside the rows' own.`;
  return [
    `# ${titleOf(name)}`,
    `${all.rows} of ${rows.length} rows of the half \`${run.half}\`, model ${run.model}, ${judge}, ${embedder}.${learned}`,
    judgingOfRun(run),
    effectTable(summary),
    '## What the service says of it',
    agreementOf(summary),
    serviceTable(summary),
    '## What it takes',
    costTable(summary),
    ...(preferences === null
      ? []
      : ['## Preferred by a reader who was not told which is which', readerTable(preferences)]),
    `## Rows that were harmed (${summary.harmed.length})`,
    ...(summary.harmed.length === 0 ? ['None.'] : summary.harmed.map((result) => quote(result, rows))),
  ].join('\n\n');
}

function judgingOfRun({ judge, model, judging = null }: LabRun): string {
  if (judge === null) return 'No judge decides between answers.';
  if (isScripted(model)) return 'The judge is scripted: it is believed in everything without being measured.';
  if (judging === null) return 'How often the judge is right is not known.';
  const kinds = Object.entries(judging.kinds);
  const list = (isBelieved: boolean) =>
    kinds
      .filter(([, { believed }]) => believed === isBelieved)
      .map(([kind, right]) => `${kind} (${percentRight(right)})`)
      .join(', ') || 'none';
  return `Of ${judging.pairs} pairs whose better answer is known, the judge is right about ${percentRight(judging)}. It is believed about pairs of these kinds: ${list(true)}. It is not believed about: ${list(false)}.`;
}

/** With the lower bound of the 95 % interval, which determines whether a judge is trusted. */
function percentRight({ accuracy, accuracy_low }: Pick<Judging, 'accuracy' | 'accuracy_low'>): string {
  return `${percent(accuracy)} %, at least ${percent(accuracy_low)} %`;
}

function agreementOf({ agreement: { signs, intervals }, rates }: LabSummary): string {
  return `Its figure has the sign of the effect in ${ofText(signs)} kinds, and its interval holds the effect in ${ofText(intervals)}. Its rates were measured with ${rates.model_id} on ${rates.rows} rows.`;
}

/** The heading of the report of this name. */
export function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function groupsOf({ byKind, exact, open, all }: LabSummary): [string, Summary][] {
  const groups: [string, Summary][] = [
    ...byKind,
    ['**exact kinds**', exact],
    ['**open kinds**', open],
    ['**all**', all],
  ];
  return groups.filter(([, { rows }]) => rows > 0);
}

function effectTable(summary: LabSummary): string {
  return table(
    [
      'kind',
      'rows',
      'changed',
      'left alone',
      'failed',
      'harm',
      'gain',
      'gain of false ones',
      'words after / before',
      'gain by evidence',
      'careless, empty or cut off and changed',
    ],
    groupsOf(summary).map(([name, group]) => [
      name,
      group.rows,
      group.changed,
      group.kept,
      group.failed,
      withInterval(group.harm),
      ofText(group.gain),
      ofText(group.gainOfWrong),
      group.growth === null ? '' : group.growth.toFixed(2),
      EVIDENCE.flatMap((evidence) => {
        const count = group.gainBy[evidence];
        return count === 0 ? [] : [`${evidence} ${count}`];
      }).join(', '),
      ofText(group.flawedChanged),
    ]),
  );
}

function serviceTable(summary: LabSummary): string {
  return table(
    [
      'kind',
      'right before',
      'right after',
      'effect',
      'service before',
      'service after',
      'service difference',
      'same sign',
      'holds the effect',
    ],
    groupsOf(summary).map(([name, { rightBefore, rightAfter, effect, service }]) => [
      name,
      ofText(rightBefore),
      ofText(rightAfter),
      signed(effect),
      ...(service === null
        ? ['', '', '', '', '']
        : [
            service.before.toFixed(2),
            service.after.toFixed(2),
            `${signed(service.difference)} (${service.interval95.map(signed).join(' to ')})`,
            service.signAgrees ? 'yes' : '**no**',
            service.holdsEffect ? 'yes' : '**no**',
          ]),
    ]),
  );
}

function signed(value: number): string {
  const text = value.toFixed(2);
  if (Number(text) === 0) return '0.00';
  return value > 0 ? `+${text}` : text.replace('-', '−');
}

function costTable(summary: LabSummary): string {
  return table(
    ['a row of', 'calls', 'tokens in', 'tokens out', 'seconds'],
    groupsOf(summary).map(([name, { calls, inputTokens, outputTokens, seconds }]) => [
      name,
      calls.toFixed(1),
      inputTokens.toFixed(0),
      outputTokens.toFixed(0),
      seconds.toFixed(1),
    ]),
  );
}

function readerTable(preferences: ReadonlyMap<Kind, Preferences>): string {
  const present = KINDS.flatMap((kind) => {
    const found = preferences.get(kind);
    return found === undefined ? [] : [[kind, found] as const];
  });
  const total = (of: keyof Preferences) => present.reduce((sum, [, found]) => sum + found[of], 0);
  const all = { adapted: total('adapted'), original: total('original'), ties: total('ties') };
  return table(
    ['kind', 'adapted better', 'original better', 'ties', 'adapted better, of decided'],
    [...present, ['**all**', all] as const].map(([name, { adapted, original, ties }]) => [
      name,
      adapted,
      original,
      ties,
      withInterval({ count: adapted, of: adapted + original }),
    ]),
  );
}

function ofText({ count, of }: Share): string {
  return of === 0 ? '' : `${count} of ${of}`;
}

function percent(value: number): string {
  return (100 * value).toFixed(1);
}

function withInterval(share: Share): string {
  if (share.of === 0) return '';
  const [low, high] = wilsonInterval(share);
  return `${ofText(share)}, ${percent(share.count / share.of)} % (${percent(low)} to ${percent(high)})`;
}

/** A harmed row in full, so that a reader can verify the checker. */
export function quote(result: LabResult, rows: readonly LabRow[]): string {
  const row = rows.find(({ id }) => id === result.id);
  const history = (row?.history ?? []).map(({ role, content }) => `${role}: ${content}`);
  const notes = [result.outcome, result.reason, ...result.notes].filter((code) => code !== null);
  return [
    `**${result.id}** (${notes.join(', ')}): the adapted answer ${oneLine(result.why)}`,
    ...(history.length === 0 ? [] : ['Conversation:', fenced(history.join('\n'))]),
    ...(row?.context === undefined ? [] : ['Context:', fenced(row.context)]),
    'Prompt:',
    fenced(row?.prompt ?? ''),
    'Original:',
    fenced(result.original),
    'Adapted:',
    fenced(result.adapted),
  ].join('\n\n');
}

/** In a fence that is longer than any inside. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([marks]) => marks.length));
  const marks = '`'.repeat(longest + 1);
  return `${marks}text\n${text}\n${marks}`;
}
