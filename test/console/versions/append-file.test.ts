import { expect, test } from 'vitest';
import { rowsFormatOf, uploadRows } from '../../../console/src/versions/append-file.ts';
import { clientOf, refusal } from '../render.ts';
import { DATASET } from './version-examples.ts';

const FILE = new File(['q\nwhy\n'], 'more.csv');
const WAITING = {
  append_id: null,
  upload_instructions: { url: 'http://bucket.test/u', method: 'PUT', s3_key: 'uploads/more.csv' },
};

test('a file is sent to where the service says, and its key is what is appended', async () => {
  const sent: unknown[] = [];
  const client = clientOf(() => ({ status: 202, body: WAITING }));

  const key = await uploadRows(
    client,
    DATASET,
    FILE,
    new AbortController().signal,
    (progress) => sent.push(progress),
    async (url, file, _, onSent) => {
      sent.push(url, file.name);
      onSent(6);
    },
  );

  expect(key).toBe('uploads/more.csv');
  expect(sent).toEqual(['http://bucket.test/u', 'more.csv', { sentBytes: 6, totalBytes: 6 }]);
});

test('a file that the service refuses is not sent', async () => {
  const client = clientOf(() => refusal(422, 'file_too_large', 'The file is too large.'));
  const put = async (): Promise<void> => {
    throw new Error('It was sent.');
  };

  await expect(
    uploadRows(client, DATASET, FILE, new AbortController().signal, () => undefined, put),
  ).rejects.toThrow('The file is too large.');
});

test('rows are read from tables and documents, not from images', () => {
  expect(['a.CSV', 'a.ndjson', 'a.parquet', 'a.png', 'a.exe', 'a'].map(rowsFormatOf)).toEqual([
    'csv',
    'jsonl',
    'parquet',
    null,
    null,
    null,
  ]);
});
