import { findModel } from '#shared/training/decide/catalog.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import type { IterationOutcome, TrainingReport, WinRate } from '#shared/training/schema/training-outcome.ts';
import { code, inline, list, section, table, yaml } from './markdown.ts';
import type { ModelForm } from './model-files.ts';

export interface ModelCardFacts {
  readonly form: ModelForm;
  /** Name of the dataset that the model was trained on. */
  readonly datasetName: string;
  readonly license: string | null;
  readonly training: Pick<
    TrainingRecord,
    | 'experiment_id'
    | 'dataset_id'
    | 'dataset_version'
    | 'source_run_id'
    | 'model'
    | 'training_method'
    | 'data_format'
    | 'seed'
    | 'target_win_rate'
  >;
  readonly report: TrainingReport;
}

/**
 * The model card: YAML, by https://huggingface.co/docs/hub/model-cards, and Markdown. Holds no text of a row and no time, so that
 * the same model has the same card. Texts of callers are escaped.
 */
export function modelCard(facts: ModelCardFacts): string {
  const { form, training, report, datasetName } = facts;
  const published = report.iterations.find(({ iteration }) => iteration === report.best_iteration) ?? null;
  const base = training.model;
  const sections = [
    `# ${inline(base.slice(base.lastIndexOf('/') + 1))}, trained on ${inline(datasetName)}`,
    form === 'adapter'
      ? `A LoRA adapter for ${code(base)}, in the format of PEFT.`
      : `All weights of ${code(base)}, trained further, in the format of transformers.`,
    section('Use', [useOf(form, base)]),
    section('Training', trainingOf(facts, published)),
    section('Results', resultsOf(report, published)),
    section('Limits', [list(limitsOf(facts, published))]),
  ];
  return `${frontMatter(facts, published)}\n${sections.join('\n\n')}\n`;
}

function frontMatter(
  { form, training, license }: ModelCardFacts,
  published: IterationOutcome | null,
): string {
  const methods = [...new Set((published?.stages ?? []).map(({ method }) => method))];
  return [
    '---',
    `base_model: ${yaml(training.model)}`,
    `base_model_relation: ${form === 'adapter' ? 'adapter' : 'finetune'}`,
    `library_name: ${form === 'adapter' ? 'peft' : 'transformers'}`,
    'pipeline_tag: text-generation',
    ...(license === null ? [] : [`license: ${yaml(license)}`]),
    'tags:',
    '- tunesmith',
    ...(form === 'adapter' ? ['- lora'] : []),
    ...methods.map((method) => `- ${method}`),
    '---',
    '',
  ].join('\n');
}

function useOf(form: ModelForm, base: string): string {
  const lines =
    form === 'adapter'
      ? [
          'from peft import PeftModel',
          'from transformers import AutoModelForCausalLM, AutoTokenizer',
          '',
          'repository = "NAMESPACE/NAME"  # this one',
          `base = AutoModelForCausalLM.from_pretrained(${yaml(base)})`,
          'model = PeftModel.from_pretrained(base, repository)',
          'tokenizer = AutoTokenizer.from_pretrained(repository)',
        ]
      : [
          'from transformers import AutoModelForCausalLM, AutoTokenizer',
          '',
          'repository = "NAMESPACE/NAME"  # this one',
          'model = AutoModelForCausalLM.from_pretrained(repository)',
          'tokenizer = AutoTokenizer.from_pretrained(repository)',
        ];
  return ['```python', ...lines, '```'].join('\n');
}

function trainingOf(
  { training, report, form }: ModelCardFacts,
  published: IterationOutcome | null,
): string[] {
  const { data } = report;
  const { experiment_id, dataset_id, dataset_version, source_run_id } = training;
  const stages = published?.stages ?? [];
  const trainer = published?.trainer ?? null;
  const versions = Object.entries(trainer?.trainer.versions ?? {});
  const lines = [
    `Training ${code(experiment_id)} of a Tunesmith service, iteration ${report.best_iteration ?? 'none'} of ${report.iterations.length}.`,
    `Dataset ${code(dataset_id)}${dataset_version === undefined ? '' : `, version ${dataset_version}`}${source_run_id === null ? ', the rows that it was made with' : `, rows of the run ${code(source_run_id)}`}.`,
    `Method: ${training.training_method}, on rows as ${training.data_format}, with the seed ${training.seed}.`,
    ...(stages.length > 1
      ? [
          `One ${form === 'adapter' ? 'adapter' : 'model'} went through all stages, each of which began with what the one before left: nothing has to be merged.`,
        ]
      : []),
    ...(trainer === null
      ? []
      : [
          `Trainer: ${trainer.trainer.kind}${versions.length === 0 ? '' : `, ${versions.map(([name, version]) => code(`${name} ${version}`)).join(', ')}`}.`,
        ]),
  ];
  const skipped = data.skipped.reduce((sum, { rows }) => sum + rows, 0);
  return [
    list(lines),
    table(
      ['Rows', 'Number'],
      [
        ['trained on', data.train_rows],
        ['of these, cut to the context of the model', trainer?.rows.truncated ?? 0],
        ['held out', data.held_out_rows],
        ['skipped, without a prompt or an answer', skipped],
        ['written by a model and added', data.augmented_rows],
      ].map((cells) => cells.map(String)),
    ),
    ...stages.flatMap(({ method, hyperparams }, index) => [
      `Stage ${index + 1} of ${stages.length}: ${method.toUpperCase()}${lossesOf(published, index)}`,
      table(
        ['Hyperparameter', 'Value'],
        Object.entries(hyperparams)
          .filter(([name]) => method === 'dpo' || !/^(?:dpo|rpo|simpo)_/.test(name))
          .filter(([name]) => form === 'adapter' || !name.startsWith('lora_'))
          .map(([name, value]) => [code(name), code(String(value ?? 'default'))]),
      ),
    ]),
  ];
}

