import type { Row } from '#shared/evals/schema/eval.ts';
import type { Grader, TemplateMessage } from '#shared/evals/schema/grader.ts';
import { own } from '#shared/platform/own.ts';
import {
  contentOf,
  type Fields,
  fieldsOf,
  type ImportedEval,
  type NamedModels,
  NotImported,
} from './imported.ts';

/** Assertions that are checked by a program. */
const CHECKED = [
  'equals',
  'contains',
  'icontains',
  'contains-any',
  'contains-all',
  'icontains-any',
  'icontains-all',
  'regex',
  'starts-with',
  'is-json',
] as const;

/**
 * Checks the assertions of a test: the share of them that hold, so that 1 is a pass. It does by Python what Promptfoo does
 * by JavaScript.
 */
const CHECKS = `import json, re

def holds(kind, value, text):
    if kind == 'equals':
        return text.strip() == str(value).strip()
    if kind == 'contains':
        return str(value) in text
    if kind == 'icontains':
        return str(value).lower() in text.lower()
    if kind in ('contains-any', 'icontains-any', 'contains-all', 'icontains-all'):
        whole = text.lower() if kind[0] == 'i' else text
        found = [(str(each).lower() if kind[0] == 'i' else str(each)) in whole for each in value]
        return any(found) if kind.endswith('any') else all(found)
    if kind == 'regex':
        return re.search(str(value), text) is not None
    if kind == 'starts-with':
        return text.startswith(str(value))
    try:
        json.loads(text)
        return True
    except ValueError:
        return False

def grade(sample, item):
    text = sample.get('output_text') or ''
    checks = item['assert']
    return sum(holds(each['type'], each['value'], text) != each['not'] for each in checks) / max(1, len(checks)) if checks else 1.0
`;

/** A name in braces, of at most 100 characters. */
const VARIABLE = /\{\{\s{0,9}([A-Za-z_][A-Za-z0-9_]{0,99})\s{0,9}\}\}/g;

/**
 * A configuration of Promptfoo: its prompts become runs, its tests rows, its assertions graders.
 * @param config as it is parsed from YAML or JSON
 * @throws {NotImported} naming each part that cannot be imported
 */
export function importPromptfoo(config: Fields, { model, judge }: NamedModels): ImportedEval {
  if (model === undefined) {
    throw new NotImported(
      `Say with --model which model of the service answers: the file names ${namesOf(config.providers)}.`,
    );
  }
  const defaults = fieldsOf(config.defaultTest) ?? {};
  const tests = listOf(config.tests, 'tests').map((test, n) => readTest(test, defaults, n));
  if (tests.length === 0) throw new NotImported('The file has no tests.');
  const hasRubrics = tests.some(({ rubric }) => rubric !== null);
  if (hasRubrics && judge === undefined) {
    throw new NotImported('Say with --judge which model of the service grades by the rubrics of the file.');
  }
  const rows: Row[] = tests.map(({ vars, checks, rubric }) => ({
    item: { vars, assert: checks, ...(hasRubrics ? { rubric: rubric ?? 'Any answer passes.' } : {}) },
  }));
  const name =
    typeof config.description === 'string' ? config.description.slice(0, 200) : 'Imported from Promptfoo';
  const graders: Grader[] = [
    { type: 'python', name: 'assertions', source: CHECKS, pass_threshold: 1 },
    ...(hasRubrics ? [rubricGrader(judge ?? '')] : []),
  ];
  return {
    request: {
      name,
      data_source_config: { type: 'custom', item_schema: { type: 'object' }, include_sample_schema: true },
      testing_criteria: graders,
    },
    runs: listOf(config.prompts, 'prompts').map((prompt, n) => ({
      name: `${name.slice(0, 180)}, prompt ${n + 1}`,
      data_source: {
        type: 'completions',
        model,
        source: contentOf(rows),
        input_messages: { type: 'template', template: messagesOf(prompt, n) },
      },
    })),
  };
}

const rubricGrader = (model: string): Grader => ({
  type: 'label_model',
  name: 'rubric',
  model,
  labels: ['pass', 'fail'],
  passing_labels: ['pass'],
  input: [
    {
      role: 'user',
      content:
        'An answer is to be held against a rubric.\n\nRubric:\n{{ item.rubric }}\n\nAnswer:\n{{ sample.output_text }}\n\n' +
        'Say pass if the answer does what the rubric asks, else fail.',
    },
  ],
});

