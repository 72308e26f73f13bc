import { invalidField } from '../../errors/from-zod.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { AdaptRequest, RunRequest } from '../../schema/adaptation.ts';
import type { ColumnMapping, ConfiguredColumnMapping } from '../../schema/column-mapping.ts';

/** How a mapping says that rows are to be read (spec §4.8). */
export type AdaptationMode =
  | 'prompt_and_completion'
  | 'prompt_only'
  | 'completion_only'
  | 'chat'
  | 'universal_prompt';

/**
 * The mode of a mapping.
 * @throws {ServiceError} `invalid_request` where fields do not go together, naming them (spec §4.8)
 */
export function modeOf(mapping: ColumnMapping): AdaptationMode {
  const { prompt, completion, chat, context = [], universal_prompt: universal, image } = mapping;
  const field = (name: string) => `column_mapping.${name}`;
  const twice = (['prompt', 'completion', 'chat'] as const).find((name) => mapping[name] === image);
  if (image !== undefined && twice !== undefined) {
    throw invalidField(field('image'), `is the ${twice} column; map another column or omit it`);
  }
  if (chat !== undefined) {
    const others = (['prompt', 'completion', 'context', 'universal_prompt'] as const).filter(
      (name) => mapping[name] !== undefined && !(name === 'context' && context.length === 0),
    );
    if (others[0] !== undefined) {
      throw invalidField(
        field(others[0]),
        `cannot be combined with chat; omit ${others.join(', ')} or omit chat`,
      );
    }
    return 'chat';
  }
  if (universal !== undefined) {
    if (prompt !== undefined) {
      throw invalidField(field('universal_prompt'), 'cannot be combined with prompt; omit one of the two');
    }
    if (universal.trim() === '') throw invalidField(field('universal_prompt'), 'is empty');
    if (context.length === 0 && image === undefined) {
      throw invalidField(field('universal_prompt'), 'needs at least one context column or an image column');
    }
    return 'universal_prompt';
  }
  if (prompt !== undefined) {
    if (prompt === completion) {
      throw invalidField(field('completion'), 'is the prompt column; map another column or omit it');
    }
    return completion === undefined ? 'prompt_only' : 'prompt_and_completion';
  }
  if (completion !== undefined) return 'completion_only';
  if (image !== undefined) {
    throw invalidField(
      field('image'),
      'cannot be the only mapping; map prompt, completion, chat or universal_prompt too',
    );
  }
  throw invalidField(
    'column_mapping',
    'maps nothing to improve; map prompt, completion, chat or universal_prompt',
  );
}

/** The mapping as it is kept and shown: an image column is context too (spec §4.8). */
export function configuredMapping(mapping: ColumnMapping): ConfiguredColumnMapping {
  const { context = [], image, ...rest } = mapping;
  return {
    ...rest,
    ...(image === undefined ? {} : { image }),
    context: [...new Set(image === undefined ? context : [...context, image])],
  };
}

/**
 * Checks that every mapped column exists.
 * @throws {ServiceError} `column_unknown`, listing the columns that there are
 */
export function requireColumns(mapping: ColumnMapping, available: readonly string[]): void {
  const named: [string, string][] = [
    ...(['prompt', 'completion', 'chat', 'image'] as const).flatMap((name): [string, string][] => {
      const column = mapping[name];
      return column === undefined ? [] : [[`column_mapping.${name}`, column]];
    }),
    ...(mapping.context ?? []).map((column, index): [string, string] => [
      `column_mapping.context[${index}]`,
      column,
    ]),
  ];
  throwUnknownColumns(named, available);
}

/** @throws {ServiceError} `column_unknown` for each of `named` ([path, column]) that is not available */
export function throwUnknownColumns(
  named: readonly (readonly [string, string])[],
  available: readonly string[],
): void {
  const unknown = named.filter(([, column]) => !available.includes(column));
  if (unknown.length === 0) return;
  const list = available.map((column) => JSON.stringify(column)).join(', ');
  throw new ServiceError(
    'column_unknown',
    `${unknown.map(([path, column]) => `${path}: there is no column ${JSON.stringify(column)}`).join('; ')}. ` +
      `The dataset's columns are ${list}.`,
    {
      details: unknown.map(([path, column]) => ({
        path,
        message: `there is no column ${JSON.stringify(column)}`,
        available,
      })),
    },
  );
}

/**
 * Refuses a request, priced or real, for answers that rest on a search which the installation does not have.
 * @throws {ServiceError} `not_available_yet`
 */
export function requireSearch(request: AdaptRequest | RunRequest, hasSearch: boolean): void {
  if (hasSearch || request.brand_controls?.hallucination_mitigation !== true) return;
  const path = 'brand_controls.hallucination_mitigation';
  const message = 'needs a web search, and this installation has no search provider; omit it';
  throw new ServiceError('not_available_yet', `${path}: ${message}`, { details: [{ path, message }] });
}
