import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import type { AdaptRequest, RunRequest } from '../schema/adaptation.ts';
import type { AdaptationSpecification } from './specification.ts';

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
