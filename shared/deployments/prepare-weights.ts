import type { Readable } from 'node:stream';
import * as z from 'zod';
import type { Clock } from '#shared/models/decide/clock.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { artifactOf } from '#shared/training/decide/artifact.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import { factorNames, scaleOf, weightOf } from './decide/adapter.ts';
import {
  INDEX_FILE,
  selectBaseFiles,
  TEMPLATE_FILE,
  TOKENIZER_CONFIG,
  withChatTemplate,
} from './decide/base-files.ts';
import { dataStart, type Factors, mergeInto, readTensors, type Tensor, toFloats } from './decide/merge.ts';
import { type BaseModelHub, DeploymentRefused } from './decide/ports.ts';
import { type DeploymentRecord, PART_BYTES, type WeightsFile } from './decide/record.ts';

export interface PrepareWeightsPorts {
  readonly objects: Pick<
    ObjectStore,
    | 'read'
    | 'readRange'
    | 'stream'
    | 'write'
    | 'writeFile'
    | 'head'
    | 'beginParts'
    | 'writePart'
    | 'finishParts'
  >;
  readonly baseModels: BaseModelHub;
  readonly clock: Pick<Clock, 'now'>;
  /** Unpacks files of a `.tar.gz` into a temporary folder, which is deleted after `use`. */
  readonly unpack: <T>(
    archive: Readable,
    which: { readonly isWanted: (name: string) => boolean; readonly bytesMax: number },
    use: (
      files: readonly { readonly name: string; readonly bytes: number; readonly localPath: string }[],
    ) => Promise<T>,
  ) => Promise<T>;
  /** Stores how far the work is. @throws if the deployment is not there any more */
  readonly save: (base: NonNullable<DeploymentRecord['base']>) => Promise<void>;
}

type Source = Parameters<BaseModelHub['read']>[0];
type Base = NonNullable<DeploymentRecord['base']>;

/** Bytes that the disk of the function has room for. */
const UNPACKED_BYTES_MAX = 9 * 1024 ** 3;
const ADAPTER = 'adapter_model.safetensors';
const ADAPTER_CONFIG = 'adapter_config.json';
const CHECKPOINT = /^model(?:-\d{5}-of-\d{5})?\.safetensors$/;
const isWanted = (name: string): boolean =>
  [ADAPTER, ADAPTER_CONFIG, INDEX_FILE, TOKENIZER_CONFIG].includes(name) || CHECKPOINT.test(name);

const WEIGHTS_TYPE = 'application/octet-stream';
const Index = z.looseObject({ weight_map: z.record(z.string(), z.string()) });

/**
 * Writes the files of a trained model in the form in which the base model lies on its hub: an adapter is added to the base
 * model's weights, part by part, and a checkpoint takes their place. Configuration and tokenizer are the base model's, whose
 * version of the form the platform knows.
 * @returns whether it is done; if not, it ran out of time, and goes on where it was
 * @throws {DeploymentRefused} {MergeRefused} if the model cannot be merged
 */
export async function prepareWeights(
  ports: PrepareWeightsPorts,
  training: TrainingRecord,
  given: DeploymentRecord['base'],
  token: string | null,
  until: number,
): Promise<boolean> {
  const base = given ?? (await begin(ports, training, token));
  const source = { model: training.model, revision: base.revision, token };
  const open = base.files.filter(({ is_done }) => !is_done);
  if (open.length === 0) return true;
  const adapter = await openAdapter(ports.objects, training.experiment_id);
  const files = [...base.files];
  for (const file of open) {
    const save = async (changed: WeightsFile): Promise<void> => {
      files[files.findIndex(({ name }) => name === changed.name)] = changed;
      await ports.save({ ...base, files: [...files] });
    };
    if (!(await mergeFile(ports, training.experiment_id, source, file, adapter, save, until))) return false;
  }
  return true;
}

