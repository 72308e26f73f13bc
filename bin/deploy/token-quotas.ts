import type { Finding } from '../findings.mjs';

/** A quota as Service Quotas has it. */
export interface Quota {
  readonly name: string;
  readonly value: number;
}

/** The tokens of a model that an account may use; null where no quota has the model's name. */
export interface ModelTokens {
  readonly aMinute: number | null;
  readonly aDay: number | null;
}

/**
 * The names that Service Quotas gives the quotas of the endpoint `bedrock-runtime`, less the model's name at their end. An
 * account that invokes a model through an inference profile has other quotas than one that invokes it in its region.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/quotas-runtime.html
 */
const NAMES = {
  region: {
    aMinute: /^On-demand (?:model inference|InvokeModel) tokens per minute for /i,
    aDay: /^Model invocation max tokens per day for /i,
  },
  regions: {
    aMinute: /^Cross-region (?:model inference|InvokeModel) tokens per minute for /i,
    aDay: /^Model invocation max tokens per day for /i,
  },
  global: {
    aMinute: /^Global cross-region (?:model inference|InvokeModel) tokens per minute for /i,
    aDay: /^Global cross-region (?:model inference|InvokeModel) tokens per day for /i,
  },
} as const;

/** Tokens of the calls of a row that is worked on: four of some 500. */
const ROW_TOKENS = 2000;
/** A day with tokens for fewer rows is for trying the service out. */
const ROWS_A_DAY_MIN = 1000;

/** Inference profile, model, date and version of an id such as `us.vendor.some-model-20250929-v1:0`. */
const ID =
  // Ids have a few dozen characters.
  /^(?:(global|us|us-gov|eu|apac|jp|au|ca)\.)?([\w-]+\.[\w.-]+?)(?:-20\d{6})?(?:-v(\d+)(?::\d+[\w:]*)?|-(\d{1,2}):\d+[\w:]*)?$/;

const squeeze = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/**
 * The quotas of a model, by the id or ARN of the model or of a system-defined inference profile. Service Quotas has names instead
 * of ids, so letters and digits are compared; the name may lack the provider and the version.
 */
export function tokensOf(modelId: string, quotas: readonly Quota[]): ModelTokens {
  const id = modelId.replace(/^arn:.*\//, '').replace('titan-embed-text', 'titan-text-embeddings');
  const [, profile, stem = id, named, numbered] = ID.exec(id) ?? [];
  const version = `v${named ?? numbered ?? 1}`;
  const names = NAMES[profile === undefined ? 'region' : profile === 'global' ? 'global' : 'regions'];
  const base = squeeze(stem);
  const short = squeeze(stem.replace(/^[\w-]+\./, ''));
  const find = (name: RegExp): number | null => {
    const ofModels = quotas
      .filter(({ name: each }) => name.test(each))
      .map(({ name: each, value }) => ({
        model: squeeze(each.replace(name, '').replaceAll(/\([^)]*\)/g, '')),
        value,
      }));
    const wanted = [`${base}${version}`, `${short}${version}`, base, short];
    for (const each of wanted) {
      const found = ofModels.find(({ model }) => model === each);
      if (found !== undefined) return found.value;
    }
    return null;
  };
  return { aMinute: find(names.aMinute), aDay: find(names.aDay) };
}

/** Whether the account has tokens for the models. */
export function judgeTokens(models: ReadonlyMap<string, ModelTokens>): Omit<Finding, 'name'> {
  const told = (tokens: number | null, of: string): string =>
    tokens === null ? `tokens ${of} unknown` : `${tokens.toLocaleString('en')} tokens ${of}`;
  const found = [...models]
    .map(([id, { aMinute, aDay }]) => `${id}: ${told(aMinute, 'a minute')}, ${told(aDay, 'a day')}`)
    .join('; ');
  const all = [...models.values()];
  const raise =
    'Service Quotas, Amazon Bedrock, "Model invocation max tokens per day" and "model inference tokens per minute" of the model';
  if (all.some(({ aMinute, aDay }) => aMinute === 0 || aDay === 0)) {
    return {
      state: 'missing',
      found,
      advice: `A model without tokens answers nobody ("Too many tokens per day"). New accounts begin so: put the account on a paid plan, have the quota raised (${raise}; where it is not adjustable, by AWS Support), or name another model.`,
    };
  }
  const fewest = Math.min(...all.map(({ aDay }) => aDay ?? Number.POSITIVE_INFINITY));
  if (fewest < ROW_TOKENS * ROWS_A_DAY_MIN) {
    return {
      state: 'note',
      found,
      advice: `Enough for some ${Math.floor(fewest / ROW_TOKENS)} rows a day; what is more ends with model_quota_exhausted. Have it raised: ${raise}.`,
    };
  }
  if (all.some(({ aMinute, aDay }) => aMinute === null && aDay === null)) {
    return { state: 'note', found, advice: `No quota has the name of the model. Look it up: ${raise}.` };
  }
  return { state: 'ok', found };
}
