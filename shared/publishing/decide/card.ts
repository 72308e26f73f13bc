import type { EvaluationRecord } from '#shared/datasets/decide/record.ts';
import { own } from '#shared/platform/own.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { kindOf, type RunPipeline } from '#shared/runs/decide/run-kinds.ts';
import type { ResolvedExpansion } from '#shared/runs/schema/expansion.ts';
import { code, inline, list, section, table, yaml } from './markdown.ts';

export interface CardFacts {
  readonly name: string;
  readonly description: string | null;
  readonly license: string | null;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** ISO 639-1 codes of the languages of the source rows, as far as a sample shows. */
  readonly languages: readonly string[];
  /** The run that made the rows, or the dataset with them; null for uploaded rows. */
  readonly run: Pick<
    RunRecord,
    'run_id' | 'pipeline' | 'version' | 'counts' | 'models' | 'prompt_versions'
  > | null;
  readonly datasetId: string;
  /** Dataset that the rows were made of; null without one. */
  readonly sourceDatasetId: string | null;
  /** What the run was asked for; null unless it is an adaptation. */
  readonly recipe: Recipe | null;
  readonly evaluation: Pick<EvaluationRecord, 'status' | 'quality'> | null;
  /** `raw_results` of the evaluation. */
  readonly results: Readonly<Record<string, unknown>> | null;
}

export interface Recipe {
  readonly prompt_rephrase: boolean;
  readonly deduplication: boolean;
  readonly reasoning_traces: boolean;
  readonly grounding: boolean;
  readonly length: string | null;
  readonly training_type: string;
  readonly expansion: ResolvedExpansion | null;
}

/** Folder of the Parquet files. */
export const DATA_FOLDER = 'data';

/** Name of a Parquet file, as the loaders of the platform expect them. */
export function shardPath(index: number, count: number): string {
  const padded = (n: number): string => String(n).padStart(5, '0');
  return `${DATA_FOLDER}/train-${padded(index)}-of-${padded(count)}.parquet`;
}

/**
 * The dataset card: YAML, by https://huggingface.co/docs/hub/datasets-cards, and Markdown. Holds only what the service knows, no
 * text of a row and no time, so that the same content has the same card. Texts of callers are escaped.
 */
export function datasetCard(facts: CardFacts): string {
  const { name, description, columns, run, evaluation, recipe } = facts;
  const sections = [
    `# ${inline(name)}`,
    ...(description === null ? [] : [inline(description)]),
    section('Columns', [
      table(
        ['Column', 'Type'],
        columns.map((column) => [code(column.name), code(column.type)]),
      ),
    ]),
    section('Where the rows come from', lineageOf(facts)),
    ...(recipe === null ? [] : [section('Recipe', [list(recipeLines(recipe))])]),
    ...(isModelMade(run) ? [section('Evaluation', evaluationOf(evaluation, facts.results))] : []),
    section('Limits', [
      list([
        ...limitsOf(facts),
        'Nobody looked for personal data before the rows were published, unless the owner did.',
      ]),
    ]),
  ];
  return `${frontMatter(facts)}\n${sections.join('\n\n')}\n`;
}

/** A card without its YAML, for platforms that show Markdown alone. */
export const withoutFrontMatter = (card: string): string => card.replace(/^---\n(?:.*\n)*?---\n+/, '');

/** Whether models wrote or edited rows in the run. Combined rows are those of other datasets. */
const isModelMade = (run: CardFacts['run']): boolean => run !== null && kindOf(run).rowsAreOf === 'models';

function limitsOf({ run, evaluation }: CardFacts): string[] {
  if (run !== null && kindOf(run).rowsAreOf === 'other_datasets') {
    return ['The rows are those of other datasets, in which models may have written or edited rows.'];
  }
  if (!isModelMade(run)) {
    const how = run === null ? 'uploaded' : 'uploaded and added';
    return [`The rows are as they were ${how}: nothing was checked or changed.`];
  }
  return [
    'Models wrote or edited rows. They may be wrong, and repeat what is wrong in the rows that they were made of.',
    ...(evaluation?.quality == null
      ? []
      : ['The grade is an estimate from a sample. Its interval says how far the true value may be away.']),
  ];
}

