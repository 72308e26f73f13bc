import { expect, test } from 'vitest';
import { datasetIdOf, readUploadKey, requireSize } from '#shared/ingest/decide/upload.ts';

const ID = '0b5c3f0e-9d0c-4d3e-8f0b-1d7f6f0c2b11';
const KEY = `uploads/team-1/${ID}/tickets.csv`;

test.each([KEY, `bucket/${KEY}`, `/${KEY}`, `uploads%2Fteam-1%2F${ID}%2Ftickets.csv`])(
  'the key of an upload sent as %s is that of its team',
  (sent) => {
    expect(readUploadKey(sent, 'team-1')).toEqual({ key: KEY, datasetId: ID });
  },
);

test.each([
  ['another team’s', KEY.replace('team-1', 'team-2')],
  ['of a team whose id begins alike', KEY.replace('team-1', 'team-10')],
  ['none', 'tickets.csv'],
  ['empty', ''],
  ['without a file', `uploads/team-1/${ID}/`],
  ['of a folder', `uploads/team-1/${ID}/a/b.csv`],
  ['followed by more', `${KEY}/`],
  ['part of a longer word', `my${KEY}`],
  ['without a dataset', 'uploads/team-1/tickets.csv'],
  ['of an id that is too short', `uploads/team-1/${ID.slice(1)}/tickets.csv`],
  ['escaped wrongly', `%E0%A4%A${KEY}`],
])('the key of an upload that is %s is a missing upload, in the same words', (_what, sent) => {
  const refused = expect.objectContaining({
    code: 'upload_missing',
    message: expect.stringMatching(/^s3_key: no file was uploaded/),
  });

  expect(() => readUploadKey(sent, 'team-1')).toThrow(refused);
});

test('the key of an upload that is refused names its field', () => {
  expect(() => readUploadKey('', 'team-1', 'files.0.s3_key')).toThrow(
    expect.objectContaining({ details: [expect.objectContaining({ path: 'files.0.s3_key' })] }),
  );
});

test('the key of an upload with a % that escapes nothing is a key like any other', () => {
  const key = `uploads/team-1/${ID}/100%.csv`;

  expect(readUploadKey(key, 'team-1')).toEqual({ key, datasetId: ID });
});

test('the key of an upload names its dataset', () => {
  expect(datasetIdOf(KEY)).toBe(ID);
  expect(datasetIdOf('datasets/d/raw/tickets.csv')).toBeNull();
});

test('the size of an upload is the announced one, to the limit', () => {
  expect(() => requireSize(10, 10, 10)).not.toThrow();
});

test.each([
  [11, 11, 'file_too_large'],
  [11, 10, 'file_too_large'],
  [9, 10, 'upload_mismatch'],
  [9, 8, 'upload_mismatch'],
])('the size of an upload of %i bytes, announced as %i, is refused as %s', (actual, announced, code) => {
  expect(() => requireSize(actual, announced, 10)).toThrow(expect.objectContaining({ code }));
});

test('the size of an upload that differs is told beside the announced one', () => {
  const message = expect.stringMatching(/is 8, but the uploaded file has 9 bytes/);

  expect(() => requireSize(9, 8, 10)).toThrow(
    expect.objectContaining({ details: [{ path: 'file_size_bytes', message, actual: 9 }] }),
  );
});
