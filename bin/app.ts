import { App } from 'aws-cdk-lib';
import { addStacks } from '#infra/app.ts';
import { addChecks } from '#infra/checks.ts';
import { loadConfig } from '#infra/config.ts';

const app = new App();
addStacks(
  app,
  loadConfig((key) => app.node.tryGetContext(key), process.env),
);
addChecks(app);
app.synth();
