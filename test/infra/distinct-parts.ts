import type { Template } from './synthesize.ts';

/** A name that AWS takes: one that is too long, or has other characters, keeps what it says. */
const NAME = /(?<![\w-])tunesmith-[a-z]+-[a-z0-9-]{1,45}(?![\w-])/g;
const HASH = /\b[0-9a-f]{64}\b/g;
const DESCRIPTION = /"Description":"[^"\\]{1,250}"/g;
const LOGICAL_ID = /\w+/g;

/** A part of a template as text, without what only tells it from others of its kind. */
const shapeOf = (part: unknown): string =>
  JSON.stringify(part)
    .replace(NAME, 'name')
    .replace(HASH, 'hash')
    .replace(DESCRIPTION, '"Description":"text"');

/**
 * A template with one resource of each shape, and one statement or variable of each in the policies and environments of
 * all its resources: what a linter says of the whole template, it says of this one, in a fraction of the time. What
 * referred to a resource that was left out refers to the one like it.
 */
export function distinctParts(template: Template): Template {
  const statements = new Set<string>();
  const variables = new Set<string>();
  const first = (seen: Set<string>, part: unknown): boolean => seen.size < seen.add(shapeOf(part)).size;
  const shortened = JSON.parse(JSON.stringify(template), (key, value) => {
    if (key === 'Statement' && Array.isArray(value)) {
      const distinct = value.filter((statement) => first(statements, statement));
      return distinct.length > 0 ? distinct : value.slice(0, 1);
    }
    if (key !== 'Variables') return value;
    return Object.fromEntries(Object.entries(value).filter((variable) => first(variables, variable)));
  }) as Template;
  return withoutTwins(shortened);
}

function withoutTwins(template: Template): Template {
  const firstOf = new Map<string, string>();
  const twins = new Map<string, string>();
  for (const [id, resource] of Object.entries(template.Resources)) {
    const shape = shapeOf({ ...resource, Metadata: null });
    const found = firstOf.get(shape);
    if (found === undefined) firstOf.set(shape, id);
    else twins.set(id, found);
  }
  if (twins.size === 0) return template;
  const kept = Object.entries(template.Resources).filter(([id]) => !twins.has(id));
  const text = JSON.stringify({ ...template, Resources: Object.fromEntries(kept) });
  // Logical ids end in a hash, so that no other word is one.
  const merged = JSON.parse(
    text.replace(LOGICAL_ID, (word) => twins.get(word) ?? word),
    (key, value) => (key === 'DependsOn' && Array.isArray(value) ? [...new Set(value)] : value),
  ) as Template;
  return withoutTwins(merged);
}