/** Unpacks the trained model, and copies what lies beside the base model's weights. */
async function begin(
  ports: PrepareWeightsPorts,
  training: TrainingRecord,
  token: string | null,
): Promise<Base> {
  const { experiment_id: id, model } = training;
  const found = await ports.baseModels.find(model, token);
  const { weights, copied } = selectBaseFiles(found.files);
  const source = { model, revision: found.revision, token };
  const read = async (name: string): Promise<Buffer | null> => {
    const file = found.files.find((each) => each.name === name);
    return file === undefined ? null : ports.baseModels.read(source, name, 0, file.bytes);
  };
  const unpacked = await unpackModel(ports, training);
  const write = (name: string, body: Buffer | string, type: string): Promise<void> =>
    ports.objects.write(objectKeys.deployedModel(id, name), body, type);
  for (const { name } of copied) {
    const body = await read(name);
    if (body !== null) await write(name, body, WEIGHTS_TYPE);
  }
  const [own, template] = await Promise.all([read(TOKENIZER_CONFIG), read(TEMPLATE_FILE)]);
  const tokenizer = withChatTemplate(
    own?.toString() ?? '{}',
    template?.toString() ?? null,
    unpacked.tokenizer,
  );
  await write(TOKENIZER_CONFIG, tokenizer, 'application/json');
  if (unpacked.form === 'adapter') {
    const index = await read(INDEX_FILE);
    if (index !== null) await write(INDEX_FILE, index, 'application/json');
    await requireWeights(ports, id, source, index, weights[0]?.name ?? '');
  }
  const files = (unpacked.form === 'adapter' ? weights : []).map(({ name, bytes }) => ({
    name,
    bytes,
    upload_id: null,
    etags: [],
    is_done: false,
  }));
  const base = { revision: found.revision, files };
  await ports.save(base);
  return base;
}

async function unpackModel(
  { objects, unpack }: PrepareWeightsPorts,
  training: TrainingRecord,
): Promise<{ form: 'adapter' | 'checkpoint'; tokenizer: string | null }> {
  const { experiment_id: id } = training;
  const { key } = artifactOf(training);
  return unpack(await objects.stream(key), { isWanted, bytesMax: UNPACKED_BYTES_MAX }, async (files) => {
    if (files.reduce((sum, { bytes }) => sum + bytes, 0) > UNPACKED_BYTES_MAX) {
      throw new DeploymentRefused(
        'The trained model has more than 9 GiB, and cannot be deployed from here. Download it, and serve it elsewhere.',
      );
    }
    const has = (name: string): boolean => files.some((file) => file.name === name);
    const form = has(ADAPTER) && has(ADAPTER_CONFIG) ? 'adapter' : 'checkpoint';
    const weights = files.filter(({ name }) => CHECKPOINT.test(name));
    if (form === 'checkpoint' && weights.length === 0) {
      throw new DeploymentRefused(
        'The artifact of the training holds neither an adapter nor a checkpoint. Train again.',
      );
    }
    let tokenizer: string | null = null;
    for (const { name, localPath } of files) {
      const isOfAdapter = name === ADAPTER || name === ADAPTER_CONFIG;
      if (name === TOKENIZER_CONFIG) {
        const kept = objectKeys.deployedAdapter(id, name);
        await objects.writeFile(kept, localPath, 'application/json');
        tokenizer = (await objects.read(kept))?.toString() ?? null;
      } else if (isOfAdapter === (form === 'adapter')) {
        const to = isOfAdapter ? objectKeys.deployedAdapter(id, name) : objectKeys.deployedModel(id, name);
        await objects.writeFile(to, localPath, WEIGHTS_TYPE);
      }
    }
    return { form, tokenizer };
  });
}

/** An adapter in the bucket: its tensors, by the weight that they change. */
interface OpenedAdapter {
  readonly key: string;
  readonly scale: number;
  readonly tensors: ReadonlyMap<string, Tensor>;
  readonly factors: ReturnType<typeof factorNames>;
}

