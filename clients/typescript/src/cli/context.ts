import { createTunesmith, type TunesmithClient } from '../client.ts';
import { CommandFailed, EXIT, type Io } from './io.ts';
import { Progress } from './progress.ts';

export interface GlobalOptions {
  readonly baseUrl?: string;
  readonly json?: boolean;
}

/** What a command works with that needs no service. */
export interface LocalContext {
  readonly io: Io;
  readonly progress: Progress;
  /** Prints the result: the value as JSON with `--json`, or else the text. */
  print(value: unknown, text: string): void;
  readonly isJson: boolean;
}

/** What any other command works with. */
export interface Context extends LocalContext {
  readonly client: TunesmithClient;
  readonly baseUrl: string;
  readonly apiKey: string;
}

export function createLocalContext(io: Io, { json = false }: GlobalOptions): LocalContext {
  return {
    io,
    progress: new Progress(io),
    print: (value, text) => io.writeOut(`${json ? JSON.stringify(value, null, 2) : text}\n`),
    isJson: json,
  };
}

export function createContext(io: Io, options: GlobalOptions): Context {
  const { baseUrl: flag } = options;
  const { ADAPTION_BASE_URL, ADAPTION_API_KEY: apiKey } = io.env;
  const baseUrl = flag ?? ADAPTION_BASE_URL;
  if (!baseUrl || !URL.canParse(baseUrl))
    throw new CommandFailed(
      EXIT.usage,
      'base_url_missing',
      'Say where the service is: set ADAPTION_BASE_URL, or give --base-url, as https://HOST/STAGE.',
    );
  if (!apiKey)
    throw new CommandFailed(
      EXIT.usage,
      'api_key_missing',
      'Set ADAPTION_API_KEY to your API key. There is no option for it: other users of a machine see those.',
    );
  return {
    ...createLocalContext(io, options),
    baseUrl,
    apiKey,
    client: createTunesmith({ baseUrl, apiKey, fetch: (request: Request) => io.fetch(request) }),
  };
}