function frontMatter({ name, license, run, recipe, languages: detected }: CardFacts): string {
  const targets = (recipe?.expansion?.targets ?? []).map(
    ({ language }) => language.split('-')[0] ?? language,
  );
  const languages = [...new Set([...detected, ...targets])].sort();
  return [
    '---',
    `pretty_name: ${yaml(name)}`,
    ...(license === null ? [] : [`license: ${yaml(license)}`]),
    ...(languages.length === 0 ? [] : ['language:', ...languages.map((each) => `- ${yaml(each)}`)]),
    'tags:',
    '- tunesmith',
    ...(isModelMade(run) ? ['- synthetic'] : []),
    'configs:',
    '- config_name: default',
    '  data_files:',
    '  - split: train',
    `    path: ${DATA_FOLDER}/train-*.parquet`,
    '---',
    '',
  ].join('\n');
}

/** What a run has done with the rows of a dataset, by its kind; null where no more is known, or no rows are made. */
const WHAT_RUNS_DO: Readonly<Record<RunPipeline, string | null>> = {
  ingest: null,
  import: null,
  adapt: 'adapted the rows of the dataset',
  review: 'applied to the rows what people said of them',
  pilot: null,
  append: 'added rows to the dataset',
  combine: 'combined rows of other datasets',
  expand: 'translated rows of another dataset',
  invent: 'invented the rows',
  augment: 'wrote rows from those of another dataset',
  train: null,
};

function lineageOf({ run, datasetId, sourceDatasetId }: CardFacts): string[] {
  const lines = [
    `Dataset ${code(datasetId)} of a Tunesmith service.`,
    ...(sourceDatasetId === null ? [] : [`Made of the dataset ${code(sourceDatasetId)}.`]),
    ...(run === null
      ? ['The rows are those of its upload.']
      : [`The run ${code(run.run_id)} ${WHAT_RUNS_DO[run.pipeline] ?? 'made the rows'}.`]),
    ...(run?.version === undefined ? [] : [`Version ${run.version} of the dataset.`]),
  ];
  const counts = run?.counts ?? null;
  const tables =
    counts === null
      ? []
      : [
          table(
            ['Rows', 'Number'],
            [
              ['in the source', counts.total],
              ['changed', counts.changed],
              ['kept as they were', counts.kept],
              ['dropped', counts.dropped],
              ['failed', counts.failed],
              ['left out by `max_rows`', counts.not_selected],
              ['added in other languages', counts.expanded],
            ].map(([label, count]) => [String(label), String(count)]),
          ),
        ];
  const models = Object.entries(run?.models ?? {});
  return [
    list(lines),
    ...tables,
    ...(models.length === 0
      ? []
      : [
          table(
            ['Role', 'Model'],
            models.map(([role, model]) => [code(role), code(model)]),
          ),
        ]),
  ];
}

function recipeLines(recipe: Recipe): string[] {
  const on = (isOn: boolean): string => (isOn ? 'on' : 'off');
  return [
    `Rows for ${code(recipe.training_type)}`,
    `Rephrased prompts: ${on(recipe.prompt_rephrase)}`,
    `Removal of duplicates: ${on(recipe.deduplication)}`,
    `Reasoning traces: ${on(recipe.reasoning_traces)}`,
    `Web search: ${on(recipe.grounding)}`,
    ...(recipe.length === null ? [] : [`Length of answers: ${code(recipe.length)}`]),
    ...(recipe.expansion === null
      ? []
      : [
          `${recipe.expansion.type === 'translate' ? 'Translated' : 'Localized'} to ${recipe.expansion.targets
            .map(({ language, country }) => code(country === null ? language : `${language}-${country}`))
            .join(', ')}`,
        ]),
  ];
}

function evaluationOf(evaluation: CardFacts['evaluation'], results: CardFacts['results']): string[] {
  const quality = evaluation?.quality ?? null;
  if (quality === null) return ['The rows were not graded.'];
  const intervalOf = (name: string): string => {
    const value = own(results, name);
    return Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'number')
      ? `${value[0]} to ${value[1]}`
      : 'none';
  };
  const judge = results?.judge;
  const model =
    typeof judge === 'object' && judge !== null && 'model' in judge && typeof judge.model === 'string'
      ? judge.model
      : null;
  return [
    table(
      ['', 'Grade', 'Score of 10', '95 % interval'],
      [
        ['Source', quality.grade_before, quality.score_before, intervalOf('score_interval_before')],
        ['These rows', quality.grade_after, quality.score_after, intervalOf('score_interval_after')],
      ].map((cells) => cells.map((cell) => (cell === null ? 'none' : String(cell)))),
    ),
    model === null
      ? 'The grades rest on checks and on metrics, without a judge.'
      : `The judge was ${code(model)}, on a sample of the rows.`,
  ];
}
