import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { createMemoryObjects, type MemoryObjects } from '#test/helpers/memory-objects.ts';
import { type Cloud, request, serverError } from './cloud.ts';

export interface SimulatedObjects {
  /** What the service uses, with latency and faults. */
  readonly objects: ObjectStore;
  /** The same objects, at once and without faults: for the simulation itself. */
  readonly atOnce: MemoryObjects;
}

const WRITES: ReadonlySet<string> = new Set([
  'write',
  'writeNew',
  'writeFile',
  'beginParts',
  'writePart',
  'finishParts',
  'abandonParts',
  'copy',
  'remove',
]);

/** Writes of a whole object. */
const WHOLE: ReadonlySet<string> = new Set(['write', 'writeNew', 'writeFile']);

/** What the SDK sends again, if it was not answered, with the same outcome where nobody else has written meanwhile. */
const REPEATED: ReadonlySet<string> = new Set(['write', 'writeNew', 'remove']);
const REPETITION_MILLISECONDS = 400;

/** The bucket as S3 documents it: what was written is read at once, and any request may fail before or after it took effect. */
export function createSimulatedObjects(cloud: Cloud): SimulatedObjects {
  const { clock, faults, meetings, random } = cloud;
  const memory = createMemoryObjects();

  async function ask<T>(method: string, keys: readonly string[], effect: () => Promise<T>): Promise<T> {
    const isWrite = WRITES.has(method);
    const where = `${method} ${keys.join(' ')}`;
    const said = (): string => `${where} by ${cloud.clock.current()?.name ?? 'the service'}`;
    const isRefused = faults.strikes('refused', said);
    const isTwice = REPEATED.has(method) && faults.strikes('sent twice', said);
    const isUnheard = isWrite && faults.strikes('answer lost', said);
    if (isWrite) meetings.arrive(keys);
    const isLate = WHOLE.has(method) && faults.strikes('late object', said);
    if (isLate || faults.strikes('stands still', said)) await meetings.stand(keys);
    const sender = clock.current();
    return request(cloud, { where, isWrite, mean: 12 }, async () => {
      if (isRefused) throw serverError('SlowDown', 503);
      if (isTwice) {
        const answer = await effect();
        // Others write between both.
        await new Promise<void>((resolve) => clock.after(random.wait(REPETITION_MILLISECONDS), resolve));
        if (sender?.isAlive === false) return answer;
      }
      const answer = await effect();
      if (isUnheard) throw serverError('InternalError');
      return answer;
    });
  }

  async function* listed<T>(method: 'list' | 'listSizes', prefix: string): AsyncGenerator<T> {
    yield* await ask(method, [prefix], async () => {
      const found: T[] = [];
      for await (const each of memory[method](prefix)) found.push(each as T);
      return found;
    });
  }

  const local: ReadonlySet<PropertyKey> = new Set(['presignPut', 'presignGet']);
  const objects = new Proxy(memory, {
    get(target, method, receiver) {
      const given = Reflect.get(target, method, receiver) as unknown;
      if (typeof given !== 'function' || local.has(method)) return given;
      if (method === 'list' || method === 'listSizes') return (prefix: string) => listed(method, prefix);
      return (...values: unknown[]) => {
        const [first] = values;
        const keys = Array.isArray(first) ? first.map(String) : [String(first)];
        return ask(String(method), keys, async () => given(...values));
      };
    },
  });
  return { objects: objects as ObjectStore, atOnce: memory };
}
