import { keys, sortKeyPrefixes } from '#shared/platform/store/keys.ts';
import { putItem, queryPartition, type Table } from '#shared/platform/store/table.ts';
import { FinetuneJob, type FinetuneJobRepository } from '../decide/finetune-job.ts';

export function createFinetuneJobRepository(table: Table): FinetuneJobRepository {
  return {
    async save(job) {
      await putItem(table, { ...job, ...keys.finetuneJob(job.dataset_id, job.finetune_job_id) });
    },

    async list(datasetId) {
      const { pk } = keys.dataset(datasetId);
      const jobs: FinetuneJob[] = [];
      for await (const { pk: _pk, sk: _sk, ...item } of queryPartition(
        table,
        pk,
        sortKeyPrefixes.finetuneJob,
      )) {
        jobs.push(FinetuneJob.parse(item));
      }
      return jobs;
    },
  };
}
