import * as z from 'zod';
import { readJsonLines } from '#shared/platform/storage/json-objects.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';

/** The labels of the dataset that a plan names, which stay as they are in added rows; none in plans of earlier versions. */
export const readLabels = async (
  objects: Pick<ObjectStore, 'read'>,
  { labels_key: key }: { readonly labels_key?: string | undefined },
): Promise<readonly string[]> => (key === undefined ? [] : readJsonLines(objects, key, z.string()));
