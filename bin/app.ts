import { App } from 'aws-cdk-lib';
import { DISABLE_CREATION_STACK_TRACES } from 'aws-cdk-lib/cx-api';
import { addStacks } from '#infra/app.ts';
import { addChecks } from '#infra/checks.ts';
import { loadConfig } from '#infra/config.ts';

const app = new App();
const config = loadConfig((key) => app.node.tryGetContext(key), process.env);
// The CDK command reads the stack traces of constructs again for every event of a deployment: on an emulator, that takes a
// third of its time.
if (config.emulated) app.node.setContext(DISABLE_CREATION_STACK_TRACES, true);
addStacks(app, config);
// The rules are for AWS, and take most of the synthesis time; an emulator's differences would violate some.
if (config.emulated) process.env.CDK_VALIDATION = 'false';
else addChecks(app);
app.synth();
