// `npm run doctor`: reports what this machine lacks for `npm run demo` and `npm run local`, and how to get it. Plain
// JavaScript without dependencies: it runs before they are installed. Exits with 1 if something must be fixed. APIs
// that an unsupported old Node lacks are not imported by name: the doctor must start there to say so.
import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import { createServer } from 'node:net';
import * as os from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { isNewEnough, oldestPython, pythonAdvice, pythonCandidates } from '../local/python-version.mjs';
import { renderFindings } from './findings.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);
const gigabyte = 1e9;

/** Gigabytes: the default model takes 2.3, the trainer 2, the emulator with its functions 2. */
const memory = { needed: 4, comfortable: 8 };
/** Gigabytes: packages 1.2, Python packages 0.4, model 1.2, builds and datasets the rest. */
const disk = { needed: 4 };
const commandMs = 30_000;

/** @typedef {import('./findings.d.mts').Finding} Finding */

/** @returns {Finding} */
export function checkNode(version) {
  const major = Number(version.split('.')[0]);
  return major >= 20
    ? { state: 'ok', name: 'Node', found: version }
    : {
        state: 'missing',
        name: 'Node',
        found: version,
        advice: 'Install Node 20 or newer: https://nodejs.org, or `nvm install 22`.',
      };
}

/** @returns {Finding} */
export function checkPlatform(platform, architecture) {
  const name = 'Platform';
  const found = `${platform}-${architecture}`;
  if (found === 'linux-x64') return { state: 'ok', name, found };
  if (platform === 'win32') {
    return {
      state: 'missing',
      name,
      found,
      advice: 'Run it inside WSL 2 (`wsl --install`): the emulator runs the functions as Linux processes.',
    };
  }
  const runs = ['linux-arm64', 'darwin-arm64', 'darwin-x64'].includes(found);
  return {
    state: 'note',
    name,
    found,
    advice: runs
      ? 'Its packages exist for this platform; only linux-x64 is tested.'
      : 'There is no local model for it: set MODEL_BASE_URL to a model that is served elsewhere.',
  };
}

/** @returns {Finding} */
export function checkMemory(bytes) {
  const size = bytes / gigabyte;
  const found = `${size.toFixed(1)} GB`;
  if (size >= memory.comfortable) return { state: 'ok', name: 'Memory', found };
  const small = 'Set LOCAL_MODEL=smollm2-135m, or MODEL_BASE_URL to a model that is served elsewhere';
  return size >= memory.needed
    ? { state: 'note', name: 'Memory', found, advice: `Tight for the default model (2.3 GB). ${small}.` }
    : {
        state: 'missing',
        name: 'Memory',
        found,
        advice: `The default model needs ${memory.needed} GB. ${small}.`,
      };
}

/** @returns {Finding} */
export function checkDisk(bytes) {
  const size = bytes / gigabyte;
  const found = `${size.toFixed(1)} GB free`;
  return size >= disk.needed
    ? { state: 'ok', name: 'Disk', found }
    : { state: 'missing', name: 'Disk', found, advice: `Free ${disk.needed} GB in ${root}.` };
}

async function outputOf(command, args) {
  try {
    const { stdout, stderr } = await run(command, args, { timeout: commandMs });
    return { ok: true, text: (stdout || stderr).trim() };
  } catch (error) {
    return {
      ok: false,
      text:
        String(error.stderr || error.message)
          .trim()
          .split('\n')
          .slice(-1)[0] ?? '',
    };
  }
}

async function findPython() {
  const chosen = process.env.TUNESMITH_PYTHON;
  for (const candidate of chosen ? [chosen] : pythonCandidates) {
    const { ok, text } = await outputOf(candidate, ['--version']);
    if (ok && isNewEnough(text)) return { command: candidate, version: text };
  }
  return null;
}

/** @returns {Promise<Finding[]>} */
async function checkPython() {
  const python = await findPython();
  if (python === null) {
    return [{ state: 'missing', name: 'Python', found: `no ${oldestPython} or newer`, advice: pythonAdvice }];
  }
  const venv = await outputOf(python.command, ['-c', 'import venv, ensurepip']);
  const found = { state: 'ok', name: 'Python', found: python.version };
  if (!venv.ok) {
    return [
      { ...found, state: 'missing', advice: 'Its venv is missing: `sudo apt-get install python3-venv`.' },
    ];
  }
  return [found, await checkPackageIndex(python.command)];
}

