import type { ModelError } from '#shared/models/decide/port.ts';

/** The context of the advice. */
export interface AskedModel {
  readonly provider: 'bedrock' | 'openai';
  readonly region: string;
  /** The setting with the model's id. */
  readonly setting: string;
}

interface Refusal {
  readonly name: string;
  readonly message: string;
}

type Advice = (asked: AskedModel) => string;

const MODEL_ACCESS = 'https://docs.aws.amazon.com/bedrock/latest/userguide/model-access.html';

/**
 * Errors of Amazon Bedrock by kind, most specific first. Models need no access request: they are enabled in every
 * account, and errors come from a missing form, subscription or policy, or from the model's id.
 */
const BEDROCK_REFUSALS: readonly (readonly [matches: RegExp, advice: Advice])[] = [
  [
    /use.?case/i,
    () =>
      "Anthropic asks each account once what its models are used for: send the form (Bedrock console, Model catalog, any model of Anthropic's; or aws bedrock put-use-case-for-model-access), and check again 15 minutes later.",
  ],
  [
    /still being processed|agreement (is )?pending/i,
    () =>
      'The account is being subscribed to the model, which takes up to 15 minutes: check again then. Runs that begin meanwhile wait for MODEL_OUTAGE_SECONDS.',
  ],
  [
    /payment/i,
    () =>
      'The model is sold by the AWS Marketplace, which has no valid way of payment: add one in the Billing console, and check again 15 minutes later.',
  ],
  [
    /marketplace/i,
    () =>
      `The first call subscribes the account to a model of the AWS Marketplace: let whoever makes it have aws-marketplace:Subscribe and aws-marketplace:ViewSubscriptions, and check again 2 minutes later (${MODEL_ACCESS}). The functions need neither.`,
  ],
  [
    /legacy|end of (its )?life|deprecated model/i,
    ({ setting }) => `Its provider has retired it: set ${setting} to a model that is active.`,
  ],
  [
    /on-demand throughput|inference profile/i,
    ({ setting }) =>
      `It is reached by an inference profile alone: set ${setting} to one (aws bedrock list-inference-profiles; ids that begin with us., eu., apac. or global.).`,
  ],
  [
    /explicit deny|service control polic/i,
    () =>
      'A policy denies it expressly. Ask whoever keeps the policies of the organization to allow bedrock:InvokeModel for this model in this region, and in the regions of its inference profile.',
  ],
  [
    /not authorized to perform/i,
    () =>
      'Allow bedrock:InvokeModel and bedrock:InvokeModelWithResponseStream to whoever deploys. The functions get theirs from the deployment.',
  ],
  [
    /(identifier|model id).*(invalid|not found)|could not resolve|not supported in this region/i,
    ({ setting, region }) =>
      `There is no such model in ${region}: set ${setting} to one of aws bedrock list-foundation-models or list-inference-profiles, or deploy to another region.`,
  ],
];

const BEDROCK_NAMES: Readonly<Record<string, Advice>> = {
  AccessDeniedException: ({ region }) =>
    `Models are open to every account without a request. What refuses this one is a policy, a missing subscription, or the region ${region}: ${MODEL_ACCESS}.`,
  ResourceNotFoundException: ({ setting, region }) =>
    `There is no such model in ${region}: set ${setting} to one of aws bedrock list-foundation-models or list-inference-profiles, or deploy to another region.`,
  UnrecognizedClientException: () => 'Sign in again: AWS does not know the credentials.',
  ExpiredTokenException: () => 'Sign in again: the credentials have expired.',
  CredentialsProviderError: () => 'Give credentials: aws configure, or aws sso login.',
};

/** How to fix a model that has rejected one of the service's requests. */
export function adviseOn(error: ModelError, asked: AskedModel): string {
  const { setting } = asked;
  const refusal = refusalOf(error);
  const known =
    asked.provider === 'bedrock'
      ? (BEDROCK_REFUSALS.find(([matches]) => matches.test(refusal.message))?.[1] ??
        BEDROCK_NAMES[refusal.name])
      : undefined;
  if (error.kind === 'misconfigured') {
    return known?.(asked) ?? `Check MODEL_BASE_URL, MODEL_API_KEY and ${setting}.`;
  }
  switch (error.kind) {
    case 'throttled':
      return asked.provider === 'bedrock'
        ? 'Check again in a minute. Where it goes on, the quota of the model is too low: Service Quotas, Amazon Bedrock, "model inference tokens per minute" of the model.'
        : 'Check again in a minute. Where it goes on, ask the provider for a higher limit.';
    case 'exhausted':
      return asked.provider === 'bedrock'
        ? `The quota of tokens a day is used up or is none: have it raised (Service Quotas, Amazon Bedrock, "Model invocation max tokens per day" of the model), or set ${setting} to another model.`
        : `Pay the account in, have the provider raise its limit of the day, or set ${setting} to another model.`;
    case 'unavailable':
    case 'timeout':
      if (known !== undefined) return known(asked);
      return asked.provider === 'bedrock'
        ? `Check again in a minute. Where it goes on, set ${setting} to another model.`
        : 'Start the server, and see that MODEL_BASE_URL is reached from here and from AWS.';
    case 'too_long':
      return `Its context is too small for the prompts of the service: set ${setting} to a model with at least 8,192 tokens.`;
    case 'garbage':
      return `It does not speak the protocol: check MODEL_BASE_URL (it ends in /v1), MODEL_RESPOND_API and ${setting}.`;
    case 'rejected':
      if (known !== undefined) return known(asked);
      return error.requestField === 'text.format'
        ? `It writes no JSON by a schema, without which this role does not work: set ${setting} to a model with structured outputs.`
        : `It does not take a request as this role makes it: set ${setting} to another model.`;
  }
}

function refusalOf({ cause }: ModelError): Refusal {
  const { name, message } = (cause ?? {}) as Partial<Refusal>;
  return { name: name ?? '', message: message ?? '' };
}