function namesOf(providers: unknown): string {
  const names = [providers].flat().flatMap((each) => {
    const id = typeof each === 'string' ? each : fieldsOf(each)?.id;
    return typeof id === 'string' ? [id] : [];
  });
  return names.length === 0 ? 'none' : names.join(', ');
}

function listOf(value: unknown, what: string): unknown[] {
  if (typeof value === 'string' && value.startsWith('file://')) {
    throw new NotImported(`${what} are in ${value}: put them into the configuration.`);
  }
  if (Array.isArray(value)) return value;
  if (value === undefined) throw new NotImported(`The file has no ${what}.`);
  throw new NotImported(`${what} is no list: only lists are imported.`);
}

interface Test {
  readonly vars: Readonly<Record<string, string>>;
  readonly checks: readonly { readonly type: string; readonly value: unknown; readonly not: boolean }[];
  readonly rubric: string | null;
}

function readTest(value: unknown, defaults: Fields, n: number): Test {
  const where = `Test ${n + 1}`;
  const test = fieldsOf(value);
  if (test === null) throw new NotImported(`${where} is no object: tests of files are not imported.`);
  const given = { ...fieldsOf(defaults.vars), ...fieldsOf(test.vars) };
  const vars = Object.fromEntries(
    Object.entries(given).map(([name, each]) => {
      if (Array.isArray(each))
        throw new NotImported(`${where}: the variable ${name} is a list; write a test for each value.`);
      if (typeof each === 'string' && each.startsWith('file://')) {
        throw new NotImported(
          `${where}: the variable ${name} is in a file; put its text into the configuration.`,
        );
      }
      return [name, typeof each === 'string' ? each : JSON.stringify(each)];
    }),
  );
  const asserts = [...[defaults.assert ?? []].flat(), ...[test.assert ?? []].flat()];
  const checks: Test['checks'][number][] = [];
  const rubrics: string[] = [];
  for (const each of asserts) {
    const { type, value: expected } = fieldsOf(each) ?? {};
    const filled = fillIn(expected, vars);
    if (type === 'llm-rubric') {
      rubrics.push(String(filled));
      continue;
    }
    const kind = String(type).replace(/^not-/, '');
    if (!(CHECKED as readonly string[]).includes(kind)) {
      throw new NotImported(
        `${where}: assertions of the type ${String(type)} are not imported. Those that are: ${CHECKED.join(', ')}, the same with not-, and llm-rubric.`,
      );
    }
    checks.push({ type: kind, value: filled ?? null, not: kind !== type });
  }
  return { vars, checks, rubric: rubrics.length === 0 ? null : rubrics.join('\n') };
}

/** Texts of an expected value with the variables of their test. */
function fillIn(value: unknown, vars: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(value)) return value.map((each) => fillIn(each, vars));
  if (typeof value !== 'string') return value;
  return value.replaceAll(VARIABLE, (whole, name: string) => own(vars, name) ?? whole);
}

/** A prompt as messages: a text, or the JSON or YAML list of messages of a chat. */
function messagesOf(prompt: unknown, n: number): TemplateMessage[] {
  const raw = fieldsOf(prompt)?.raw ?? prompt;
  if (typeof raw !== 'string') throw new NotImported(`Prompt ${n + 1} is no text.`);
  if (raw.startsWith('file://'))
    throw new NotImported(`Prompt ${n + 1} is in ${raw}: put its text into the configuration.`);
  if (raw.includes('{%') || /\{\{[^}|]{0,200}\|/.test(raw)) {
    throw new NotImported(
      `Prompt ${n + 1} has tags or filters of a template: only {{ names }} are imported.`,
    );
  }
  const named = (text: string): string => text.replaceAll(VARIABLE, '{{ item.vars.$1 }}');
  const chat = raw.trimStart().startsWith('[') ? readChat(raw) : null;
  return chat === null
    ? [{ role: 'user', content: named(raw) }]
    : chat.map(({ role, content }) => ({ role, content: named(content) }));
}

type Said = { role: TemplateMessage['role']; content: string };

function readChat(text: string): Said[] | null {
  try {
    const value: unknown = JSON.parse(text);
    const isChat =
      Array.isArray(value) &&
      value.every((each) => typeof fieldsOf(each)?.content === 'string' && fieldsOf(each)?.role);
    return isChat ? (value as Said[]) : null;
  } catch {
    return null;
  }
}
