import type { TrainingRecord } from '#shared/training/decide/record.ts';
import type { DeploymentPlatform } from '../schema/deployment.ts';
import { hostingOf } from './hosting.ts';

/**
 * Where Amazon Bedrock imports models, and what it imports of what can be trained here: architectures of Llama, Mistral, Mixtral
 * and GPT-OSS. Of Qwen it takes those up to 3, and none of Gemma.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-customization-import-model.html
 */
export const IMPORT_REGIONS: readonly string[] = ['eu-central-1', 'us-east-1', 'us-east-2', 'us-west-2'];
const GPT_OSS_REGIONS: readonly string[] = ['us-east-1'];

export const IMPORTABLE: ReadonlyMap<string, readonly string[]> = new Map([
  ['HuggingFaceTB/SmolLM2-135M-Instruct', IMPORT_REGIONS],
  ['meta-llama/Llama-3.2-3B-Instruct', IMPORT_REGIONS],
  ['mistralai/Mistral-7B-Instruct-v0.2', IMPORT_REGIONS],
  ['mistralai/Mixtral-8x7B-Instruct-v0.1', IMPORT_REGIONS],
  ['meta-llama/Llama-3.3-70B-Instruct', IMPORT_REGIONS],
  ['openai/gpt-oss-20b', GPT_OSS_REGIONS],
  ['openai/gpt-oss-120b', GPT_OSS_REGIONS],
]);

/** Where an installation deploys trained models to. */
export interface DeploymentTarget {
  /** In the order in which they are tried; empty if it deploys none. */
  readonly platforms: readonly DeploymentPlatform[];
  readonly region: string;
}

/** The platform for the model of a training, or why it cannot be deployed, with what can be. */
export type ChosenPlatform =
  | { readonly platform: DeploymentPlatform; readonly why: null }
  | { readonly platform: null; readonly why: string };

/** Chooses the first platform of an installation that takes the model of a training. */
export function choosePlatform(
  { platforms, region }: DeploymentTarget,
  training: Pick<TrainingRecord, 'model' | 'best'>,
): ChosenPlatform {
  const reasons: string[] = [];
  for (const platform of platforms) {
    const why = whyNotTaken(platform, region, training);
    if (why === null) return { platform, why };
    reasons.push(why);
  }
  if (reasons.length > 0) return { platform: null, why: reasons.join(' ') };
  return {
    platform: null,
    why: 'This installation deploys no trained models. Download the model, or ask your operator to set TRAINED_MODELS.',
  };
}

function whyNotTaken(
  platform: DeploymentPlatform,
  region: string,
  { model, best }: Pick<TrainingRecord, 'model' | 'best'>,
): string | null {
  switch (platform) {
    case 'model_server':
      return best?.gguf_key == null
        ? `The model server takes adapters in the form of llama.cpp, and the training of ${model} wrote none. Download the model, and serve it elsewhere.`
        : null;
    case 'amazon_sagemaker':
      return hostingOf(model) === null
        ? `No instance is known here that has room for ${model}. Download the model, and serve it elsewhere.`
        : null;
    case 'amazon_bedrock': {
      const regions = IMPORTABLE.get(model);
      if (regions === undefined) {
        return `Amazon Bedrock does not import models that were trained from ${model}. It imports those of ${[...IMPORTABLE.keys()].join(', ')}. Download the model, and serve it elsewhere.`;
      }
      return regions.includes(region)
        ? null
        : `Amazon Bedrock imports models that were trained from ${model} in ${regions.join(', ')}, and this installation is in ${region}. Download the model, and serve it elsewhere.`;
    }
  }
}
