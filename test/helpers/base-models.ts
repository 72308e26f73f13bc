import { type BaseModelHub, DeploymentRefused } from '#shared/deployments/decide/ports.ts';
import { bfloats, floats, safetensors } from './safetensors.ts';

const INPUTS = 4;
const WEIGHT = 'model.layers.0.self_attn.q_proj.weight';

/** A base model of one weight, in one file, as a hub has it. */
export const BASE_FILES: Readonly<Record<string, Buffer>> = {
  'config.json': Buffer.from('{"architectures":["LlamaForCausalLM"]}'),
  'tokenizer.json': Buffer.from('{"version":"1.0"}'),
  'tokenizer_config.json': Buffer.from('{"chat_template":"{{ messages }}"}'),
  'consolidated.safetensors': Buffer.from('the same weights in another form'),
  'README.md': Buffer.from('# A model'),
  'model.safetensors': safetensors({
    'model.norm.weight': bfloats([2], [1, 1]),
    [WEIGHT]: bfloats([2, INPUTS], [1, 2, 3, 4, 5, 6, 7, 8]),
  }),
};

/** The files of an adapter that adds 2 to the first row of that weight. */
export const ADAPTER_FILES: Readonly<Record<string, string | Buffer>> = {
  'adapter_config.json': JSON.stringify({ peft_type: 'LORA', r: 1, lora_alpha: 2, bias: 'none' }),
  'adapter_model.safetensors': safetensors({
    [`base_model.model.${WEIGHT.replace('.weight', '')}.lora_A.weight`]: floats([1, INPUTS], [1, 1, 1, 1]),
    [`base_model.model.${WEIGHT.replace('.weight', '')}.lora_B.weight`]: floats([2, 1], [1, 0]),
  }),
  'tokenizer_config.json': '{"chat_template":"that of the training"}',
  'run_report.json': '{}',
};

/** What the base model becomes with it. */
export const MERGED = safetensors({
  'model.norm.weight': bfloats([2], [1, 1]),
  [WEIGHT]: bfloats([2, INPUTS], [3, 4, 5, 6, 5, 6, 7, 8]),
});

/** A hub with these files; `token` is the one that it asks for, if any. */
export function createScriptedBaseModels(
  files: Readonly<Record<string, Buffer>> = BASE_FILES,
  asks: string | null = null,
): BaseModelHub & { readonly reads: string[] } {
  const reads: string[] = [];
  const admit = (token: string | null): void => {
    if (asks !== null && token !== asks) throw new DeploymentRefused('The terms were not accepted.');
  };
  return {
    reads,
    async find(_model, token) {
      admit(token);
      const listed = Object.entries(files).map(([name, body]) => ({ name, bytes: body.length }));
      return { revision: 'c0ffee', files: listed };
    },
    async read({ token }, name, from, to) {
      admit(token);
      reads.push(`${name} ${from}-${to}`);
      return Buffer.from(files[name]?.subarray(from, to) ?? []);
    },
  };
}
