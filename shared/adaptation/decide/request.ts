import { throwUnknownColumns } from '#shared/datasets/decide/unknown-columns.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ColumnMapping, ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import type { AdaptRequest, RunRequest } from '../schema/adaptation.ts';
import type { AdaptationSpecification } from './specification.ts';

/** The mode in which rows are read, as the mapping determines it (spec §4.8). */
export type AdaptationMode =
  | 'prompt_and_completion'
  | 'prompt_only'
  | 'completion_only'
  | 'chat'
  | 'universal_prompt';

/**
 * The mode of a mapping.
 * @throws {ServiceError} `invalid_request` if fields are incompatible, naming them (spec §4.8)
 */
export function modeOf(mapping: ColumnMapping): AdaptationMode {
  const { prompt, completion, chat, context = [], universal_prompt: universal, image } = mapping;
  const field = (name: string) => `column_mapping.${name}`;
  const twice = (['prompt', 'completion', 'chat'] as const).find((name) => mapping[name] === image);
  if (image !== undefined && twice !== undefined) {
    throw invalidField(field('image'), `is the ${twice} column; map another column or omit it`);
  }
  if (chat !== undefined) {
    const others = (['prompt', 'completion', 'context', 'universal_prompt'] as const).filter(
      (name) => mapping[name] !== undefined && !(name === 'context' && context.length === 0),
    );
    if (others[0] !== undefined) {
      throw invalidField(
        field(others[0]),
        `cannot be combined with chat; omit ${others.join(', ')} or omit chat`,
      );
    }
    return 'chat';
  }
  if (universal !== undefined) {
    if (prompt !== undefined) {
      throw invalidField(field('universal_prompt'), 'cannot be combined with prompt; omit one of the two');
    }
    if (universal.trim() === '') throw invalidField(field('universal_prompt'), 'is empty');
    if (context.length === 0 && image === undefined) {
      throw invalidField(field('universal_prompt'), 'needs at least one context column or an image column');
    }
    return 'universal_prompt';
  }
  if (prompt !== undefined) {
    if (prompt === completion) {
      throw invalidField(field('completion'), 'is the prompt column; map another column or omit it');
    }
    return completion === undefined ? 'prompt_only' : 'prompt_and_completion';
  }
  if (completion !== undefined) return 'completion_only';
  if (image !== undefined) {
    throw invalidField(
      field('image'),
      'cannot be the only mapping; map prompt, completion, chat or universal_prompt too',
    );
  }
  throw invalidField(
    'column_mapping',
    'maps nothing to improve; map prompt, completion, chat or universal_prompt',
  );
}

/**
 * The mapping of a request to `/run`, which requires a prompt even with a conversation (spec §4.7): the prompt is
 * ignored.
 */
export function runMapping(mapping: ColumnMapping): ColumnMapping {
  const { chat, image } = mapping;
  if (chat === undefined || mapping.prompt === undefined) return mapping;
  return { chat, ...(image === undefined ? {} : { image }) };
}

/** Fields that `runMapping` ignores. */
export function fieldsSetAside(asked: ColumnMapping, read: ColumnMapping): string[] {
  return Object.keys(asked).filter((name) => !Object.hasOwn(read, name));
}

/** The mapping as stored and shown: an image column is context too (spec §4.8). */
export function configuredMapping(mapping: ColumnMapping): ConfiguredColumnMapping {
  const { context = [], image, ...rest } = mapping;
  return {
    ...rest,
    ...(image === undefined ? {} : { image }),
    context: [...new Set(image === undefined ? context : [...context, image])],
  };
}

/**
 * Checks that every mapped column exists.
 * @throws {ServiceError} `column_unknown`, listing the available columns
 */
export function requireColumns(mapping: ColumnMapping, available: readonly string[]): void {
  const named: [string, string][] = [
    ...(['prompt', 'completion', 'chat', 'image'] as const).flatMap((name): [string, string][] => {
      const column = mapping[name];
      return column === undefined ? [] : [[`column_mapping.${name}`, column]];
    }),
    ...(mapping.context ?? []).map((column, index): [string, string] => [
      `column_mapping.context[${index}]`,
      column,
    ]),
  ];
  throwUnknownColumns(named, available);
}

/**
 * Rejects a request or an estimate with batch jobs that the installation does not make, or whose rows they cannot serve:
 * what a web search finds is part of the calls, and changes until the next job.
 * @throws {ServiceError} `not_available_yet`, `invalid_request`
 */
export function requireBatchJobs(request: AdaptRequest | RunRequest, hasBatchJobs: boolean): void {
  if (request.job_specification?.processing !== 'batch') return;
  const path = 'job_specification.processing';
  if (request.brand_controls?.hallucination_mitigation === true) {
    throw invalidField(path, 'cannot be batch with hallucination_mitigation; omit one of the two');
  }
  if (hasBatchJobs) return;
  const message = 'cannot be batch: the model provider of this installation has no batch interface; omit it';
  throw new ServiceError('not_available_yet', `${path}: ${message}`, { details: [{ path, message }] });
}

/**
 * Whether calls hold the images of rows themselves, and not their addresses.
 * @param fetchesImages whether the provider takes no addresses, so that calls hold what they lead to
 */
export const sendsImages = (
  { image_format }: Pick<AdaptationSpecification, 'image_format'>,
  fetchesImages: boolean,
): boolean => image_format !== null && (fetchesImages || image_format !== 'url');

/**
 * Rejects batch jobs of calls that hold images: those of thousands of rows would be in memory at once.
 * @throws {ServiceError} `invalid_request`
 */
export function requireSmallCalls(
  processing: 'standard' | 'batch',
  specification: Pick<AdaptationSpecification, 'image_format'>,
  fetchesImages: boolean,
): void {
  if (processing !== 'batch' || !sendsImages(specification, fetchesImages)) return;
  throw invalidField(
    'job_specification.processing',
    fetchesImages
      ? 'cannot be batch where rows have images; map no image column'
      : 'cannot be batch where rows hold their images; map no image column, or one with addresses of images',
  );
}

/**
 * Rejects a request or an estimate that needs web search if the installation has no search provider.
 * @throws {ServiceError} `not_available_yet`
 */
export function requireSearch(request: AdaptRequest | RunRequest, hasSearch: boolean): void {
  if (hasSearch || request.brand_controls?.hallucination_mitigation !== true) return;
  const path = 'brand_controls.hallucination_mitigation';
  const message = 'needs a web search, and this installation has no search provider; omit it';
  throw new ServiceError('not_available_yet', `${path}: ${message}`, { details: [{ path, message }] });
}
