import * as z from 'zod';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { downloadOf } from '#shared/exports/decide/download.ts';
import { type Caller, requireScope } from '#shared/platform/access/caller.ts';
import { parseInput } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { Claims } from '#shared/platform/storage/claims.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { PublicationRepository } from './decide/ports.ts';
import { CLAIM_SECONDS, claimOfPublication, type PublicationRecord } from './decide/record.ts';
import { KaggleSpec } from './schema/kaggle.ts';
import { HuggingFaceSpec, type PublishJob, type PublishTarget } from './schema/publication.ts';

export interface StartPublicationPorts {
  readonly publications: Pick<PublicationRepository, 'create'>;
  readonly claims: Pick<Claims, 'take' | 'release'>;
  readonly findConnection: (teamId: string, provider: string) => Promise<string | null>;
  /** The run that made a version; undefined without one, null for the rows of the upload. */
  readonly findRead: (
    dataset: DatasetRecord,
    read: { readonly version?: number | undefined },
  ) => Promise<RunRecord | null | undefined>;
  readonly start: (publication: {
    readonly dataset_id: string;
    readonly publish_id: string;
  }) => Promise<void>;
  readonly newId: () => string;
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
  if ((await ports.findConnection(team_id, target)) === null) {
    throw new ServiceError(
      'publish_not_implemented',
      `Publishing to ${NAMES[target]} needs a connection of your team, which an operator stores. Or download the dataset and upload it yourself.`,
    );
  }
  // Whoever names a repository reads the rows there.
  requireScope(caller, 'datasets:read');
  const spec = specOf(target, target_spec);
  const read = await ports.findRead(dataset, { version: spec.version });
  const { version } = downloadOf(dataset, 'parquet', read);
  const at = timestamp(now);
  const record: PublicationRecord = {
    publish_id: ports.newId(),
    dataset_id: dataset.dataset_id,
    team_id,
    target,
    status: 'queued',
    message: null,
    repository: spec.repo_name,
    is_private: spec.private,
    license: spec.license ?? null,
    title: spec.title ?? null,
    commit_message: spec.commit_message ?? null,
    run_id: version === 'source' ? null : version,
    attempts: 0,
    uploads: [],
    progress_percent: 0,
    url: null,
    commit: null,
    created_at: at,
    updated_at: at,
  };
  const { dataset_id, publish_id } = record;
  const claim = claimOfPublication(team_id);
  if (!(await ports.claims.take(claim, CLAIM_SECONDS))) {
    throw new ServiceError(
      'publication_active',
      'Another publication of your team is under way. Publish again when it has ended, or in an hour.',
    );
  }
  try {
    await ports.publications.create(record);
    await ports.start({ dataset_id, publish_id });
  } catch (error) {
    await ports.claims.release(claim);
    throw error;
  }
  return {
    publish_id,
    status: record.status,
    message: `Look at /api/v1/datasets/${dataset_id}/publish/${publish_id} until it has ended.`,
  };
}
