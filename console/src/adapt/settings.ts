import { type Schemas, TunesmithError } from 'tunesmith';
import type { ColumnMapping } from './mapping.ts';

export type AdaptRequest = Schemas['AdaptRequest'];
type BrandControls = NonNullable<AdaptRequest['brand_controls']>;
export type Length = NonNullable<BrandControls['length']>;
export type SafetyCategory = NonNullable<BrandControls['safety_categories']>[number];
type LintRecipe = NonNullable<
  NonNullable<NonNullable<AdaptRequest['recipe_specification']>['recipes']>['lint']
>;
export type DropCheck = LintRecipe['drop'][number];
export type Verification = NonNullable<
  NonNullable<NonNullable<AdaptRequest['recipe_specification']>['recipes']>['verification']
>;
export type Expansion = 'none' | 'previous' | 'translate' | 'localize';

/** Everything that can be chosen of an adaptation besides its columns; texts as they are typed. */
export interface Settings {
  readonly trainingType: NonNullable<AdaptRequest['training_type']>;
  /** Null leaves it to the service: prompts are rephrased where a prompt column is mapped. */
  readonly promptRephrase: boolean | null;
  readonly deduplication: boolean;
  readonly reasoningTraces: boolean;
  /** What is done about answers that look right and may be wrong; empty leaves it to the service: free checks flag rows. */
  readonly verification: Verification | '';
  /** Rows at most that the model is asked about. */
  readonly verificationRows: string;
  readonly drop: readonly DropCheck[];
  /** Texts with an empty line between them. */
  readonly benchmarks: string;
  /** JSON */
  readonly answerSchema: string;
  readonly maxRows: string;
  /** Whether calls go to the batch interface of the model's provider, for half the price. */
  readonly batch: boolean;
  /** Whether rows that an earlier run adapted with the same settings are taken over. */
  readonly reuse: boolean;
  readonly length: Length | '';
  readonly blueprint: string;
  readonly safety: readonly SafetyCategory[];
  readonly hallucinationMitigation: boolean;
  readonly expansion: Expansion;
  /** `de, fr` */
  readonly languages: string;
  /** `es-MX, de-AT` */
  readonly pairs: string;
  /** Percent of the rows. */
  readonly samplePercent: string;
}

/** The defaults of the service, but that nothing is added in other languages unless it is asked for. */
export const DEFAULTS: Settings = {
  trainingType: 'instruction_dataset',
  promptRephrase: null,
  deduplication: false,
  reasoningTraces: false,
  verification: '',
  verificationRows: '',
  drop: [],
  benchmarks: '',
  answerSchema: '',
  maxRows: '',
  batch: false,
  reuse: true,
  length: '',
  blueprint: '',
  safety: [],
  hallucinationMitigation: false,
  expansion: 'none',
  languages: '',
  pairs: '',
  samplePercent: '100',
};

/** What is wrong with a field, by its path in the request. */
export type Problems = ReadonlyMap<string, string>;

/** Paths of the request at which a control of the page stands. */
export const PATHS = {
  mapping: 'column_mapping',
  universalPrompt: 'column_mapping.universal_prompt',
  trainingType: 'training_type',
  promptRephrase: 'recipe_specification.recipes.prompt_rephrase',
  deduplication: 'recipe_specification.recipes.deduplication',
  reasoningTraces: 'recipe_specification.recipes.reasoning_traces',
  verification: 'recipe_specification.recipes.verification',
  verificationRows: 'recipe_specification.recipes.verification_rows',
  drop: 'recipe_specification.recipes.lint.drop',
  benchmarks: 'recipe_specification.recipes.lint.benchmarks',
  answerSchema: 'recipe_specification.recipes.lint.answer_schema',
  maxRows: 'job_specification.max_rows',
  batch: 'job_specification.processing',
  reuse: 'reuse',
  length: 'brand_controls.length',
  blueprint: 'brand_controls.blueprint',
  safety: 'brand_controls.safety_categories',
  hallucinationMitigation: 'brand_controls.hallucination_mitigation',
  languages: 'language_expansion.languages',
  pairs: 'language_expansion.pairs',
  samplePercent: 'language_expansion.sample_rate',
} as const;

const listOf = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '');

const paragraphsOf = (text: string): string[] =>
  text
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '');

