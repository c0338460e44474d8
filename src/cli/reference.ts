// docs/cli.md, made from the definitions the program itself runs on. A test compares the two.
import type { Command, Option } from 'commander';
import { type SettingKind, settingDefinitions, settingNames } from '../config/settings.ts';
import { errorMessages } from '../model/error-codes.ts';
import { commandNames, commandTable } from './command-table.ts';
import { exitCodes, exitStatus } from './exit-codes.ts';
import { errorShape, jsonShapes, overviewShape, sharedShapes } from './json-shapes.ts';
import { en } from './messages/en.ts';
import { createProgram } from './program.ts';

const { help } = en;

export async function renderReference(): Promise<string> {
  const { root, define } = createProgram({ text: en });
  const sections: string[] = [];
  let group: string | undefined;
  for (const name of commandNames) {
    const { command } = await define(name);
    const heading = help.groups[commandTable[name].group];
    if (heading !== group) sections.push(`## ${heading.replace(/:$/, '')}`);
    group = heading;
    sections.push(renderCommand(command, help.commands[name].examples, jsonShapes[name]));
  }
  const globals = root.options.map(optionRow);
  return `${[head, table(['option', 'means'], globals), general, ...sections, machine, exitTable(), settingsTable(), exports].join('\n\n')}\n`;
}

function renderCommand(command: Command, examples: typeof help.examples, shape: string): string {
  const usage = command.usage().replace('[options]', command.options.length > 0 ? '[options]' : '');
  const rows = [
    ...command.registeredArguments.map((argument) => [
      `\`${argument.required ? `<${argument.name()}>` : `[${argument.name()}]`}\``,
      argument.description,
    ]),
    ...command.options.map(optionRow),
  ];
  return [
    `### continuo ${command.name()}`,
    codeBlock('', `continuo ${command.name()} ${usage}`.replace(/\s+/g, ' ').trim()),
    command.description(),
    ...(rows.length > 0 ? [table(['', 'means'], rows)] : []),
    codeBlock('sh', examples.map(({ command: line, means }) => `${line}   # ${means}`).join('\n')),
    `With \`--json\`:\n\n${codeBlock('ts', shape)}`,
  ].join('\n\n');
}

function optionRow(option: Option): string[] {
  return [`\`${option.flags}\``, option.description];
}

function exitTable(): string {
  const meanings: [number, string][] = [
    [exitStatus.ok, 'Done.'],
    [exitStatus.failed, 'Something failed inside, or `doctor` found problems that remain.'],
    [exitStatus.usage, 'The command line, a value or a setting is wrong.'],
    [exitStatus.notFound, 'What was named is not there, or the name fits several.'],
    [exitStatus.refused, 'Understood, but refused: locked, not in the trash, has forks, no or a wrong key, not confirmed, …'],
    [exitStatus.medium, 'The disk, the permissions or the files themselves are the trouble.'],
    [exitStatus.unavailable, 'The model cannot be reached or does not answer as it should; later it may.'],
    [
      exitStatus.unfinished,
      'The work of `code` came to an end without being done: the project’s own checks still fail, or a review asked for more.',
    ],
    [exitStatus.hungUp, 'The terminal went away (SIGHUP).'],
    [exitStatus.interrupted, 'Interrupted (Ctrl-C).'],
    [exitStatus.terminated, 'Ended from outside (SIGTERM).'],
  ];
  const codesOf = (status: number) =>
    (Object.keys(errorMessages) as (keyof typeof errorMessages)[])
      .filter((code) => exitCodes[code] === status)
      .map((code) => `\`${code}\``)
      .join(' ');
  const rows = meanings.map(([status, meaning]) => [String(status), meaning, codesOf(status)]);
  return `## Exit codes\n\n${table(['code', 'means', 'error codes'], rows)}`;
}

function settingsTable(): string {
  const rows = settingNames.map((name) => {
    const { type, fallback, variable } = settingDefinitions[name];
    return [`\`${name}\``, describeKind(type), String(fallback ?? ''), `\`${variable}\``, settingMeanings[name]];
  });
  return `## Settings\n\n${settingsText}\n\n${table(['setting', 'values', 'default', 'environment', 'means'], rows)}`;
}

function describeKind(type: SettingKind): string {
  if (type.kind === 'choice') return type.choices.join(', ');
  if (type.kind === 'integer' || type.kind === 'number') return `${type.min} to ${type.max}`;
  return { boolean: 'true, false', path: 'a path', text: 'a text', url: 'an address', list: 'a list of texts' }[type.kind];
}

