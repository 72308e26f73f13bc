import type { Schemas } from 'tunesmith';

type Request = Schemas['CreateTrainingRequest'];
type Hyperparams = NonNullable<Request['hyperparams']>;

/** What a person has typed; an empty field leaves the choice to the service. */
export interface LaunchForm {
  readonly dataset: string;
  readonly model: string;
  readonly method: 'instruction' | 'alignment';
  readonly maxIterations: string;
  /** In per cent. */
  readonly targetWinRate: string;
  readonly domainRows: string;
  readonly generalRows: string;
  readonly voucher: string;
  readonly hyperparams: Readonly<Record<string, string>>;
  /** Names of columns; the service finds those that are left empty. */
  readonly columns: Readonly<Record<string, string>>;
}

export const EMPTY_LAUNCH: LaunchForm = {
  dataset: '',
  model: '',
  method: 'instruction',
  maxIterations: '',
  targetWinRate: '',
  domainRows: '',
  generalRows: '',
  voucher: '',
  hyperparams: {},
  columns: {},
};

/** A column that a training can read. */
export interface ColumnRole {
  readonly name: keyof NonNullable<Request['column_mapping']>;
  readonly label: string;
  readonly hint: string;
}

export const COLUMN_ROLES: readonly ColumnRole[] = [
  { name: 'prompt', label: 'Prompts', hint: 'What the model is asked.' },
  { name: 'completion', label: 'Answers', hint: 'What it learns to answer.' },
  { name: 'reasoning_trace', label: 'Reasoning', hint: 'Needs a model that learns reasoning.' },
  { name: 'chosen', label: 'Preferred answers', hint: 'Together with the rejected ones.' },
  { name: 'rejected', label: 'Rejected answers', hint: 'Together with the preferred ones.' },
];

/** A hyperparameter that can be set, with the range that the service takes. */
export interface Setting {
  readonly name: Exclude<keyof Hyperparams, 'base_model_size'>;
  readonly label: string;
  readonly hint: string;
  readonly values:
    | { readonly kind: 'number'; readonly min: number; readonly max?: number; readonly step: string }
    | { readonly kind: 'rows' }
    | { readonly kind: 'text'; readonly lengthMax: number }
    | { readonly kind: 'truth' }
    | { readonly kind: 'choice'; readonly of: readonly string[] };
  /** Only of a training on preferences. */
  readonly isOfAlignment?: boolean;
  /** Shown after the others, since few set it. */
  readonly isRare?: boolean;
}

const share = { kind: 'number', min: 0, max: 1, step: 'any' } as const;
const fromZero = { kind: 'number', min: 0, step: 'any' } as const;

export const SETTINGS: readonly Setting[] = [
  {
    name: 'training_type',
    label: 'What is trained',
    hint: 'lora: an adapter beside the model. full: all of its weights.',
    values: { kind: 'choice', of: ['lora', 'full'] },
  },
  {
    name: 'n_epochs',
    label: 'Epochs',
    hint: 'Passes over the rows, 1 to 20.',
    values: { kind: 'number', min: 1, max: 20, step: 'any' },
  },
  {
    name: 'learning_rate',
    label: 'Learning rate',
    hint: 'At its peak, 1e-8 to 0.01.',
    values: { kind: 'number', min: 1e-8, max: 0.01, step: 'any' },
  },
  {
    name: 'batch_size',
    label: 'Batch size',
    hint: 'Rows of a step, or max for the most that fit.',
    values: { kind: 'rows' },
  },
  {
    name: 'lora_r',
    label: 'Rank of the adapter',
    hint: '1 to 64. A higher rank learns more, and overfits sooner.',
    values: { kind: 'number', min: 1, max: 64, step: '1' },
  },
  {
    name: 'lr_scheduler_type',
    label: 'Course of the learning rate',
    hint: 'After the warm-up.',
    values: { kind: 'choice', of: ['linear', 'cosine', 'constant'] },
  },
  {
    name: 'warmup_ratio',
    label: 'Share of warm-up',
    hint: 'Share of the steps in which the rate rises, 0 to 1.',
    values: share,
  },
  {
    name: 'weight_decay',
    label: 'Weight decay',
    hint: 'From 0.',
    values: fromZero,
  },
  {
    name: 'dpo_beta',
    label: 'Strength of the reference',
    hint: '0.05 to 0.9. Higher stays closer to the first stage.',
    values: { kind: 'number', min: 0.05, max: 0.9, step: 'any' },
    isOfAlignment: true,
  },
  {
    name: 'lora_alpha',
    label: 'Scaling of the adapter',
    hint: 'One or two times its rank.',
    values: { kind: 'number', min: 1, max: 128, step: '1' },
    isRare: true,
  },
  {
    name: 'lora_dropout',
    label: 'Dropout of the adapter',
    hint: '0 to 1.',
    values: share,
    isRare: true,
  },
  {
    name: 'lora_trainable_modules',
    label: 'Modules of the adapter',
    hint: 'all-linear, or names with commas between them.',
    values: { kind: 'text', lengthMax: 1000 },
    isRare: true,
  },
  {
    name: 'min_lr_ratio',
    label: 'Last learning rate',
    hint: 'As a share of its peak, 0 to 1.',
    values: share,
    isRare: true,
  },
  {
    name: 'scheduler_num_cycles',
    label: 'Cycles of the cosine',
    hint: '0 to 4.',
    values: { kind: 'number', min: 0, max: 4, step: 'any' },
    isRare: true,
  },
  {
    name: 'max_grad_norm',
    label: 'Gradient clipping',
    hint: 'Longest gradient (its norm), from 0.',
    values: fromZero,
    isRare: true,
  },
  {
    name: 'train_on_inputs',
    label: 'Train on prompts too',
    hint: 'Empty: on answers, and on the whole text of a row without a prompt.',
    values: { kind: 'truth' },
    isRare: true,
  },
  {
    name: 'dpo_normalize_logratios_by_length',
    label: 'Divide by the length of answers',
    hint: 'Else long answers weigh more in preference training.',
    values: { kind: 'truth' },
    isOfAlignment: true,
    isRare: true,
  },
  {
    name: 'rpo_alpha',
    label: 'RPO: weight of preferred answers',
    hint: 'From 0 (off). Excludes SimPO.',
    values: fromZero,
    isOfAlignment: true,
    isRare: true,
  },
  {
    name: 'simpo_gamma',
    label: 'SimPO: margin',
    hint: 'From 0 (off). Excludes RPO.',
    values: fromZero,
    isOfAlignment: true,
    isRare: true,
  },
];

