import * as z from 'zod';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { type Publication, PublicationStatus, PublishTarget } from '../schema/publication.ts';
import type { ContentKind } from './ports.ts';

const Timestamp = z.iso.datetime();

/** An upload that was begun or is finished, of which the next attempt makes use. */
export const KeptUpload = z.object({
  name: z.string(),
  /** Of the content, in hexadecimal. */
  sha256: z.string(),
  /** What the platform calls the upload. */
  token: z.string(),
  /** Where its bytes go; null once all of them are there. */
  url: z.string().nullable(),
});
export type KeptUpload = z.infer<typeof KeptUpload>;

/** A publication as stored. */
export const PublicationRecord = z.object({
  publish_id: z.string(),
  /** The dataset that is published, or that the published model was trained on. */
  dataset_id: z.string(),
  /** The training whose model is published; absent of a dataset's publication. */
  experiment_id: z.string().optional(),
  team_id: z.string(),
  target: PublishTarget,
  status: PublicationStatus,
  message: z.string().nullable(),
  /** `namespace/name`, or `name` until the owner of the connection is known. */
  repository: z.string(),
  is_private: z.boolean(),
  license: z.string().nullable(),
  /** Title of a repository that is made; null for its name. */
  title: z.string().nullable().default(null),
  commit_message: z.string().nullable(),
  /** The run whose rows are published; null for the uploaded rows, and of a model. */
  run_id: z.string().nullable(),
  attempts: z.int().min(0),
  /** Uploads of attempts that have not ended it, on platforms that do not know files by their content; empty once it has ended. */
  uploads: z.array(KeptUpload).default([]),
  progress_percent: z.int().min(0).max(100),
  url: z.string().nullable(),
  commit: z.string().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type PublicationRecord = z.infer<typeof PublicationRecord>;

/** What is published. */
export const kindOf = ({ experiment_id }: Pick<PublicationRecord, 'experiment_id'>): ContentKind =>
  experiment_id === undefined ? 'dataset' : 'model';

/**
 * The publication that a caller asks for: of the model of this training, or without one of the rows of a dataset.
 * @throws {ServiceError} `publication_not_found`
 */
export function shownPublication(found: PublicationRecord | null, experimentId?: string): PublicationRecord {
  if (found !== null && found.experiment_id === experimentId) return found;
  throw new ServiceError(
    'publication_not_found',
    `The ${experimentId === undefined ? 'dataset' : 'training'} has no publication with this id.`,
  );
}

/** Attempts of a publication: the first, and the two repetitions of Lambda. */
export const ATTEMPTS_MAX = 3;

/** Minutes without a change after which no attempt can be under way: three functions, and the pauses before them. */
const SILENT_MINUTES_MAX = 60;

export const isOpen = ({ status }: Pick<PublicationRecord, 'status'>): boolean =>
  status === 'queued' || status === 'running';

/** Whether no attempt can be under way any more, though nobody could write that. */
export const isLost = (record: Pick<PublicationRecord, 'status' | 'updated_at'>, now: number): boolean =>
  isOpen(record) && now - Date.parse(record.updated_at) > SILENT_MINUTES_MAX * 60_000;

/** The claim of the publication of a team: one at a time, for as long as it can be under way. */
export const claimOfPublication = (teamId: string): string => `publication ${teamId}`;
export const CLAIM_SECONDS = SILENT_MINUTES_MAX * 60;

export const LOST_MESSAGE = 'The publication did not come to its end. Publish again.';

/** A publication as callers see it. One whose last attempt was killed has failed, though nobody could write that. */
export function toPublication(record: PublicationRecord, now: number): Publication {
  const lost = isLost(record, now);
  const message = lost ? LOST_MESSAGE : record.message;
  return {
    publish_id: record.publish_id,
    status: lost ? 'failed' : record.status,
    ...(message === null ? {} : { message }),
    target: record.target,
    repository: record.repository,
    private: record.is_private,
    progress_percent: record.progress_percent,
    url: record.url,
    commit: record.commit,
    created_at: record.created_at,
    updated_at: record.updated_at,
  };
}