const settingMeanings: Readonly<Record<(typeof settingNames)[number], string>> = {
  'store.driver': 'How a new store is kept. An existing store stays as it is; a choice that does not fit it is an error.',
  'store.key_file': 'The key file of an encrypted store. The flag is `--key-file`.',
  'store.redact': 'Mask secrets before anything is written.',
  'trash.grace_days': 'How long the trash keeps a conversation.',
  'model.name':
    'Who answers in `chat`: `provider:model`. Without it answers come offline, from what is stored. The flag is `--model`. Keys come from the usual variables (`ANTHROPIC_API_KEY`, …) and are never stored.',
  'model.base_url': "Another address than the provider's own. The flag is `--base-url`.",
  'chat.instructions': 'Standing instructions for the model.',
  'chat.max_items': 'How many entries of the past a model is shown at most.',
  'chat.max_tokens': 'How many tokens of the past a model is shown at most.',
  'approvals.mode':
    'What happens where no rule answers: a person is asked (default in a terminal) or it is denied (default elsewhere).',
  'approvals.allow': 'What tools may do without being asked: beginnings of commands, as `git status`. The flag is `--allow`.',
  'approvals.deny': 'What tools may never do; wins over everything that allows. The flag is `--deny`.',
  'exec.sandbox': 'Commands run in a sandbox where there is one (`auto`), or without (`off`): then each one is asked about.',
  'exec.network': 'Commands may use the network. The flag is `--network`.',
  'exec.timeout_seconds': 'How long a command may take.',
  'mcp.config': 'The file that names MCP servers, in the format Claude Code and others share. The flag is `--mcp-config`.',
  'recall.enabled':
    'Whether `chat` quotes earlier conversations to the model where what is said points at them. The flag is `--no-recall`.',
  'recall.token_budget': 'How many tokens of earlier conversations go before one message at most.',
  'recall.private_projects':
    'Projects whose conversations are shown in themselves only: keys, folders or names. `continuo projects private` edits it.',
  'projects.marker':
    'Whether a folder without git gets a file `.continuo-project` with its first conversation, by which it is found again when it is moved or renamed.',
  'embedder.kind':
    'What finds by meaning beside the words: the model that comes with Continuo (`static`, the default where it is there), a server (`openai-compatible`), a model in a local folder (`onnx`), or nothing (`none`). `continuo embedder use` sets it with all that belongs to it.',
  'embedder.model':
    'With `openai-compatible`: the name the server knows the model by. With `onnx`: its file, where the folder holds several.',
  'embedder.base_url': 'With `openai-compatible`: the address with the version, as `http://127.0.0.1:11434/v1`.',
  'embedder.key_env': 'The name of the environment variable that holds the key. The key itself is never stored.',
  'embedder.dimension': 'With `openai-compatible`: numbers in a vector. Without it the server is asked each time.',
  'embedder.folder': 'With `onnx`: the folder with the model, `tokenizer.json` and `config.json`.',
  'embedder.pooling': 'With `onnx`: how token vectors become one, where the folder does not say.',
  'embedder.query_prefix': 'Put before a question, where the model was trained so; `none` for nothing. E5 models are recognised.',
  'embedder.passage_prefix': 'The same for what is searched.',
  'conversation.db_path': `Accepted, without effect: the store is in the home (\`--home\`, \`CONTINUO_HOME\`).`,
  'conversation.auto_save_interval': 'Accepted, without effect: every word is saved at once.',
  'conversation.max_conversations': 'So many of the newest stay when `continuo cleanup` is run; 0: no limit.',
  'conversation.auto_summary_threshold':
    'After so many new messages `chat` writes a summary into the conversation, in the background; also at the end of a talk. 0: never.',
  'conversation.summary.by':
    "Who writes it: the conversation's own sentences are taken (`local`), or the model of the chat writes it (`model`; where it fails, `local`).",
  'conversation.semantic_search.embedding_dimension':
    "How many dimensions the embedder's vectors are expected to have. Where it makes others, those are used and you are told.",
  'conversation.semantic_search.similarity_threshold':
    'Of the conversations that were found, `chat` quotes those at least so near to the best.',
  'conversation.semantic_search.max_results': 'From so many conversations `chat` quotes at most.',
  'conversation.topics.auto_extract':
    'Whether a conversation is given topics with each summary. `show` names them, `search --tag` finds by them.',
  'conversation.topics.max_topics': 'How many topics a conversation has at most.',
  'conversation.cleanup.enable':
    'Tells you at a terminal, at most once a day, how many conversations a cleanup would put into the trash. Nothing goes by itself: `continuo cleanup` shows which, and does it.',
  'conversation.cleanup.strategy':
    'What `continuo cleanup` puts into the trash: what was not used for long (`old`), or what stands in a newer conversation or relates to nothing (`similarity`).',
  'conversation.cleanup.retention_days': 'What was used within so many days stays.',
  'conversation.cleanup.min_similarity': 'With `similarity`: what is less like any other conversation relates to nothing.',
  'notify.bell': 'Ring the terminal when a long turn ends or a question waits.',
  'notify.desktop': 'Show it on the desktop too.',
  'notify.webhook': 'Tell this address too.',
  'notify.after_seconds': 'How long a turn must have taken to be worth it.',
  'cli.language': 'Language of messages; the locale decides where it is not set. The flag is `--lang`.',
  'cli.color': 'Colours. The flags are `--color` and `--no-color`; `NO_COLOR` and `FORCE_COLOR` count too.',
};

