/** Requests to the object store at once. */
const AT_ONCE = 16;

/** What `work` answers for each, in their order; so many of them are worked on at once as the object store is asked. */
export async function forEachAtOnce<T, Result>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE) {
    const group = items.slice(at, at + AT_ONCE);
    results.push(...(await Promise.all(group.map((item, index) => work(item, at + index)))));
  }
  return results;
}
