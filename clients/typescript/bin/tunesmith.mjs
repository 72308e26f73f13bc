#!/usr/bin/env node
import { existsSync } from 'node:fs';

// In a checkout of the service: the published package holds its build.
const builder = new URL('../ensure-built.mjs', import.meta.url);
if (existsSync(builder)) await import(builder.href);
await import(new URL('../dist/esm/cli/main.js', import.meta.url).href);
