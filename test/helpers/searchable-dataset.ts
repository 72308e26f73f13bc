import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from './api-client.ts';

/** Makes a dataset of rows with `question` and `answer`, and waits until answers can rest on it. */
export async function createSearchableDataset(
  api: ApiClient,
  name: string,
  rows: readonly { readonly question: string; readonly answer: string }[],
): Promise<string> {
  const datasetId = await api.upload(name, rows.map((row) => JSON.stringify(row)).join('\n'));
  await api.untilRead(datasetId);
  await api.adapt(datasetId, { column_mapping: { prompt: 'question', completion: 'answer' } });
  const { status } = await api.untilEnded(datasetId);
  if (status !== 'succeeded') throw new Error(`The adaptation of ${name} has ${status}.`);
  for (const deadline = Date.now() + 90_000; Date.now() < deadline; await sleep(500)) {
    const answer = await api.send('POST', '/api/v1/responses', {
      model: 'scripted',
      input: rows[0]?.question ?? '',
      tools: [{ type: 'file_search', dataset_ids: [datasetId] }],
      tool_choice: { type: 'file_search' },
    });
    if (answer.status === 200) return datasetId;
    if (answer.problem.code !== 'index_not_ready') throw new Error(answer.text);
  }
  throw new Error(`The index of ${name} was not built.`);
}