async function openAdapter(objects: PrepareWeightsPorts['objects'], id: string): Promise<OpenedAdapter> {
  const key = objectKeys.deployedAdapter(id, ADAPTER);
  const config = await objects.read(objectKeys.deployedAdapter(id, ADAPTER_CONFIG));
  const scale = scaleOf(JSON.parse(config?.toString() ?? 'null'));
  const start = dataStart(await objects.readRange(key, 0, 7));
  const tensors = readTensors(await objects.readRange(key, 0, start - 1));
  return {
    key,
    scale,
    tensors: new Map(tensors.map((tensor) => [tensor.name, tensor])),
    factors: factorNames(tensors.map(({ name }) => name)),
  };
}

/** A change that no weight takes would be left out in silence. */
async function requireWeights(
  { objects, baseModels }: PrepareWeightsPorts,
  id: string,
  source: Source,
  index: Buffer | null,
  onlyFile: string,
): Promise<void> {
  const { factors } = await openAdapter(objects, id);
  const names =
    index === null
      ? (await readBaseTensors(baseModels, source, onlyFile)).map(({ name }) => name)
      : Object.keys(Index.parse(JSON.parse(index.toString())).weight_map);
  const known = new Set(names.map(weightOf));
  const unknown = [...factors.keys()].find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new DeploymentRefused(
      `The adapter changes ${unknown}, which the weights of ${source.model} do not have.`,
    );
  }
}

async function readBaseTensors(baseModels: BaseModelHub, source: Source, name: string): Promise<Tensor[]> {
  const start = dataStart(await baseModels.read(source, name, 0, 8));
  return readTensors(await baseModels.read(source, name, 0, start));
}

/** Merges the parts of a file that are left. @returns whether it is whole, before the time is up */
async function mergeFile(
  { objects, baseModels, clock }: PrepareWeightsPorts,
  id: string,
  source: Source,
  file: WeightsFile,
  adapter: OpenedAdapter,
  save: (file: WeightsFile) => Promise<void>,
  until: number,
): Promise<boolean> {
  const { name, bytes } = file;
  const key = objectKeys.deployedModel(id, name);
  const tensors = await readBaseTensors(baseModels, source, name);
  const uploadId = file.upload_id ?? (await objects.beginParts(key, WEIGHTS_TYPE));
  const etags = [...file.etags];
  let held = new Map<string, Factors>();
  for (let from = etags.length * PART_BYTES; from < bytes; from += PART_BYTES) {
    if (clock.now() >= until) return false;
    const to = Math.min(bytes, from + PART_BYTES);
    const part = await baseModels.read(source, name, from, to);
    const next = new Map<string, Factors>();
    for (const tensor of tensors) {
      const weight = weightOf(tensor.name);
      if (tensor.to <= from || tensor.from >= to || !adapter.factors.has(weight)) continue;
      const factors = held.get(weight) ?? (await readFactors(objects, adapter, weight));
      next.set(weight, factors);
      mergeInto(part, from, tensor, factors);
    }
    held = next;
    etags.push(await objects.writePart(key, uploadId, etags.length + 1, part));
    await save({ ...file, upload_id: uploadId, etags: [...etags] });
  }
  try {
    await objects.finishParts(key, uploadId, etags);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'NoSuchUpload') throw error;
    // It was finished before a crash; else its parts are gone.
    const written = await objects.head(key);
    if (written?.bytes !== bytes) {
      await save({ ...file, upload_id: null, etags: [] });
      return false;
    }
  }
  await save({ ...file, upload_id: null, etags: [], is_done: true });
  return true;
}

async function readFactors(
  objects: Pick<ObjectStore, 'readRange'>,
  { key, scale, tensors, factors }: OpenedAdapter,
  weight: string,
): Promise<Factors> {
  const names = factors.get(weight);
  const load = async (name: string | undefined): Promise<Float32Array> => {
    const tensor = tensors.get(name ?? '');
    if (tensor === undefined)
      throw new DeploymentRefused('The adapter of the training is not complete. Train again.');
    return toFloats(await objects.readRange(key, tensor.from, tensor.to - 1), tensor.dtype);
  };
  return { scale, a: await load(names?.a), b: await load(names?.b) };
}
