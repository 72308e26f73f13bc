import type { KeptUpload, PublicationRecord } from './record.ts';

export interface PublicationRepository {
  create(record: PublicationRecord): Promise<void>;
  find(datasetId: string, publishId: string): Promise<PublicationRecord | null>;
  /** The newest first. */
  list(datasetId: string): Promise<PublicationRecord[]>;
  /** Counts an attempt of a publication that has not ended, and returns it; null if it has, or is gone. */
  begin(datasetId: string, publishId: string, at: string): Promise<PublicationRecord | null>;
  /** Changes a publication that has not ended; does nothing otherwise. */
  update(record: PublicationRecord, changes: Partial<PublicationRecord>): Promise<void>;
}

/** A file of a repository, and where it is on disk. */
export interface FileToPublish {
  readonly path: string;
  readonly localPath: string;
}

/** The card in a repository. */
export const CARD_FILE = 'README.md';
/** Says which dataset, or the model of which training, a repository is for. */
export const MARKER_FILE = 'tunesmith.json';

/** A file of an archive, and where it is on disk. */
export interface UnpackedFile {
  readonly name: string;
  readonly bytes: number;
  readonly localPath: string;
}

export type ContentKind = 'dataset' | 'model';

/** What a repository is to have. */
export interface RepositoryContent {
  readonly kind: ContentKind;
  /** Says what the repository is for, in its file `tunesmith.json`: one of others is not touched. */
  readonly marker: { readonly dataset_id: string } | { readonly experiment_id: string };
  /** Of a dataset all files of the folder `data`: others that are there are deleted. */
  readonly files: readonly FileToPublish[];
  /** The text of the file `README.md`. */
  readonly card: string;
}

export interface ContentToPublish extends RepositoryContent {
  /** The credential of the connection. */
  readonly token: string;
  /** `namespace/name`, or `name` in the namespace of who owns the token. */
  readonly repository: string;
  readonly isPrivate: boolean;
  readonly commitMessage: string;
  /** License and title of a repository that is made, on platforms that keep them beside its files; null for none of our own. */
  readonly license: string | null;
  readonly title: string | null;
  /** Uploads of earlier attempts, on platforms that do not know files by their content. */
  readonly uploads: readonly KeptUpload[];
  readonly keepUploads: (uploads: readonly KeptUpload[]) => Promise<void>;
  /** Called with the share of the bytes that are there, 0 to 1. */
  readonly onProgress: (share: number) => Promise<void>;
}

/** Writes what is published to temporary files, which are deleted after `use`. */
export type WithContent = <T>(
  publication: PublicationRecord,
  use: (content: RepositoryContent) => Promise<T>,
) => Promise<T>;

export interface Published {
  /** `namespace/name` */
  readonly repository: string;
  readonly url: string;
  /** Null if the repository had the same content already. */
  readonly commit: string | null;
}

/**
 * Publishes to a platform. What is there already is not uploaded again.
 * @throws {PublicationRefused} if another attempt would end in the same way
 */
export type PublishContent = (content: ContentToPublish) => Promise<Published>;

/** The platform refuses, and the caller or the operator has to change something. The message says what. */
export class PublicationRefused extends Error {
  override readonly name = 'PublicationRefused';
}
