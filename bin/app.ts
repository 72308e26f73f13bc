import { App } from 'aws-cdk-lib';
import { addStacks } from '#infra/app.ts';
import { addChecks } from '#infra/checks.ts';
import { loadConfig } from '#infra/config.ts';

const app = new App();
const config = loadConfig((key) => app.node.tryGetContext(key), process.env);
addStacks(app, config);
// The rules are for AWS, and take most of the synthesis time; an emulator's differences would violate some.
if (config.emulated) process.env.CDK_VALIDATION = 'false';
else addChecks(app);
app.synth();
