import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { DOWNLOAD_FORMATS } from '../download.ts';
import { adapt, type MappingOptions } from './adapt.ts';
import { check } from './check.ts';
import {
  answer,
  downloadFile,
  estimate,
  listDatasets,
  listModels,
  printEvents,
  showEvaluation,
  showStatus,
  train,
  uploadFiles,
  waitForEnd,
} from './commands.ts';
import { completionScript, SHELLS } from './completion.ts';
import { type Context, createContext, createLocalContext, type GlobalOptions } from './context.ts';
import { CommandFailed, EXIT, type Io } from './io.ts';
import { review } from './review.ts';

const HELP = `
Environment:
  ADAPTION_BASE_URL  address of the service with its stage, as https://HOST/STAGE
  ADAPTION_API_KEY   your API key
  XDG_STATE_HOME     where unfinished uploads are remembered (default: ~/.local/state)

Exit codes:
  0 done              3 not allowed           6 waited too long
  1 failed            4 too few credits       7 the service does not answer
  2 wrong usage       5 the work failed       130 interrupted: repeat the command to go on`;

/** The commands. They throw what `runCli` makes an exit code of. */
export function createProgram(io: Io): Command {
  const program = new Command('tunesmith')
    .description('Adapts datasets, trains models on them, and asks models.')
    .option('--base-url <url>', 'address of the service, instead of ADAPTION_BASE_URL')
    .option('--json', 'print one JSON document on standard output, and nothing else there')
    .addHelpText('after', HELP)
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.writeOut(text), writeErr: (text) => io.writeError(text) });

  const contextOf: ContextOf = (command) => createContext(io, command.optsWithGlobals<GlobalOptions>());

  addUploads(program, contextOf);
  addCheck(program, io);
  addReview(program, contextOf);
  addFollowing(program, contextOf);
  addReports(program, contextOf);
  addModels(program, contextOf);

  program
    .command('mcp')
    .description('serve the tools of the service to an agent, over standard input and output')
    // The packages of the protocol are loaded by this command alone.
    .action(async (_, command) => (await import('./mcp.ts')).serveMcp(contextOf(command)));

  program
    .command('completion')
    .description('print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .action((shell) => io.writeOut(completionScript(program, shell)));

  return program;
}

const CHECK_HELP = `
Reads .csv, .tsv, .json, .jsonl and .ndjson. Quote column names that have spaces. Without columns it takes those of a
form that it knows, or names the columns of the file and which may be meant.
With --json it prints one JSON document on standard output, whose fields docs/clients.md describes.

Exit codes:
  0 checked, whatever it finds      2 wrong usage, or no such column
  1 a file cannot be read           130 interrupted

Example:
  tunesmith check rows.csv --prompt question --completion answer`;

type ContextOf = (command: Command) => Context;

/** Commands that bring files in. */
function addUploads(program: Command, contextOf: ContextOf): void {
  withMapping(
    program
      .command('adapt')
      .description('upload files, adapt their rows, wait, and download the result')
      .argument('[file...]', 'a table, or several with the same columns')
      .usage(FILES_FIRST),
  )
    .option('--name <name>', 'name of the dataset')
    .option('--max-credits <credits>', 'start nothing that could cost more', numberFrom(0))
    .addOption(unreadableOption())
    .option('--redact-personal-data', REDACTS)
    .option('-o, --output <path>', 'where to save the result (default: FILE.adapted.FORMAT)')
    .addOption(formatOption())
    .addOption(timeoutOption())
    .option('--new', 'upload and adapt again what an earlier command has done')
    .action((files, options, command) => {
      requireFiles(files, options);
      return adapt(contextOf(command), files, options);
    });

  program
    .command('upload')
    .description('make a dataset of files, and wait until its rows are read')
    .argument('<file...>', 'tables with the same columns, or documents')
    .option('--name <name>', 'name of the dataset')
    .option('--raw', 'make it trainable as it is; needs --prompt and --completion, or --chat')
    .option('--prompt <column>', 'column with the prompts of raw rows')
    .option('--completion <column>', 'column with the completions of raw rows')
    .option('--chat <column>', 'column with the conversations of raw rows')
    .addOption(unreadableOption())
    .option('--redact-personal-data', REDACTS)
    .addOption(timeoutOption())
    .option('--new', 'upload again what an earlier command has uploaded')
    .action((files, options, command) => uploadFiles(contextOf(command), files, options));
}