const head = `<!-- Made from src/cli by "npm run docs". Do not edit. -->
# The command line

\`\`\`
continuo [options] [command]
\`\`\`

Without a command it opens the [terminal application](repl.md) at a terminal; elsewhere it shows what is stored and what to do next.
Where text comes on standard input it answers that instead, as \`continuo chat -p\` does. \`continuo help COMMAND\` explains one command with examples. Messages are English or Chinese.

## Options every command has`;

const general = `**Naming a conversation.** The beginning of its id is enough as long as no other id begins the same (\`cnv_\` may be left out); its
key works too, and \`latest\` is the one that was active last. Tables show ids as short as they can be; \`--full-ids\` and \`--json\`
show them whole. Where an entry is meant, its position (\`12\`) or its id (\`ent_…\`) will do.

**Moments and spans.** \`7d\`, \`12h\`, \`30m\`, \`45s\`, \`2w\`, \`1y\` count back from now; \`2026-01-31\` and \`2026-01-31T14:00\` are in your time zone.

**Streams.** Results go to standard output; notes, questions, progress and errors go to standard error. A progress bar appears only
in a terminal and only for work longer than a second. A reader that closes the pipe early (\`| head\`) is no error.

**Where a conversation belongs.** \`chat\` gives a new conversation the folder it was begun in as its project (\`--project\` names another);
\`--continue\` and \`--resume\` without an id go on with the newest of that folder.

**Permission.** Reading the project's files is free. Everything else a model wants to do needs permission: a rule (\`--allow\`, \`--deny\`,
\`approvals.allow\`, \`approvals.deny\`), an answer that was remembered (\`continuo approvals\`), or a person. A rule is the beginning of a
command, word by word: \`git status\` allows \`git status -s\` but not \`git push\`, and nothing that is chained, substituted or redirected.
Files are \`write_file src\`, MCP tools \`mcp SERVER TOOL\`. Where no sandbox works a person is asked about every command.

**Encrypted stores.** The passphrase comes from \`CONTINUO_PASSPHRASE\` or, in a terminal, is asked for without being shown; a key file
comes from \`--key-file\`, \`CONTINUO_KEY_FILE\` or the setting \`store.key_file\`. A store that is made while a key is given is encrypted
from its first byte.

**Sweeping.** After \`append\`, \`chat\`, \`trash\` and \`purge\`, what is due goes: conversations that stayed in the trash past the date they were
announced with, and text under a \`ttl\` policy whose time is up. One line says so when something went.

**Damage.** A command that meets a damaged part goes on with what is intact and warns on standard error (with \`--json\` as a line
\`{ "problem": … }\`); \`continuo doctor\` looks at everything.

**Trouble.** \`CONTINUO_DEBUG=1\` adds to an error where in the program it happened.`;

const machine = `## JSON

\`--json\` prints one JSON object to standard output: in one line, or indented in a terminal. Without a command:

${codeBlock('ts', overviewShape)}

Shared parts:

${codeBlock('ts', sharedShapes)}

An error is one line of JSON on standard error, with nothing on standard output and the exit code of the table below (a turn of
\`chat\` that failed reports it in its own object instead, beside what had been said). \`message\` is
for people and in their language; decide by \`code\` ([errors.md](errors.md) lists them) and \`details\`:

${codeBlock('ts', errorShape)}`;

const settingsText = `\`conversation.toml\` in the home holds the settings. A flag wins over the environment, that over the file, that over the default;
\`continuo config\` shows each value with its origin. A mistake in the file is an error with its line, never ignored.

\`\`\`toml
[store]
redact = true

[trash]
grace_days = 30
\`\`\``;

const exports = `## Export formats

- **json**: one object \`{ format: "continuo-conversation", version: 1, exportedAt, conversation, entries }\`, the entries one to a line.
- **jsonl**: the first line is \`{ format, version, exportedAt, conversation }\`, then every line is one entry.
- **md**: a page to read. Tool calls and results are fenced.
- **html**: one page that needs nothing else and runs nothing: everything that was said is text, and the page forbids the browser to load
  or run anything (Content-Security-Policy). What tools said is folded away.
- **openai**: \`{ "messages": [ … ] }\` as chat completions take them; thinking, labels, events and summaries are left out.
- **snapshot**: a team's session snapshot ([formats/session-snapshot.md](formats/session-snapshot.md)); what tools said is left out.
- **claude-code**, **codex**, … : the agent's own session file ([import.md](import.md), [formats/transcripts.md](formats/transcripts.md)).

Conversations and entries have the shapes above. What a policy did not keep is not in an export either.`;

function table(heading: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(heading), `|${heading.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

function codeBlock(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