/** The loss on held-out rows before and after a stage. */
function lossesOf(published: IterationOutcome | null, index: number): string {
  const losses = published?.trainer?.stages[index]?.held_out_loss ?? [];
  const [first, last] = [losses[0], losses.at(-1)];
  return first === undefined || last === undefined
    ? '.'
    : `. Its loss on held-out rows went from ${first.loss.toFixed(4)} to ${last.loss.toFixed(4)}.`;
}

function resultsOf(report: TrainingReport, published: IterationOutcome | null): string[] {
  const measured = report.iterations.flatMap(({ iteration, win_rate }) =>
    win_rate === null ? [] : [{ iteration, ...win_rate }],
  );
  if (published === null || measured.length === 0) return ['The model was not compared with its base.'];
  const { win_rate, likelihood, preference_accuracy } = published;
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  const row = (label: string, rate: WinRate): string[] => [
    label,
    percent(rate.value),
    rate.interval95.map(percent).join(' to '),
    rate.method === 'judge' ? `judge ${code(rate.judge ?? 'unknown')}` : 'likelihood',
    ...[rate.n, rate.wins, rate.ties, rate.losses].map(String),
  ];
  return [
    'Win rates against the base model, on rows that were not trained on. A tie counts half.',
    table(
      ['Iteration', 'Win rate', '95 % interval', 'Measure', 'Rows', 'Won', 'Tied', 'Lost'],
      [
        ...measured.map(({ iteration, ...rate }) =>
          row(iteration === published.iteration ? `${iteration}, published` : String(iteration), rate),
        ),
        ...(likelihood !== null && win_rate?.method === 'judge'
          ? [row(`${published.iteration}, published`, likelihood)]
          : []),
      ],
    ),
    list([
      ...(measured.some(({ method }) => method === 'judge')
        ? ['Judge: a model compared the answers of both, blind and in both orders.']
        : []),
      'Likelihood: the share of rows whose reference the trained model finds likelier, per token, than the base does.',
      `The target was ${percent(report.target_win_rate)}.`,
      ...(preference_accuracy === null
        ? []
        : [
            `The preferred answer is the likelier one in ${percent(preference_accuracy.base)} of the held-out pairs for the base, and in ${percent(preference_accuracy.tuned)} for the trained model.`,
          ]),
    ]),
  ];
}

function limitsOf({ training, report }: ModelCardFacts, published: IterationOutcome | null): string[] {
  const rate = published?.win_rate ?? null;
  const license = findModel(training.model)?.license;
  return [
    ...(rate?.is_indicative === true
      ? [`The win rate rests on ${rate.n} rows: it is a hint and no more.`]
      : []),
    ...(rate?.method === 'likelihood'
      ? [
          `No judge decided${published?.likelihood_reason == null ? '' : ` (${inline(published.likelihood_reason)})`}: the win rate says how well the model fits the references, not how good its answers are.`,
        ]
      : []),
    ...(rate?.method === 'judge' ? ['A judge is a model, and can be wrong.'] : []),
    ...(report.iterations.filter(({ win_rate }) => win_rate !== null).length > 1
      ? [
          'The best iteration was chosen by these held-out rows, so that its win rate is rather too high than too low.',
        ]
      : []),
    'Held-out rows come from the same dataset: how the model does elsewhere was not measured, nor was its safety.',
    'The model can repeat texts of the rows that it was trained on. Nobody looked for personal data in them, unless the owner did.',
    'What the base model gets wrong, this one may get wrong too.',
    license === undefined
      ? 'The terms of the base model hold too.'
      : `The base model comes under ${inline(license.name)} (<${license.url}>), whose terms hold for this one too.`,
  ];
}
