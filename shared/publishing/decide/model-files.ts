import { CARD_FILE, MARKER_FILE, PublicationRefused } from './ports.ts';

/** An adapter of PEFT, or a checkpoint of transformers. */
export type ModelForm = 'adapter' | 'checkpoint';

/** Bytes of a model's files that a function has room for. */
export const MODEL_BYTES_MAX = 9 * 1024 ** 3;

/** What only the service reads, and what a repository has of its own. */
const KEPT = ['run_report.json', 'training_report.json', CARD_FILE, MARKER_FILE];

/** Whether a file of an artifact is published: weights, configuration, tokenizer and license. */
export const isModelFile = (name: string): boolean =>
  /^[A-Za-z0-9_][A-Za-z0-9._-]*\.(?:safetensors|json|txt|model|jinja|md)$/.test(name) && !KEPT.includes(name);

/**
 * What the files of an artifact are.
 * @throws {PublicationRefused} if they are too large, or no model
 */
export function requireModel(files: readonly { readonly name: string; readonly bytes: number }[]): ModelForm {
  if (files.reduce((sum, { bytes }) => sum + bytes, 0) > MODEL_BYTES_MAX) {
    throw new PublicationRefused(
      'The model has more than 9 GiB, and cannot be published from here. Download it and upload it yourself.',
    );
  }
  const has = (pattern: RegExp): boolean => files.some(({ name }) => pattern.test(name));
  if (has(/^adapter_config\.json$/) && has(/^adapter_model\.safetensors$/)) return 'adapter';
  if (has(/^config\.json$/) && has(/^model.*\.safetensors$/)) return 'checkpoint';
  throw new PublicationRefused(
    'The artifact of the training holds neither an adapter nor a checkpoint. Train again.',
  );
}
