import { own } from '#shared/platform/own.ts';
import { type ChatTurn, readTurns } from '#shared/tabular/decide/chat-turns.ts';
import {
  argumentsOf,
  callsOf,
  type DeclaredTool,
  declaredTools,
  toolsIn,
  toolsOf,
} from '#shared/tabular/decide/forms/tool-calls.ts';
import { compileSchema, type SchemaCheck } from './answer-schema.ts';

/** Steps of a schema for the arguments of one call, and calls of a row that are held against schemas: seconds together. */
const STEPS_MAX = 20_000;
const CALLS_MAX = 1_000;

/** Keywords that constrain values beyond what is checked: a schema without them accepts whatever it accepted. */
const LOOSENED: readonly string[] = [
  'format',
  'pattern',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'strict',
];
/** How the turns of any form name calls, or their results. */
const HAS_CALLS = /_call|tool_use|toolUse/;

/** Whether a text may have calls of tools in it; false of most, without reading it. */
export const mayHaveCalls = (text: string): boolean => HAS_CALLS.test(text);

/** Keywords whose schemas may not become looser. */
const STRICT = /"(?:oneOf|not|if|\$ref)"/;

/**
 * Finds calls that no tool of their row takes: arguments that are no JSON object, or that its schema does not accept, and
 * tools that the row does not declare, and results whose id no call before them has. What cannot be checked is no fault: a row without tools, and a schema with keywords
 * that are not known.
 */
export function createCallCheck(): (chat: string, tools: string | null) => string | null {
  // Rows of a file mostly declare the same tools.
  let known: { readonly tools: string | null; readonly chat: string } | null = null;
  let checks: ReadonlyMap<string, SchemaCheck | null> | null = null;
  return (chat, tools) => {
    if (!mayHaveCalls(chat)) return null;
    const turns = readTurns(chat);
    if (typeof turns === 'string') return null;
    // Both may declare tools.
    const own = chat.trimStart().startsWith('{') ? chat : '';
    if (known === null || known.tools !== tools || known.chat !== own) {
      known = { tools, chat: own };
      checks = checksOf(toolsOf(tools) ?? toolsIn(chat));
    }
    let n = 0;
    const ids = new Set<unknown>();
    for (const turn of turns) {
      for (const { id } of turn.role === 'assistant' ? callsOf(turn) : []) ids.add(id);
      if (isStray(turn, ids)) return 'A result of the row names a call that is not before it';
      for (const fault of faultsOf(turn, checks, CALLS_MAX - n)) {
        n += 1;
        if (fault !== null) return `Call ${n} of the row ${fault}`;
      }
    }
    return null;
  };
}

/**
 * Whether a turn is the result of a call that is not there.
 * @param ids those of the calls before it: null for one without an id, whose result may have any
 */
function isStray(turn: ChatTurn, ids: ReadonlySet<unknown>): boolean {
  const { tool_call_id: id } = turn as { readonly tool_call_id?: unknown };
  return turn.role === 'tool' && typeof id === 'string' && ids.size > 0 && !ids.has(null) && !ids.has(id);
}

/** The check of the arguments of each tool; null for one that cannot be made. */
function checksOf(tools: readonly unknown[] | null): ReadonlyMap<string, SchemaCheck | null> | null {
  const declared = tools === null ? null : declaredTools(tools);
  return declared === null ? null : new Map(declared.map((tool) => [tool.function.name, checkOf(tool)]));
}

function checkOf({ function: { parameters } }: DeclaredTool): SchemaCheck | null {
  if (typeof parameters !== 'object' || parameters === null) return null;
  try {
    const isStrict = STRICT.test(JSON.stringify(parameters));
    return compileSchema(
      (isStrict ? parameters : loosened(parameters)) as Record<string, unknown>,
      'parameters',
    );
  } catch {
    // A schema of another dialect, or a larger one than is checked.
    return null;
  }
}

/** A schema without some keywords. Names of properties are none. */
function loosened(schema: unknown, isNames = false): unknown {
  if (Array.isArray(schema)) return schema.map((each) => loosened(each));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]): [string, unknown][] => {
      if (!isNames && LOOSENED.includes(name)) return [];
      const isData = !isNames && ['enum', 'const', 'default', 'examples', 'required'].includes(name);
      return [[name, isData ? value : loosened(value, !isNames && name === 'properties')]];
    }),
  );
}

/**
 * What is wrong with each call of a turn; null for a call that is right, or that cannot be checked.
 * @param checkedMax calls that are held against schemas
 */
function* faultsOf(
  turn: ChatTurn,
  checks: ReadonlyMap<string, SchemaCheck | null> | null,
  checkedMax: number,
): Generator<string | null> {
  if (turn.role !== 'assistant') return;
  const listed = own(turn as unknown as Record<string, unknown>, 'tool_calls');
  const calls = callsOf(turn);
  if (Array.isArray(listed) && calls.length < listed.length) yield 'has no name of a tool, or no arguments';
  for (const [n, call] of calls.entries()) {
    const given = argumentsOf(call);
    if (given === null) yield 'has arguments that are no JSON object';
    else if (checks !== null && !checks.has(call.name)) yield 'is of a tool that the row does not declare';
    else {
      const check = n < checkedMax ? checks?.get(call.name) : null;
      const fault = check?.(given, STEPS_MAX) ?? null;
      yield fault === null || fault === 'too_large'
        ? null
        : 'has arguments that the schema of the tool does not accept';
    }
  }
}
