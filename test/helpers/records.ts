import { randomUUID } from 'node:crypto';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { DEFAULT_PLAN } from '#shared/platform/schema/plan.ts';
import { SCOPES } from '#shared/platform/schema/scope.ts';
import type { Stack } from '#shared/responses/decide/stack.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { Store } from './memory-store.ts';

export const NOW = Date.parse('2026-03-01T12:00:00.000Z');

/** A caller of a team of its own. */
export function makeCaller(fields: Partial<Caller> = {}): Caller {
  return {
    organization_id: randomUUID(),
    team_id: randomUUID(),
    user_id: randomUUID(),
    key_id: randomUUID(),
    scopes: [...SCOPES],
    plan: DEFAULT_PLAN,
    ...fields,
  };
}

/** An inference stack of `caller`'s team that permits nothing. */
export function makeStack(caller: Pick<Caller, 'team_id'>, fields: Partial<Stack> = {}): Stack {
  return {
    team_id: caller.team_id,
    slug: 'support',
    model: 'scripted',
    instructions: null,
    tool_labels: [],
    server_hosts: [],
    dataset_ids: [],
    created_at: '2026-03-01T10:00:00.000Z',
    updated_at: '2026-03-01T10:00:00.000Z',
    ...fields,
  };
}

/** A dataset of `caller` that has rows and waits for an adaptation. */
export function makeDataset(caller: Caller, fields: Partial<DatasetRecord> = {}): DatasetRecord {
  const datasetId = fields.dataset_id ?? randomUUID();
  return {
    dataset_id: datasetId,
    team_id: caller.team_id,
    organization_id: caller.organization_id,
    created_by_user_id: caller.user_id,
    name: 'Support tickets',
    kind: 'uploaded',
    source_dataset_id: null,
    state: 'awaiting_input',
    created_at: '2026-03-01T10:00:00.000Z',
    updated_at: '2026-03-01T10:00:00.000Z',
    row_count: 120,
    description: null,
    file_format: 'csv',
    file_name: 'tickets.csv',
    s3_key: `uploads/${datasetId}/tickets.csv`,
    raw_key: `datasets/${datasetId}/raw/tickets.csv`,
    expected_sha256: null,
    processing_mode: 'adapt',
    raw_column_mapping: null,
    configured_column_mapping: null,
    defer_adaption: false,
    columns: [
      { name: 'question', type: 'VARCHAR' },
      { name: 'answer', type: 'VARCHAR' },
    ],
    manifest_key: `datasets/${datasetId}/rows/manifest.json`,
    run_id: null,
    last_run_id: null,
    evaluation_summary: null,
    error_data: null,
    image_column_formats: null,
    language_expansion: null,
    ...fields,
  };
}

/** A dataset of `caller` whose file has not come yet. */
export function makeEmptyDataset(caller: Caller, fields: Partial<DatasetRecord> = {}): DatasetRecord {
  return makeDataset(caller, {
    state: 'awaiting_upload',
    row_count: null,
    raw_key: null,
    columns: null,
    manifest_key: null,
    ...fields,
  });
}

/** An adaptation of `dataset` that is about to start. */
export function makeRun(dataset: DatasetRecord, fields: Partial<RunRecord> = {}): RunRecord {
  return {
    run_id: randomUUID(),
    dataset_id: dataset.dataset_id,
    team_id: dataset.team_id,
    organization_id: dataset.organization_id,
    user_id: dataset.created_by_user_id,
    pipeline: 'adapt',
    status: 'running',
    reserved_credits: 2,
    settled_credits: null,
    request_key: null,
    total_rows: 120,
    counts: null,
    models: {},
    prompt_versions: {},
    error_data: null,
    started_at: '2026-03-01T12:00:00.000Z',
    ended_at: null,
    ...fields,
  };
}

/** Creates the team of `caller` with credits; answers the caller. */
export async function seedTeam(store: Store, credits: number, fields: Partial<Caller> = {}): Promise<Caller> {
  const caller = makeCaller(fields);
  await store.access.createTeam({
    team_id: caller.team_id,
    organization_id: caller.organization_id,
    name: `team ${caller.team_id}`,
    plan: caller.plan.name,
    created_at: '2026-03-01T09:00:00.000Z',
  });
  if (credits > 0) {
    await store.ledger.grant({
      entry_id: randomUUID(),
      team_id: caller.team_id,
      type: 'grant',
      credits,
      run_id: null,
      dataset_id: null,
      block: null,
      reason: 'test',
      created_at: '2026-03-01T09:00:00.000Z',
    });
  }
  return caller;
}

/** Creates a dataset of `caller`; answers it. */
export async function seedDataset(
  store: Store,
  caller: Caller,
  fields: Partial<DatasetRecord> = {},
): Promise<DatasetRecord> {
  const dataset = makeDataset(caller, fields);
  await store.datasets.create(dataset);
  return dataset;
}
