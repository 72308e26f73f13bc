import { own } from '#shared/platform/own.ts';

/** An instance of SageMaker that answers with a model. */
export interface Hosting {
  readonly instanceType: string;
  /** GPUs, among which the weights are shared out. */
  readonly accelerators: number;
  /** The most that the model can read and write together, by its configuration. */
  readonly contextTokens: number;
  /** How vLLM tells the reasoning of the model from its answer; absent for one that is not trained with it. */
  readonly reasoningParser?: string;
  /** On demand in `us-east-1`, in US dollars. */
  readonly dollarsPerHour: number;
}

/** Prices of hosting in `us-east-1`, on demand: https://aws.amazon.com/sagemaker/ai/pricing/ */
export const PRICES_READ = 'August 2026';

type Machine = Omit<Hosting, 'contextTokens' | 'reasoningParser'>;

const L4: Machine = { instanceType: 'ml.g6.xlarge', accelerators: 1, dollarsPerHour: 1.13 };
const L40S: Machine = { instanceType: 'ml.g6e.xlarge', accelerators: 1, dollarsPerHour: 2.61 };
const FOUR_L40S: Machine = { instanceType: 'ml.g6e.12xlarge', accelerators: 4, dollarsPerHour: 13.12 };
const EIGHT_L40S: Machine = { instanceType: 'ml.g6e.48xlarge', accelerators: 8, dollarsPerHour: 37.66 };

/**
 * The smallest instance that has room for the weights of a model, as its hub has them, and for some conversations: an L4 has
 * 24 GB, an L40S 48 GB. GPT-OSS is none of them: vLLM loads the vocabulary of its answers from the network, which a model does
 * not have there (https://github.com/vllm-project/vllm/issues/22525).
 */
const HOSTINGS: Readonly<Record<string, Hosting>> = {
  'HuggingFaceTB/SmolLM2-135M-Instruct': { ...L4, contextTokens: 8_192 },
  'Qwen/Qwen3.5-0.8B': { ...L4, contextTokens: 262_144 },
  'meta-llama/Llama-3.2-3B-Instruct': { ...L4, contextTokens: 131_072 },
  'google/gemma-3-4b-it': { ...L4, contextTokens: 131_072 },
  'Qwen/Qwen3.5-4B': { ...L4, contextTokens: 262_144, reasoningParser: 'qwen3' },
  'mistralai/Mistral-7B-Instruct-v0.2': { ...L40S, contextTokens: 32_768 },
  'Qwen/Qwen3.5-9B': { ...L40S, contextTokens: 262_144 },
  'google/gemma-4-31B-it': { ...FOUR_L40S, contextTokens: 262_144, reasoningParser: 'gemma4' },
  'Qwen/Qwen3.6-35B-A3B': { ...FOUR_L40S, contextTokens: 262_144, reasoningParser: 'qwen3' },
  'mistralai/Mixtral-8x7B-Instruct-v0.1': { ...FOUR_L40S, contextTokens: 32_768 },
  'meta-llama/Llama-3.3-70B-Instruct': { ...EIGHT_L40S, contextTokens: 131_072 },
};

/** Types of instances, each with the models that it answers with. */
export function modelsOfInstances(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [model, { instanceType }] of Object.entries(HOSTINGS)) {
    found.set(instanceType, [...(found.get(instanceType) ?? []), model]);
  }
  return found;
}

/** The instance for a base model; null for one that is not known. */
export const hostingOf = (model: string): Hosting | null => own(HOSTINGS, model) ?? null;
