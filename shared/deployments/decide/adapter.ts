import * as z from 'zod';
import { DeploymentRefused } from './ports.ts';

const Config = z.looseObject({
  peft_type: z.literal('LORA'),
  r: z.int().min(1),
  lora_alpha: z.number(),
  use_rslora: z.literal(false).nullish(),
  use_dora: z.literal(false).nullish(),
  fan_in_fan_out: z.literal(false).nullish(),
  bias: z.literal('none').nullish(),
  modules_to_save: z.array(z.unknown()).max(0).nullish(),
  rank_pattern: z.record(z.string(), z.unknown()).refine(isEmpty).nullish(),
  alpha_pattern: z.record(z.string(), z.unknown()).refine(isEmpty).nullish(),
});

function isEmpty(pattern: object): boolean {
  return Object.keys(pattern).length === 0;
}

/**
 * The factor of an adapter's change, from its `adapter_config.json`.
 * @throws {DeploymentRefused} for one that is more than two factors of each weight
 */
export function scaleOf(config: unknown): number {
  const parsed = Config.safeParse(config);
  if (parsed.success) return parsed.data.lora_alpha / parsed.data.r;
  throw new DeploymentRefused(
    'The adapter of the training is of a kind that is not merged here. Download the model, merge it with PEFT, and serve it elsewhere.',
  );
}

const LANGUAGE_MODEL = /^(?:model\.)?language_model\.(?:model\.)?/;

/**
 * The name of a weight by which an adapter and the base model's files are compared: in models that also see, the part that is
 * trained has a name of its own, which some libraries leave out.
 */
export const weightOf = (name: string): string => name.replace(LANGUAGE_MODEL, 'model.');

const FACTOR = /^base_model\.model\.(.+)\.lora_(A|B)\.weight$/;

/** The names of an adapter's tensors, by the weight that they change. */
export function factorNames(
  names: readonly string[],
): ReadonlyMap<string, { readonly a: string; readonly b: string }> {
  const found = new Map<string, { a: string; b: string }>();
  for (const name of names) {
    const [, module = '', part] = FACTOR.exec(name) ?? [];
    if (part === undefined) {
      throw new DeploymentRefused(
        `The adapter of the training has a tensor that is not merged here: ${name}`,
      );
    }
    const weight = weightOf(`${module}.weight`);
    const pair = found.get(weight) ?? { a: '', b: '' };
    if (part === 'A') pair.a = name;
    else pair.b = name;
    found.set(weight, pair);
  }
  const half = [...found].find(([, { a, b }]) => a === '' || b === '');
  if (found.size === 0 || half !== undefined) {
    throw new DeploymentRefused('The adapter of the training is not complete. Train again.');
  }
  return found;
}
