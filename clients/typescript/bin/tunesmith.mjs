#!/usr/bin/env node
import { existsSync } from 'node:fs';

const main = new URL('../dist/esm/cli/main.js', import.meta.url);
if (!existsSync(main)) {
  // In a checkout of the service: the published package holds its build.
  console.error('Building the command line, which is done once and takes some seconds …');
  await import(new URL('../build.mjs', import.meta.url).href);
}
await import(main.href);