/** The settings of a method: those that many set, or the rare ones. */
export const settingsFor = (
  method: LaunchForm['method'],
  { isRare }: { readonly isRare: boolean },
): Setting[] => settingsOf(method).filter((setting) => (setting.isRare === true) === isRare);

const settingsOf = (method: LaunchForm['method']): Setting[] =>
  SETTINGS.filter(({ isOfAlignment }) => isOfAlignment !== true || method === 'alignment');

/** What is typed for a setting, with the type that the service takes. */
function readSetting({ kind }: Setting['values'], text: string): string | number | boolean {
  if (kind === 'truth') return text === 'true';
  const isText = kind === 'choice' || kind === 'text' || (kind === 'rows' && text === 'max');
  return isText ? text : Number(text);
}

const typed = (text: string): string | undefined => (text.trim() === '' ? undefined : text.trim());
const numberOf = (text: string): number | undefined => {
  const value = typed(text);
  return value === undefined ? undefined : Number(value);
};

/** The request of a form, without a key; what is left empty is left out. */
export function requestOf(form: LaunchForm): Omit<Request, 'idempotency_key'> {
  const hyperparams = Object.fromEntries(
    settingsOf(form.method).flatMap(({ name, values }) => {
      const text = typed(form.hyperparams[name] ?? '');
      return text === undefined ? [] : [[name, readSetting(values, text)]];
    }),
  ) as Hyperparams;
  const columns = Object.fromEntries(
    COLUMN_ROLES.flatMap(({ name }) => {
      const column = form.columns[name] ?? '';
      return column === '' ? [] : [[name, column]];
    }),
  );
  const model = typed(form.model);
  const maxIterations = numberOf(form.maxIterations);
  const target = numberOf(form.targetWinRate);
  const domainRows = numberOf(form.domainRows);
  const generalRows = numberOf(form.generalRows);
  const voucher = typed(form.voucher);
  return {
    dataset_id: form.dataset,
    training_method: form.method,
    ...(model === undefined ? {} : { model }),
    ...(maxIterations === undefined ? {} : { max_iterations: maxIterations }),
    // Per cent have at most a few decimals: 70.1 is 0.701, not 0.7009999999999998.
    ...(target === undefined ? {} : { target_win_rate: Number((target / 100).toFixed(6)) }),
    ...(domainRows === undefined ? {} : { augmentation_domain_rows: domainRows }),
    ...(generalRows === undefined ? {} : { augmentation_general_rows: generalRows }),
    ...(voucher === undefined ? {} : { voucher }),
    ...(Object.keys(hyperparams).length === 0 ? {} : { hyperparams }),
    ...(Object.keys(columns).length === 0 ? {} : { column_mapping: columns }),
  };
}

const ROWS_OF_A_PRICE = 100;
const CREDITS_OF_A_PRICE = 10;

/** Credits that the rows which a training adds cost at most, before a voucher: training itself is free. */
export function creditsOf(form: Pick<LaunchForm, 'domainRows' | 'generalRows'>): number {
  const rows = (numberOf(form.domainRows) ?? 0) + (numberOf(form.generalRows) ?? 0);
  return Number.isFinite(rows) ? Math.ceil(rows / ROWS_OF_A_PRICE) * CREDITS_OF_A_PRICE : 0;
}
