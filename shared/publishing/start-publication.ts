import * as z from 'zod';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { downloadOf } from '#shared/exports/decide/download.ts';
import { type Caller, requireScope } from '#shared/platform/access/caller.ts';
import { parseInput } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { Claims } from '#shared/platform/storage/claims.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { ContentKind, PublicationRepository } from './decide/ports.ts';
import { CLAIM_SECONDS, claimOfPublication, type PublicationRecord } from './decide/record.ts';
import { KaggleSpec } from './schema/kaggle.ts';
import {
  type HuggingFaceModelSpec,
  HuggingFaceSpec,
  type PublishJob,
  type PublishTarget,
} from './schema/publication.ts';

export interface QueuePublicationPorts {
  readonly publications: Pick<PublicationRepository, 'create'>;
  readonly claims: Pick<Claims, 'take' | 'release'>;
  readonly findConnection: (teamId: string, provider: string) => Promise<string | null>;
  readonly start: (publication: {
    readonly dataset_id: string;
    readonly publish_id: string;
  }) => Promise<void>;
  readonly newId: () => string;
}

export interface StartPublicationPorts extends QueuePublicationPorts {
  /** The run that made a version; undefined without one, null for the rows of the upload. Refuses those of which no row was done. */
  readonly findRead: (
    dataset: DatasetRecord,
    read: { readonly version?: number | undefined },
  ) => Promise<RunRecord | null | undefined>;
}

const HuggingFaceSettings = z.object({ target_spec: HuggingFaceSpec });
const KaggleSettings = z.object({ target_spec: KaggleSpec });

const NAMES: Readonly<Record<PublishTarget, string>> = { huggingface: 'Hugging Face', kaggle: 'Kaggle' };

function specOf(target: PublishTarget, target_spec: object): HuggingFaceSpec & Pick<KaggleSpec, 'title'> {
  return target === 'kaggle'
    ? parseInput('', KaggleSettings, { target_spec }).target_spec
    : parseInput('', HuggingFaceSettings, { target_spec }).target_spec;
}

/**
 * Starts to publish a dataset.
 * @throws {ServiceError} `publish_not_implemented` without a connection, `scope_missing`, `invalid_request`, `version_not_found`,
 * `no_data_yet`, `publication_active`
 */
export async function startPublication(
  ports: StartPublicationPorts,
  caller: Caller,
  dataset: DatasetRecord,
  { target, target_spec = {} }: { readonly target: PublishTarget; readonly target_spec?: object | undefined },
  now: number,
): Promise<PublishJob> {
  const { team_id } = caller;
  const { dataset_id } = dataset;
  await requireConnection(ports, team_id, target, 'dataset');
  // Whoever names a repository reads the rows there.
  requireScope(caller, 'datasets:read');
  const spec = specOf(target, target_spec);
  const read = await ports.findRead(dataset, { version: spec.version });
  const { version } = downloadOf(dataset, 'parquet', read);
  const run_id = version === 'source' ? null : version;
  return queuePublication(ports, { dataset_id, team_id, target, run_id }, spec, now);
}

/** Models go to Hugging Face alone. */
const isTargetOf = (kind: ContentKind, target: PublishTarget): boolean =>
  kind === 'dataset' || target === 'huggingface';

/** @throws {ServiceError} `publish_not_implemented` without a connection of the team, or for a kind that the target does not take */
export async function requireConnection(
  { findConnection }: Pick<QueuePublicationPorts, 'findConnection'>,
  teamId: string,
  target: PublishTarget,
  kind: ContentKind,
): Promise<void> {
  if (isTargetOf(kind, target)) {
    if ((await findConnection(teamId, target)) !== null) return;
    throw new ServiceError(
      'publish_not_implemented',
      `Publishing to ${NAMES[target]} needs a connection of your team, which an operator stores. Or download the ${kind} and upload it yourself.`,
    );
  }
  throw new ServiceError(
    'publish_not_implemented',
    `Publishing a ${kind} to ${NAMES[target]} is not implemented. Publish to Hugging Face, or download the ${kind} and upload it yourself.`,
  );
}

/**
 * Records a publication, and hands it over to the function that publishes.
 * @throws {ServiceError} `publication_active` while another one of the team is under way
 */
export async function queuePublication(
  ports: QueuePublicationPorts,
  source: Pick<PublicationRecord, 'dataset_id' | 'experiment_id' | 'team_id' | 'target' | 'run_id'>,
  spec: z.infer<typeof HuggingFaceModelSpec> & Pick<KaggleSpec, 'title'>,
  now: number,
): Promise<PublishJob> {
  const at = timestamp(now);
  const record: PublicationRecord = {
    publish_id: ports.newId(),
    ...source,
    status: 'queued',
    message: null,
    repository: spec.repo_name,
    is_private: spec.private,
    license: spec.license ?? null,
    title: spec.title ?? null,
    commit_message: spec.commit_message ?? null,
    attempts: 0,
    uploads: [],
    progress_percent: 0,
    url: null,
    commit: null,
    created_at: at,
    updated_at: at,
  };
  const { dataset_id, experiment_id, publish_id } = record;
  const claim = claimOfPublication(record.team_id);
  if (!(await ports.claims.take(claim, CLAIM_SECONDS, publish_id))) {
    throw new ServiceError(
      'publication_active',
      'Another publication of your team is under way. Publish again when it has ended, or in an hour.',
    );
  }
  try {
    await ports.publications.create(record);
    await ports.start({ dataset_id, publish_id });
  } catch (error) {
    await ports.claims.release(claim, publish_id);
    throw error;
  }
  const of = experiment_id === undefined ? `datasets/${dataset_id}` : `autoscientist/${experiment_id}`;
  return {
    publish_id,
    status: record.status,
    message: `Look at /api/v1/${of}/publish/${publish_id} until it has ended.`,
  };
}