/** The command that says what is wrong with rows, and adapts nothing. */
function addReview(program: Command, contextOf: ContextOf): void {
  withColumns(
    program
      .command('review')
      .description(
        'upload files, have code run and rows checked and compared, and show the doubted ones; costs no credits',
      )
      .argument('[file...]', 'a table, or several with the same columns')
      .usage(FILES_FIRST),
  )
    .option('--dataset <id>', 'a dataset that is there, instead of files')
    .option('--name <name>', 'name of the dataset')
    .addOption(unreadableOption())
    .option('--redact-personal-data', REDACTS)
    .addOption(timeoutOption())
    .option('--new', 'upload again what an earlier command has uploaded')
    .action((files, options, command) => {
      if (options.dataset === undefined) requireFiles(files, options);
      else if (files.length > 0)
        throw new CommandFailed(EXIT.usage, 'usage', 'Name files or --dataset, not both.');
      return review(contextOf(command), files, options);
    });
}

const REDACTS = 'replace email addresses, phone numbers and the like by placeholders';

const unreadableOption = (): Option =>
  new Option(
    '--max-unreadable <share>',
    'leave out rows that cannot be read, up to this share of them',
  ).argParser(numberFrom(0));

/** The command that needs no service. */
function addCheck(program: Command, io: Io): void {
  withColumns(
    program
      .command('check')
      .description(
        'show which rows adapting would change without a model, and which have a defect; needs no service and no key',
      )
      .argument('[file...]', 'a table, or several with the same columns')
      .usage(FILES_FIRST),
  )
    .option('--all', 'show all touched rows, instead of 20')
    .addHelpText('after', CHECK_HELP)
    .action((files, options, command: Command) => {
      requireFiles(files, options);
      return check(createLocalContext(io, command.optsWithGlobals<GlobalOptions>()), files, options);
    });
}

/** Commands that follow a dataset or a training. */
function addFollowing(program: Command, contextOf: ContextOf): void {
  program
    .command('status')
    .description('show the status of a dataset')
    .argument('<id>', 'id of the dataset')
    .option('--training', 'the id is that of a training')
    .action((id, options, command) => showStatus(contextOf(command), id, options));

  program
    .command('wait')
    .description('wait until no run is active on a dataset')
    .argument('<id>', 'id of the dataset')
    .option('--training', 'the id is that of a training')
    .addOption(timeoutOption())
    .action((id, options, command) => waitForEnd(contextOf(command), id, options));

  program
    .command('download')
    .description('download rows, or a model; goes on where an earlier command was interrupted')
    .argument('<id>', 'id of the dataset')
    .option('--training', 'the id is that of a training: download its model')
    .option('-o, --output <path>', 'where to save the file (default: ID.FORMAT)')
    .addOption(formatOption())
    .option('--dataset-version <number>', 'version of the dataset (default: the current one)', wholeFrom(1))
    .option('--run <id>', 'run whose rows are wanted, instead of a version')
    .action((id, options, command) => downloadFile(contextOf(command), id, options));
}

/** Commands that show what there is, and what it costs. */
function addReports(program: Command, contextOf: ContextOf): void {
  program
    .command('evaluate')
    .description('show the grades of a dataset, when its latest run has been evaluated')
    .argument('<id>', 'id of the dataset')
    .addOption(timeoutOption())
    .action((id, options, command) => showEvaluation(contextOf(command), id, options));

  withMapping(
    program
      .command('estimate')
      .description('show what an adaptation would cost, and start nothing')
      .argument('<id>', 'id of the dataset'),
  ).action((id, options, command) => estimate(contextOf(command), id, options));

  program
    .command('datasets')
    .description('list datasets, the newest first')
    .option('--limit <number>', 'how many, 1 to 100 (default: 20)', wholeFrom(1))
    .option('--search <text>', 'those whose name or description has this text')
    .action((options, command) => listDatasets(contextOf(command), options));

  program
    .command('events')
    .description(
      'print events of the team as they come, until it is interrupted; with --json one document a line',
    )
    .option('--after <position>', 'begin after this position: 0 for all of the last 30 days', wholeFrom(0))
    .option('--dataset <id>', 'only those of a dataset')
    .action((options, command) => printEvents(contextOf(command), options));
}