/** @returns {Promise<Finding>} */
async function checkPackageIndex(python) {
  const name = 'PyPI';
  if (fs.existsSync(new URL('../.local/venv', import.meta.url)))
    return { state: 'ok', name, found: 'installed already' };
  const [requirement = 'pip'] = fs
    .readFileSync(new URL('../local/requirements.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => /^[a-z]/.test(line));
  const args = ['-m', 'pip', 'install', '--dry-run', '--no-deps', '--ignore-installed', '--quiet'];
  const answer = await outputOf(python, [
    ...args,
    ...['--disable-pip-version-check', '--break-system-packages', '--retries', '0'],
    requirement,
  ]);
  return answer.ok
    ? { state: 'ok', name, found: 'answers' }
    : {
        state: 'missing',
        name,
        found: `does not give ${requirement}: ${answer.text}`,
        advice: 'Check the network, or set an index: `pip config set global.index-url URL`.',
      };
}

/** @returns {Promise<Finding>} */
async function checkRegistry() {
  const name = 'npm';
  if (fs.existsSync(new URL('../node_modules/.package-lock.json', import.meta.url))) {
    return { state: 'ok', name, found: 'installed already' };
  }
  const answer = await outputOf('npm', ['view', 'tsx', 'version', '--fetch-retries=0']);
  return answer.ok
    ? { state: 'ok', name, found: 'answers' }
    : {
        state: 'missing',
        name,
        found: 'the registry does not answer',
        advice: 'Check the network, or set a registry: `npm config set registry URL`.',
      };
}

/** @returns {Promise<Finding>} */
async function checkPort(name, variable, usual) {
  const set = process.env[variable];
  const port = Number(set || usual);
  const isFree = await new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
  if (isFree) return { state: 'ok', name, found: `${port} is free` };
  return set
    ? { state: 'missing', name, found: `${port} is taken`, advice: `Unset ${variable}, or name a free port.` }
    : {
        state: 'note',
        name,
        found: `${port} is taken`,
        advice: `A free one is used; ${variable} sets another.`,
      };
}

/**
 * Whether the model id is set and in the endpoint's list; not every endpoint has a list.
 * @returns {Finding}
 */
export function checkModelId(id, listed, found) {
  const name = 'Model';
  const some = listed.length === 0 ? '' : ` It lists ${listed.slice(0, 5).join(', ')}.`;
  if (!id) return { state: 'missing', name, found, advice: `MODEL_BASE_URL needs MODEL_ID.${some}` };
  return listed.length === 0 || listed.includes(id)
    ? { state: 'ok', name, found }
    : { state: 'note', name, found, advice: `It does not list MODEL_ID=${id}.${some}` };
}

/** @returns {Promise<Finding[]>} */
async function checkModel() {
  const url = process.env.MODEL_BASE_URL;
  if (!url) {
    const stray = ['MODEL_API_KEY', 'MODEL_ID', 'MODEL_URL', 'OPENAI_MODEL'].filter(
      (name) => process.env[name],
    );
    if (stray.length === 0) return [];
    return [
      {
        state: 'note',
        name: 'Model',
        found: `${stray.join(', ')} set without MODEL_BASE_URL`,
        advice: 'The local model is used. MODEL_BASE_URL names another endpoint.',
      },
    ];
  }
  const key = process.env.MODEL_API_KEY;
  const name = 'Model';
  const advice =
    'Check MODEL_BASE_URL (it ends in /v1) and MODEL_API_KEY, or unset both to use a local model.';
  try {
    const response = await fetch(`${url.replace(/\/+$/, '')}/models`, {
      headers: key ? { authorization: `Bearer ${key}` } : {},
      signal: AbortSignal.timeout(10_000),
    });
    const refuses = response.status === 401 || response.status === 403 || response.status >= 500;
    const found = `${url} answers with ${response.status}`;
    if (refuses) return [{ state: 'missing', name, found, advice }];
    const listed = await response.json().then(
      ({ data }) => data.map(({ id }) => id),
      () => [],
    );
    return [checkModelId(process.env.MODEL_ID, listed, found)];
  } catch {
    return [{ state: 'missing', name, found: `${url} does not answer`, advice }];
  }
}

async function examine() {
  const node = checkNode(process.versions.node);
  if (node.state === 'missing') return [node];
  const { bavail, bsize } = await fs.promises.statfs(root);
  const cores = os.availableParallelism();
  return [
    node,
    checkPlatform(process.platform, process.arch),
    cores > 1
      ? { state: 'ok', name: 'Processor', found: `${cores} cores` }
      : {
          state: 'note',
          name: 'Processor',
          found: '1 core',
          advice: 'Everything runs, at half the speed of two.',
        },
    checkMemory(os.totalmem()),
    checkDisk(bavail * bsize),
    await checkRegistry(),
    ...(await checkPython()),
    await checkPort('API port', 'TUNESMITH_PORT', 4580),
    await checkPort('Emulator port', 'TUNESMITH_EMULATOR_PORT', 4566),
    await checkPort('Model port', 'TUNESMITH_MODEL_PORT', 11_435),
    ...(await checkModel()),
  ];
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const findings = await examine();
  process.stdout.write(renderFindings(findings));
  const missing = findings.filter(({ state }) => state === 'missing').length;
  console.log(missing === 0 ? '\nReady: npm run demo' : `\n${missing} to mend before npm run demo works.`);
  process.exitCode = missing === 0 ? 0 : 1;
}
