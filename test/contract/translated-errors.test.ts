import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorOfChat } from '#shared/openai/decide/chat.ts';
import { errorOfJob } from '#shared/openai/decide/fine-tuning.ts';
import { CreateChatCompletionRequest } from '#shared/openai/schema/chat.ts';
import { CreateFineTuningJobRequest } from '#shared/openai/schema/fine-tuning.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { CreateResponseRequest } from '#shared/responses/schema/response-request.ts';
import { CreateTrainingRequest } from '#shared/training/schema/training.ts';
import ts from '../../clients/typescript/node_modules/typescript/lib/typescript.js';

/** The sentences in a source file: its texts with a space, those of templates with an ellipsis for what stands in them. */
function sentencesIn(file: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) found.push(node.text);
    if (ts.isTemplateExpression(node)) {
      found.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…'));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022));
  return found.filter((text) => text.includes(' '));
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => (name.endsWith('.ts') ? [`${folder}/${name}`] : []));

interface Translation {
  /** Files with the sentences of its errors. */
  readonly sources: readonly string[];
  /** Fields of the request that is carried out, and of the one that was asked. */
  readonly from: object;
  readonly to: object;
  readonly translate: (error: unknown) => unknown;
  /** Sentences about what the request that is carried out never has. */
  readonly unreachable: readonly RegExp[];
}

/** Whether a name of a field is no word of a sentence. */
const isOnlyAName = (name: string): boolean => name.includes('_') || name === 'truncation';

const TRANSLATIONS: Readonly<Record<string, Translation>> = {
  'chat completion': {
    sources: [
      ...filesIn('shared/responses'),
      ...filesIn('shared/responses/decide'),
      ...filesIn('shared/models/adapters'),
      'shared/access/decide/meter.ts',
      'shared/platform/access/plan.ts',
      'shared/platform/runtime/serve-stream.ts',
    ],
    from: CreateResponseRequest.shape,
    to: CreateChatCompletionRequest.shape,
    translate: errorOfChat,
    unreachable: [
      // A chat sends its conversation, and has neither servers of tools nor a bound of credits.
      /previous_response_id/,
      /^This call is beyond max_tool_calls/,
      /^The answer could cost … credits, more than max_credits allows/,
    ],
  },
  'fine-tuning job': {
    sources: [
      ...filesIn('shared/training').filter((file) => !file.endsWith('/contracts.ts')),
      ...filesIn('shared/training/decide'),
    ],
    from: CreateTrainingRequest.shape,
    to: CreateFineTuningJobRequest.shape,
    translate: errorOfJob,
    unreachable: [
      // Told by its code in words of its own.
      /^The dataset does not say which columns hold prompts and answers/,
      // Of comparisons.
      /so the originals have nothing to train on/,
      /^The originals have no …/,
      /^is required for data_format "instruction"/,
    ],
  },
};

test.each(Object.entries(TRANSLATIONS))(
  'no error of a %s names a field that its request does not have',
  (_, { sources, from, to, translate, unreachable }) => {
    const foreign = Object.keys(from).filter((name) => !Object.hasOwn(to, name) && isOnlyAName(name));
    const said = sources.flatMap(sentencesIn).flatMap((sentence) => {
      const { message } = translate(new ServiceError('invalid_request', sentence)) as ServiceError;
      return foreign.some((name) => message.includes(name)) ? [message] : [];
    });

    expect(said.filter((message) => !unreachable.some((each) => each.test(message)))).toEqual([]);
    expect(unreachable.filter((each) => !said.some((message) => each.test(message)))).toEqual([]);
  },
);