/** Commands that ask or train models. */
function addModels(program: Command, contextOf: ContextOf): void {
  program
    .command('models')
    .description('list the models that answer: hosted ones, and stacks and trained models of the team')
    .option('--hosted', 'hosted models alone')
    .action((options, command) => listModels(contextOf(command), options));

  program
    .command('answer')
    .description('ask a model, and print its answer as it comes')
    .argument('<model>', 'id of the model (`tunesmith models` lists them)')
    .argument('[question...]', 'the question (default: standard input)')
    .option('--instructions <text>', 'what the model is to be told first')
    .option('--dataset <id...>', 'datasets to search for the answer')
    .option('--max-output-tokens <number>', 'the most tokens of the answer', wholeFrom(1))
    .option('--temperature <number>', 'sampling temperature', numberFrom(0))
    .action((model, words, options, command) => answer(contextOf(command), model, words, options));

  program
    .command('train')
    .description('train a model on a dataset, and wait')
    .argument('<id>', 'id of the dataset')
    .option('--model <id>', 'base model (default: one that suits the dataset)')
    .option('--max-iterations <number>', 'the most iterations, 1 to 10', wholeFrom(1))
    .option('--target-win-rate <share>', 'win rate at which the training ends', numberFrom(0))
    .option('--domain-rows <number>', 'rows on the topics of the dataset that a model adds', wholeFrom(0))
    .option('--general-rows <number>', 'rows on topics of all kinds that a model adds', wholeFrom(0))
    .option('-o, --output <path>', 'where to save the model')
    .addOption(timeoutOption())
    .option('--no-wait', 'start the training and end')
    .action((id, options, command) => train(contextOf(command), id, options));
}

/** Files are named first: an option that takes several columns would take them, too. */
const FILES_FIRST = '<file...> [options]';

/** @throws {CommandFailed} if there is no file, which the library of commands cannot explain */
function requireFiles(files: readonly string[], { context }: MappingOptions): void {
  if (files.length > 0) return;
  throw new CommandFailed(
    EXIT.usage,
    'usage',
    context === undefined
      ? 'Name at least one file.'
      : 'There is no file: name the files before --context, or put -- between them.',
  );
}

function withColumns(command: Command): Command {
  return command
    .option('--prompt <column>', 'column with the prompts')
    .option('--completion <column>', 'column with the completions (answers)')
    .option('--chat <column>', 'column with conversations, instead of prompts and completions')
    .option('--context <column...>', 'columns that the model sees beside the prompt');
}

function withMapping(command: Command): Command {
  return withColumns(command)
    .option('--image <column>', 'column with images')
    .option('--max-rows <number>', 'the most rows to adapt', wholeFrom(1))
    .addOption(
      new Option('--length <length>', 'length of the answers').choices([
        'minimal',
        'concise',
        'detailed',
        'extensive',
      ]),
    )
    .option('--settings <path>', 'file with further fields of the request, as JSON');
}

const formatOption = () =>
  new Option('--format <format>', 'format of the rows (default: csv)').choices(DOWNLOAD_FORMATS);

const timeoutOption = () =>
  new Option('--timeout <seconds>', 'how long to wait for a step; the work goes on').argParser(numberFrom(0));

function numberFrom(minimum: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (text.trim() === '' || !(number >= minimum))
      throw new InvalidArgumentError(`Give a number from ${minimum}.`);
    return number;
  };
}

function wholeFrom(minimum: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!Number.isSafeInteger(number) || number < minimum)
      throw new InvalidArgumentError(`Give a whole number from ${minimum}.`);
    return number;
  };
}
