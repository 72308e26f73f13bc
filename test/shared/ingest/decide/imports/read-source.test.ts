import { expect, test } from 'vitest';
import { readImportRequest } from '#shared/ingest/decide/imports/read-source.ts';

const read = (url: string, more: object = {}) =>
  readImportRequest(
    { source: { url, ...more } },
    {
      huggingFaceUrl: 'https://huggingface.co',
      kaggleUrl: 'https://www.kaggle.com',
      googleSheetsUrl: 'https://docs.google.com',
      allowed: [],
    },
  );

test.each([
  's3.amazonaws.com',
  's3.eu-west-1.amazonaws.com',
  's3-eu-west-1.amazonaws.com',
  's3.dualstack.us-east-1.amazonaws.com',
  's3.cn-north-1.amazonaws.com.cn',
  'my.bucket.s3.amazonaws.com',
  'bucket.s3-eu-west-1.amazonaws.com',
  'storage.googleapis.com',
  'my_bucket.storage.googleapis.com',
])('the host of an object may be %s', (host) => {
  expect(read(`https://${host}/a/rows.csv`).source.origin).toMatchObject({ provider: 'object' });
});

test.each([
  'amazonaws.com',
  's3amazonaws.com',
  's3.amazonaws.com.evil.test',
  'ec2.amazonaws.com',
  'buckets3.amazonaws.com',
  'my-s3.amazonaws.com',
  'evilstorage.googleapis.com',
])('the host of an object may not be %s', (host) => {
  expect(() => read(`https://${host}/a/rows.csv`)).toThrow('cannot be imported');
});

test('the host of an object is told at once, however it is composed', () => {
  const start = process.cpuUsage();

  expect(() => read(`https://s3${'-a-b'.repeat(20_000)}!/rows.csv`)).toThrow();
  expect(() => read(`https://s3${'.s3-a'.repeat(10_000)}.com/rows.csv`)).toThrow();

  expect(process.cpuUsage(start).user).toBeLessThan(500_000);
});

test.each([
  ['source.file_size_bytes', 'https://huggingface.co/datasets/a/b', { files: ['a.csv'], file_size_bytes: 1 }],
  ['source.file_size_bytes', 'https://storage.googleapis.com/b/rows.csv', { file_size_bytes: 1 }],
  ['source.files', 'https://storage.googleapis.com/b/rows.csv', { files: ['a.csv'] }],
])('%s is refused where nothing reads it: %s', (path, url, more) => {
  expect(() => read(url, more)).toThrow(path);
});

test.each([
  ['rows.csv.gz', 'csv'],
  ['rows.JSONL.gz', 'jsonl'],
  ['rows.ndjson', 'jsonl'],
  ['rows.tsv', 'csv'],
  ['rows.tsv.gz', 'csv'],
])('the format of a file is the one before .gz, and that of its other names: %s', (name, format) => {
  expect(read(`https://storage.googleapis.com/b/${name}`).source.format).toBe(format);
});

test.each(['rows.parquet.gz', 'rows.gz', 'csv.gz', 'csv', 'rows'])(
  'the format of a file has to be named where its name says none: %s',
  (name) => {
    expect(() => read(`https://storage.googleapis.com/b/${name}`)).toThrow(
      'is required when name does not end',
    );
  },
);
