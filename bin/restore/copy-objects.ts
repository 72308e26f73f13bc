import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type S3Client,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { forEachAtOnce } from '#shared/platform/for-each-at-once.ts';
import { type BucketPrefix, bucketPrefixes } from '#shared/platform/runtime/uses.ts';
import { type ObjectVersion, objectsAt } from './versions.ts';

/** What a dataset, a run, a training or an answer needs; the others are on their way, or made again on request. */
export const RESTORED_PREFIXES: readonly BucketPrefix[] = [
  'datasets',
  'runs',
  'pool',
  'trainings',
  'responses',
  'evals',
  'batches',
  'reuse',
];

/** S3 copies up to 5 GB in one request. */
const SINGLE_COPY_BYTES_MAX = 5_000_000_000;
const PART_BYTES = 512 * 1024 * 1024;
const BATCH = 256;

export interface CopiedObjects {
  readonly objects: number;
  readonly bytes: number;
}

/** Copies the objects that a bucket held at a moment into another one, under the same keys. */
export async function copyObjectsAt(
  client: S3Client,
  { from, to, time }: { readonly from: string; readonly to: string; readonly time: number },
  told: (copied: CopiedObjects) => void,
): Promise<CopiedObjects> {
  let copied: CopiedObjects = { objects: 0, bytes: 0 };
  const copy = async (batch: readonly ObjectVersion[]): Promise<void> => {
    await forEachAtOnce(batch, (version) => copyVersion(client, version, from, to));
    copied = {
      objects: copied.objects + batch.length,
      bytes: batch.reduce((sum, { bytes }) => sum + bytes, copied.bytes),
    };
    told(copied);
  };
  for (const prefix of RESTORED_PREFIXES) {
    let batch: ObjectVersion[] = [];
    for await (const version of objectsAt(pagesOf(client, from, bucketPrefixes[prefix]), time)) {
      batch.push(version);
      if (batch.length < BATCH) continue;
      await copy(batch);
      batch = [];
    }
    await copy(batch);
  }
  return copied;
}

async function* pagesOf(client: S3Client, bucket: string, prefix: string): AsyncGenerator<ObjectVersion[]> {
  let after: { KeyMarker?: string; VersionIdMarker?: string } | null = {};
  while (after !== null) {
    const page: ListObjectVersionsCommandOutput = await client.send(
      new ListObjectVersionsCommand({ Bucket: bucket, Prefix: prefix, ...after }),
    );
    const { Versions = [], DeleteMarkers = [], IsTruncated, NextKeyMarker, NextVersionIdMarker } = page;
    yield [
      ...Versions.map((each) => versionOf(each, false)),
      ...DeleteMarkers.map((each) => versionOf(each, true)),
    ];
    after =
      IsTruncated === true && NextKeyMarker !== undefined
        ? {
            KeyMarker: NextKeyMarker,
            ...(NextVersionIdMarker === undefined ? {} : { VersionIdMarker: NextVersionIdMarker }),
          }
        : null;
  }
}

function versionOf(
  each: {
    readonly Key?: string | undefined;
    readonly VersionId?: string | undefined;
    readonly LastModified?: Date | undefined;
    readonly IsLatest?: boolean | undefined;
    readonly Size?: number | undefined;
  },
  isDeletion: boolean,
): ObjectVersion {
  return {
    key: each.Key ?? '',
    versionId: each.VersionId ?? 'null',
    modified: each.LastModified?.getTime() ?? 0,
    isLatest: each.IsLatest === true,
    isDeletion,
    bytes: each.Size ?? 0,
  };
}

async function copyVersion(
  client: S3Client,
  { key, versionId, bytes }: ObjectVersion,
  from: string,
  to: string,
): Promise<void> {
  const CopySource = `${from}/${encodeURIComponent(key)}?versionId=${versionId}`;
  const target = { Bucket: to, Key: key };
  if (bytes <= SINGLE_COPY_BYTES_MAX) {
    await client.send(new CopyObjectCommand({ ...target, CopySource }));
    return;
  }
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
  const starts = Array.from({ length: Math.ceil(bytes / PART_BYTES) }, (_, part) => part * PART_BYTES);
  const parts = await forEachAtOnce(starts, async (start, index) => {
    const last = Math.min(bytes, start + PART_BYTES) - 1;
    const part = { PartNumber: index + 1, CopySourceRange: `bytes=${start}-${last}` };
    const { CopyPartResult } = await client.send(
      new UploadPartCopyCommand({ ...target, UploadId, CopySource, ...part }),
    );
    return { PartNumber: part.PartNumber, ETag: CopyPartResult?.ETag };
  });
  await client.send(
    new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts: parts } }),
  );
}
