import type { Readable } from 'node:stream';
import type { Balance, LedgerEntry } from '#shared/access/decide/ledger/record.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { RecordKind, TeamIds } from './belongings.ts';

/** An item of the table as it is stored, with its key and the values of the indexes. */
export type StoredItem = Readonly<Record<string, unknown>>;

export interface Belonging {
  readonly kind: RecordKind;
  readonly item: StoredItem;
}

/** An imported team as it begins. */
export interface Opening {
  readonly exportId: string;
  readonly name: string;
  readonly team: StoredItem;
  readonly balance: Balance;
  readonly entry: LedgerEntry;
}

/** The items of teams, whatever they are. */
export interface TeamRecords {
  /** All items of a team, those that do not move among them, in an order that only changes with them. */
  read(teamId: string): AsyncIterable<Belonging>;
  /** Why an item is not one of this kind, team and its datasets, runs and trainings, in words; null if it is. */
  faultOf(belonging: Belonging, ids: TeamIds): string | null;
  /** Whether there is no item with this key, the same one, or another. */
  compare(item: StoredItem): Promise<'absent' | 'same' | 'other'>;
  /** The team of an id, with the export that it was imported from; null if there is none. */
  find(teamId: string): Promise<{ readonly importedFrom: string | null } | null>;
  /** Whether an earlier import of this export has reserved the name. */
  hasBegun(team: { readonly teamId: string; readonly name: string }, exportId: string): Promise<boolean>;
  /**
   * Reserves the name of a team that is being imported. Safe to repeat for the same export. Returns false if there is the
   * team, or another one of the name.
   */
  begin(team: { readonly teamId: string; readonly name: string }, exportId: string): Promise<boolean>;
  /**
   * Writes an item of an import; one that is there already stays.
   * @throws Error if another item has its key
   */
  write(item: StoredItem): Promise<void>;
  /** Writes an organization or a user of this id, if there is none. Returns the name that it has. */
  ensureNamed(kind: 'organization' | 'user', item: StoredItem): Promise<string>;
  /** Writes a plan, if there is none of its name; returns whether it did. */
  ensurePlan(item: StoredItem): Promise<boolean>;
  /** Makes the imported team, with its balance, in one transaction: from then on it can have keys. */
  commit(opening: Opening): Promise<void>;
}

/** The folder of an archive that is being written. */
export interface ArchiveWriter {
  /** Adds a line to a file of JSON Lines. */
  addLine(path: string, value: unknown): Promise<void>;
  /** Writes a file from a stream; returns its bytes. */
  copy(path: string, source: Readable): Promise<number>;
  write(path: string, text: string): Promise<void>;
  /** Writes the checksums of all files; returns the SHA-256 of that list. */
  seal(): Promise<string>;
  /** Closes open files. The archive stays incomplete without `seal`. */
  close(): Promise<void>;
}

/** The folder of an archive. */
export interface ArchiveReader {
  /** Null if there is no such file. */
  sha256(path: string): Promise<string | null>;
  /** @throws Error if there is no such file */
  read(path: string): Promise<string>;
  /** Lines of a file one by one; none if there is no such file. */
  lines(path: string): AsyncIterable<string>;
  /** Where a file lies on this machine. */
  locate(path: string): string;
}

export interface ExportPorts {
  readonly records: Pick<TeamRecords, 'read'>;
  readonly objects: Pick<ObjectStore, 'list' | 'listSizes' | 'head' | 'stream'>;
}

export interface ImportPorts {
  readonly records: Omit<TeamRecords, 'read'>;
  readonly objects: Pick<ObjectStore, 'head' | 'list' | 'writeFile'>;
}
