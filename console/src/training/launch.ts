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
};

/** A hyperparameter that can be set, with the range that the service takes. */
export interface Setting {
  readonly name: Exclude<keyof Hyperparams, 'base_model_size'>;
  readonly label: string;
  readonly hint: string;
  readonly values:
    | { readonly kind: 'number'; readonly min: number; readonly max?: number; readonly step: string }
    | { readonly kind: 'rows' }
    | { readonly kind: 'choice'; readonly of: readonly string[] };
  /** Only of a training on preferences. */
  readonly isOfAlignment?: boolean;
}

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
    values: { kind: 'number', min: 0, max: 1, step: 'any' },
  },
  {
    name: 'weight_decay',
    label: 'Weight decay',
    hint: 'From 0.',
    values: { kind: 'number', min: 0, step: 'any' },
  },
  {
    name: 'dpo_beta',
    label: 'Strength of the reference',
    hint: '0.05 to 0.9. Higher stays closer to the first stage.',
    values: { kind: 'number', min: 0.05, max: 0.9, step: 'any' },
    isOfAlignment: true,
  },
];

const typed = (text: string): string | undefined => (text.trim() === '' ? undefined : text.trim());
const numberOf = (text: string): number | undefined => {
  const value = typed(text);
  return value === undefined ? undefined : Number(value);
};

/** The request of a form, without a key; what is left empty is left out. */
export function requestOf(form: LaunchForm): Omit<Request, 'idempotency_key'> {
  const hyperparams = Object.fromEntries(
    SETTINGS.filter(({ isOfAlignment }) => isOfAlignment !== true || form.method === 'alignment').flatMap(
      ({ name, values }) => {
        const text = typed(form.hyperparams[name] ?? '');
        if (text === undefined) return [];
        const isText = values.kind === 'choice' || (values.kind === 'rows' && text === 'max');
        return [[name, isText ? text : Number(text)]];
      },
    ),
  ) as Hyperparams;
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
  };
}

const ROWS_OF_A_PRICE = 100;
const CREDITS_OF_A_PRICE = 10;

/** Credits that the rows which a training adds cost at most, before a voucher: training itself is free. */
export function creditsOf(form: Pick<LaunchForm, 'domainRows' | 'generalRows'>): number {
  const rows = (numberOf(form.domainRows) ?? 0) + (numberOf(form.generalRows) ?? 0);
  return Number.isFinite(rows) ? Math.ceil(rows / ROWS_OF_A_PRICE) * CREDITS_OF_A_PRICE : 0;
}
