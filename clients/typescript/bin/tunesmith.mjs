#!/usr/bin/env node
import { existsSync } from 'node:fs';

const main = new URL('../dist/esm/cli/main.js', import.meta.url);
if (existsSync(main)) await import(main.href);
else {
  // In a checkout of the service: the published package holds its build.
  console.error('The command line is not built yet. Run "npm run build" in the root of the checkout.');
  process.exitCode = 1;
}