type JsonObject = Readonly<Record<string, Schemas['JsonValue']>>;

function parseSchema(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : null;
  } catch {
    // The caller says that it is no JSON.
    return null;
  }
}

/** `es-MX` → Spanish in Mexico: the country is the last part, since a language may have a script (`zh-Hant-TW`). */
function pairOf(text: string): { language: string; country: string } | null {
  const at = text.lastIndexOf('-');
  if (at <= 0 || !/^[A-Za-z]{2}$/.test(text.slice(at + 1))) return null;
  return { language: text.slice(0, at), country: text.slice(at + 1).toUpperCase() };
}

/** Whether a recipe or the check of the rows reads what rows are held against. */
const reads = (settings: Settings, check: DropCheck): boolean => settings.drop.includes(check);

/** Whether a model is asked whether answers are true. */
export const asksModel = ({ verification }: Pick<Settings, 'verification'>): boolean =>
  verification === 'flag' || verification === 'correct' || verification === 'drop';

/** What can be said of the settings before the service is asked. */
export function problemsOfSettings(settings: Settings): Problems {
  const problems = new Map<string, string>();
  if (settings.maxRows.trim() !== '' && !/^[1-9]\d*$/.test(settings.maxRows.trim())) {
    problems.set(PATHS.maxRows, 'Type a whole number from 1, or nothing for all rows.');
  }
  if (
    asksModel(settings) &&
    settings.verificationRows.trim() !== '' &&
    !/^[1-9]\d*$/.test(settings.verificationRows.trim())
  ) {
    problems.set(PATHS.verificationRows, 'Type a whole number from 1, or nothing for all rows.');
  }
  if (settings.answerSchema.trim() !== '' && parseSchema(settings.answerSchema) === null) {
    problems.set(PATHS.answerSchema, 'This is no JSON object.');
  } else if (settings.answerSchema.trim() === '' && reads(settings, 'answer_invalid')) {
    problems.set(PATHS.answerSchema, 'Answers that break the schema are left out: give the schema.');
  }
  if (reads(settings, 'contaminated') && paragraphsOf(settings.benchmarks).length === 0) {
    problems.set(PATHS.benchmarks, 'Rows from benchmarks are left out: give the texts of the benchmarks.');
  }
  if (settings.expansion === 'translate' && listOf(settings.languages).length === 0) {
    problems.set(PATHS.languages, 'Type the code of at least one language.');
  }
  if (settings.expansion === 'localize') {
    const wrong = listOf(settings.pairs).find((each) => pairOf(each) === null);
    if (wrong !== undefined) {
      problems.set(PATHS.pairs, `“${wrong}” is no language with a country; type it like es-MX.`);
    } else if (listOf(settings.pairs).length === 0) {
      problems.set(PATHS.pairs, 'Type at least one language with its country, like es-MX.');
    }
  }
  if (settings.expansion === 'translate' || settings.expansion === 'localize') {
    const percent = Number(settings.samplePercent.trim() || Number.NaN);
    if (!(percent >= 1 && percent <= 100)) {
      problems.set(PATHS.samplePercent, 'Type a number from 1 to 100.');
    }
  }
  return problems;
}

/** Benchmarks and schema, for what reads them; those that cannot be read are left out. */
export function referencesOf({
  benchmarks,
  answerSchema,
}: Pick<Settings, 'benchmarks' | 'answerSchema'>): Pick<LintRecipe, 'benchmarks' | 'answer_schema'> {
  const texts = paragraphsOf(benchmarks);
  const schema = answerSchema.trim() === '' ? null : parseSchema(answerSchema);
  return {
    ...(texts.length === 0 ? {} : { benchmarks: texts }),
    ...(schema === null ? {} : { answer_schema: schema }),
  };
}

function recipesOf(settings: Settings) {
  const { promptRephrase, deduplication, reasoningTraces, verification, drop } = settings;
  const { benchmarks, answer_schema } = referencesOf(settings);
  const recipes = {
    ...(promptRephrase === null ? {} : { prompt_rephrase: promptRephrase }),
    ...(deduplication ? { deduplication } : {}),
    ...(reasoningTraces ? { reasoning_traces: true } : {}),
    ...(verification === '' ? {} : { verification }),
    ...(asksModel(settings) && settings.verificationRows.trim() !== ''
      ? { verification_rows: Number(settings.verificationRows) }
      : {}),
    ...(drop.length === 0
      ? {}
      : {
          lint: {
            drop: [...drop],
            ...(benchmarks !== undefined && reads(settings, 'contaminated') ? { benchmarks } : {}),
            ...(answer_schema !== undefined && reads(settings, 'answer_invalid') ? { answer_schema } : {}),
          },
        }),
  };
  return Object.keys(recipes).length === 0 ? {} : { recipe_specification: { recipes } };
}

