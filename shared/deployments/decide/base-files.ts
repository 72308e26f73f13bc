import { type BaseFile, DeploymentRefused } from './ports.ts';

/** Files beside the weights that an import or an endpoint reads; the last three are of models that also see. */
const COPIED: readonly string[] = [
  'config.json',
  'generation_config.json',
  'tokenizer.json',
  'tokenizer.model',
  'special_tokens_map.json',
  'added_tokens.json',
  'vocab.json',
  'merges.txt',
  'preprocessor_config.json',
  'video_preprocessor_config.json',
  'processor_config.json',
];

export const INDEX_FILE = 'model.safetensors.index.json';
export const TOKENIZER_CONFIG = 'tokenizer_config.json';
export const TEMPLATE_FILE = 'chat_template.jinja';

const WEIGHTS = /^model(?:-\d{5}-of-\d{5})?\.safetensors$/;

/** Amazon Bedrock imports text models of less than 200 GB, which no instance of an endpoint here has room for either. */
const WEIGHTS_BYTES_MAX = 200_000_000_000;
/** A vocabulary has some tens of MB at most. */
const COPIED_BYTES_MAX = 64 * 1024 * 1024;

/**
 * The files of a base model that an import needs. Weights of another form lie beside these in some repositories.
 * @throws {DeploymentRefused} if there is no such file, or too much
 */
export function selectBaseFiles(files: readonly BaseFile[]): { weights: BaseFile[]; copied: BaseFile[] } {
  const weights = files.filter(({ name }) => WEIGHTS.test(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
  const copied = files.filter(({ name, bytes }) => COPIED.includes(name) && bytes <= COPIED_BYTES_MAX);
  const total = weights.reduce((sum, { bytes }) => sum + bytes, 0);
  if (weights.length === 0 || !copied.some(({ name }) => name === 'config.json')) {
    throw new DeploymentRefused(
      'The repository of the base model has no weights in the form of safetensors.',
    );
  }
  if (total >= WEIGHTS_BYTES_MAX) {
    throw new DeploymentRefused('Models of less than 200 GB are deployed, and the base model has more.');
  }
  return { weights, copied };
}

/**
 * `tokenizer_config.json` with the chat template in it: an import applies no other.
 * @param own that of the base model, `trained` that of the training
 * @throws {DeploymentRefused} if there is no template
 */
export function withChatTemplate(own: string, template: string | null, trained: string | null): string {
  const config = parse(own);
  const found =
    config.chat_template ?? template ?? (trained === null ? undefined : parse(trained).chat_template);
  if (typeof found !== 'string' && !Array.isArray(found)) {
    throw new DeploymentRefused(
      'The base model has no chat template, without which it answers no conversation.',
    );
  }
  return JSON.stringify({ ...config, chat_template: found }, null, 2);
}

function parse(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new DeploymentRefused('The configuration of the tokenizer is no object.');
}
