import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { loadConfig } from '#infra/config.ts';
import { connectBedrock } from '#shared/adapters/model/bedrock.ts';
import { connectOpenAi } from '#shared/adapters/model/openai-compatible.ts';
import { ModelError } from '#shared/domain/model/port.ts';
import type { TurnRequest } from '#shared/domain/model/turn.ts';
import { MODEL_ROLES, type ModelRole } from '#shared/schema/model-role.ts';

/**
 * `npm run deploy -- [-c stage=NAME …]`: `cdk bootstrap` and `cdk deploy` of all stacks with the AWS credentials at
 * hand, then one real call for each role and for each model that answers, so that a model without access is met now and not by the first run.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUTPUTS = join(ROOT, 'cdk.out', 'outputs.json');
const TIMEOUT_SECONDS = 60;

const forwarded = process.argv.slice(2);
const context = new Map(
  forwarded.flatMap((argument, index) => {
    if (argument !== '-c' && argument !== '--context') return [];
    const [name = '', ...value] = (forwarded[index + 1] ?? '').split('=');
    return [[name, value.join('=')] as const];
  }),
);
const config = loadConfig((name) => context.get(name), process.env);

// Changes nothing where the account and region have been prepared before.
execFileSync('npx', ['cdk', 'bootstrap', ...forwarded], { cwd: ROOT, stdio: 'inherit' });
execFileSync(
  'npx',
  ['cdk', 'deploy', '--all', '--require-approval', 'broadening', '--outputs-file', OUTPUTS, ...forwarded],
  { cwd: ROOT, stdio: 'inherit' },
);

const outputs = Object.assign(
  {},
  ...Object.values(JSON.parse(readFileSync(OUTPUTS, 'utf8')) as Record<string, Record<string, string>>),
) as Record<string, string>;
const apiKey = process.env.MODEL_API_KEY;
if (apiKey !== undefined && apiKey !== '') {
  await new SecretsManagerClient({}).send(
    new PutSecretValueCommand({ SecretId: outputs.ModelApiKeySecretName, SecretString: apiKey }),
  );
}

const region = process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION ?? 'us-east-1';
const options = { connectionsMax: 1, timeoutSeconds: TIMEOUT_SECONDS };
const endpoint =
  config.model.provider === 'bedrock'
    ? connectBedrock({ ...options, region })
    : connectOpenAi({ ...options, baseUrl: config.model.baseUrl ?? '', apiKey });
const QUESTION = 'Answer with the word ready.';

async function ask(role: ModelRole, modelId: string): Promise<void> {
  if (role === 'embed') {
    await endpoint.embeddings(modelId).embed(['A sentence.']);
  } else if (role === 'respond') {
    await askInTurns(modelId);
  } else {
    const messages = [{ role: 'user' as const, content: QUESTION }];
    await endpoint.model(modelId).generate({ messages, maxOutputTokens: 8, temperature: 0 });
  }
}

/** As callers are answered: as a stream. */
async function askInTurns(modelId: string): Promise<void> {
  const request: TurnRequest = {
    instructions: null,
    items: [{ type: 'message', role: 'user', content: [{ type: 'text', text: QUESTION }] }],
    tools: [],
    providerTools: [],
    toolChoice: 'auto',
    parallelToolCalls: null,
    maxOutputTokens: 16,
    temperature: null,
    topP: null,
    format: { type: 'text' },
    reasoning: null,
    include: [],
    marks: { user: null, safetyIdentifier: null, cacheKey: null },
    cacheRetention: null,
  };
  const model = endpoint.answering(modelId, config.model.respondApi);
  for await (const part of model.answer(request, new AbortController().signal)) {
    if (part.type === 'end') return;
  }
}

const [, ...furtherModels] = config.model.hosted;
const checks = [
  ...MODEL_ROLES.map((role) => ({
    role,
    modelId: config.model.ids[role],
    setting: `MODEL_ID_${role.toUpperCase()}`,
  })),
  ...furtherModels.map(({ id }) => ({ role: 'respond' as const, modelId: id, setting: 'RESPOND_MODELS' })),
];
let refused = 0;
for (const { role, modelId, setting } of checks) {
  if (modelId === undefined) {
    console.log(`  ${role}: no model`);
    continue;
  }
  try {
    await ask(role, modelId);
    console.log(`  ${role}: ${modelId} answers`);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    refused += 1;
    console.error(`  ${role}: ${modelId} does not answer: ${error.message}`);
    console.error(
      config.model.provider === 'bedrock'
        ? `    Ask for access to it in the Bedrock console (Model access, region ${region}), or set ${setting} to a model that you have.`
        : `    Check MODEL_BASE_URL, MODEL_API_KEY and ${setting}.`,
    );
  }
}
await endpoint.close();
console.log(`\nThe API is at ${outputs.ApiUrl}`);
console.log(
  `Make a key:  TABLE_NAME=${outputs.TableName} npm run --silent admin -- key create --team NAME --credits 1000`,
);
if (refused > 0) process.exitCode = 1;
