import { measureExpansion } from './expansion.ts';

/** `node expansion-process.ts <rows>`: writes what the expansion of as many rows takes, as JSON. */
process.stdout.write(JSON.stringify(await measureExpansion(Number(process.argv[2]))));
