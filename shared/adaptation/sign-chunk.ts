import { comparedText } from '#shared/answers/decide/deduplication/compared-text.ts';
import { Signer } from '#shared/answers/decide/deduplication/signature.ts';
import { newBlock } from '#shared/answers/decide/deduplication/signature-block.ts';
import { readCells } from '#shared/answers/decide/read-cells.ts';
import { materialReader } from '#shared/answers/decide/row-material.ts';
import { readJson, readLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { BatchPlan } from '#shared/runs/schema/run-context.ts';
import { RunRequestObject } from './decide/run-request.ts';

/**
 * Writes the signatures of a chunk's selected rows, from which duplicates are found without reading the rows again.
 * Idempotent: the same rows produce the same object.
 */
export async function signChunk(
  objects: Pick<ObjectStore, 'read' | 'write'>,
  chunk: BatchPlan,
): Promise<{ status: 'finished' }> {
  const { specification } = await readJson(objects, objectKeys.runRequest(chunk.run_id), RunRequestObject);
  const lines = await readLines(objects, chunk.chunk_key);
  if (lines.length < chunk.first_line + chunk.row_count) {
    throw new Error(`The chunk ${chunk.n} has ${lines.length} of its ${chunk.row_count} rows.`);
  }
  const places = chunk.selected ?? Array.from({ length: chunk.row_count }, (_, place) => place);
  const reader = materialReader(specification);
  const signer = new Signer();
  const block = newBlock(places.length);
  for (const [index, place] of places.entries()) {
    const material = reader.read(readCells(lines[chunk.first_line + place] ?? '', reader.columns));
    const text = 'skip' in material ? null : comparedText(material, specification.mode);
    signer.sign(text, block.words, block.at(index));
  }
  const body = Buffer.from(block.words.buffer);
  await objects.write(objectKeys.signatures(chunk.run_id, chunk.n), body, 'application/octet-stream');
  return { status: 'finished' };
}
