import { createHash } from 'node:crypto';

/** Maximum length of a function name for models and providers. */
const LENGTH_MAX = 64;

const usable = (name: string): string => name.replaceAll(/[^A-Za-z0-9_-]/g, '_');

/**
 * Function names for the tools of servers: the tool's own name if it is unique, else with the server's label in front.
 * Names that are too long end in a digest. The same tools get the same names in every turn.
 * @param taken names of other tools
 * @returns a name for each tool, in order
 */
export function nameTools(
  tools: readonly { readonly label: string; readonly name: string }[],
  taken: readonly string[],
): string[] {
  const counts = new Map<string, number>(taken.map((name) => [name, 1]));
  for (const { name } of tools) counts.set(usable(name), (counts.get(usable(name)) ?? 0) + 1);
  const used = new Set(taken);
  return tools.map(({ label, name }) => {
    const own = usable(name);
    const isFree = counts.get(own) === 1 && own.length <= LENGTH_MAX && !used.has(own);
    const chosen = isFree ? own : distinct(`${usable(label)}__${own}`, `${label}\n${name}`, used);
    used.add(chosen);
    return chosen;
  });
}

function distinct(name: string, identity: string, used: ReadonlySet<string>): string {
  if (name.length <= LENGTH_MAX && !used.has(name)) return name;
  const digest = createHash('sha256').update(identity).digest('hex').slice(0, 12);
  return `${name.slice(0, LENGTH_MAX - digest.length - 1)}_${digest}`;
}