function brandControlsOf({ length, safety, hallucinationMitigation, blueprint }: Settings) {
  const controls: BrandControls = {
    ...(length === '' ? {} : { length }),
    ...(safety.length === 0 ? {} : { safety_categories: [...safety] }),
    ...(hallucinationMitigation ? { hallucination_mitigation: true } : {}),
    ...(blueprint.trim() === '' ? {} : { blueprint }),
  };
  return Object.keys(controls).length === 0 ? {} : { brand_controls: controls };
}

/** The service repeats the last expansion of a dataset unless a request says something of it: null is nothing. */
function expansionOf(settings: Settings): Pick<AdaptRequest, 'language_expansion'> {
  const { expansion, languages, pairs } = settings;
  const sample_rate = Number(settings.samplePercent) / 100;
  if (expansion === 'previous') return {};
  if (expansion === 'translate') {
    return { language_expansion: { type: 'translate', languages: listOf(languages), sample_rate } };
  }
  if (expansion === 'localize') {
    const found = listOf(pairs).flatMap((each) => pairOf(each) ?? []);
    return { language_expansion: { type: 'localize', pairs: found, sample_rate } };
  }
  return { language_expansion: null };
}

/** The request for an adaptation with these settings. What is as the service has it by default is left out. */
export function adaptRequestOf(mapping: ColumnMapping, settings: Settings): AdaptRequest {
  const { trainingType, maxRows, batch, reuse } = settings;
  const job = {
    ...(maxRows.trim() === '' ? {} : { max_rows: Number(maxRows) }),
    ...(batch ? { processing: 'batch' as const } : {}),
  };
  return {
    column_mapping: mapping,
    ...recipesOf(settings),
    ...(Object.keys(job).length === 0 ? {} : { job_specification: job }),
    ...(reuse ? {} : { reuse }),
    ...brandControlsOf(settings),
    ...(trainingType === 'instruction_dataset' ? {} : { training_type: trainingType }),
    ...expansionOf(settings),
  };
}

/** The same request as the launch of a run. */
export function launchRequestOf(request: AdaptRequest, key: string): AdaptRequest {
  return { ...request, job_specification: { ...request.job_specification, idempotency_key: key } };
}

/** What the service says of a field, by path; a fault of an entry (`languages[1]`) is one of its field. */
export function problemsOfAnswer(
  details: readonly { readonly path: string; readonly message: string }[],
): Problems {
  const problems = new Map<string, string>();
  for (const { path, message } of details) {
    const field = Object.values(PATHS).find(
      (each) =>
        each !== PATHS.mapping &&
        (path === each || path.startsWith(`${each}[`) || path.startsWith(`${each}.`)),
    );
    const at = field ?? path;
    const text = `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.$/, '')}.`;
    problems.set(at, problems.has(at) ? `${problems.get(at)} ${text}` : text);
  }
  return problems;
}

/** What a refused request says of its fields; nothing for any other error. */
export const problemsOfError = (error: unknown): Problems =>
  problemsOfAnswer(error instanceof TunesmithError ? error.details : []);

/** What the service says of the use of a column: `column_mapping.context[1]` is that of the second context column. */
export function problemOfColumn(
  problems: Problems,
  mapping: ColumnMapping,
  column: string,
): string | undefined {
  const paths = [
    ...(['prompt', 'completion', 'chat', 'image'] as const)
      .filter((role) => mapping[role] === column)
      .map((role) => `${PATHS.mapping}.${role}`),
    ...(mapping.context ?? []).flatMap((each, index) =>
      each === column ? [`${PATHS.mapping}.context[${index}]`, `${PATHS.mapping}.context`] : [],
    ),
  ];
  return paths.map((path) => problems.get(path)).find((message) => message !== undefined);
}
