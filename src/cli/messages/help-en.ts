// English help: what each command, argument and option does, with examples to learn from.

import { codeHelpEn } from './code-en.ts';
import { embedderHelpEn } from './embedder-en.ts';
import type { Example } from './example.ts';
import { recallHelpEn } from './recall-en.ts';
import { teamHelpEn } from './team-en.ts';
import { transcriptsHelpEn } from './transcripts-en.ts';

export const helpEn = {
  description:
    'Continuo keeps conversations with AI agents: saved the moment they are said, found again from anywhere. Without a command it opens the terminal application; where there is no terminal it shows what is stored and what to do next, and answers text on standard input.',
  usageRoot: '[options] [command]',
  optionsWord: '[options]',
  commandWord: '[command]',
  helpCommand: 'Help for a command',
  moreOptions: 'Options every command has (--json, --home, --lang, …): continuo --help',
  titles: { usage: 'Usage:', options: 'Options:', arguments: 'Arguments:', commands: 'Commands:', examples: 'Examples:' },
  groups: {
    talk: 'Conversations:',
    agents: 'Agents:',
    order: 'Keeping order:',
    remove: 'Removing:',
    care: 'Looking after the store:',
  },
  global: {
    help: 'Show this help',
    version: 'Show the version',
    home: 'The folder that holds the store (else CONTINUO_HOME, else ~/.continuo)',
    json: 'Print JSON for programs; the shapes are in docs/cli.md',
    quiet: 'Print only what was asked for: no notes, no progress',
    lang: 'Language: en or zh (else CONTINUO_LANG, the settings, the locale)',
    color: 'Colours also where the output is no terminal (or FORCE_COLOR)',
    noColor: 'No colours (or NO_COLOR)',
    keyFile: 'The key file of an encrypted store (a passphrase comes from CONTINUO_PASSPHRASE or is asked for)',
  },
  examples: [
    { command: 'continuo', means: 'The terminal application: conversations to go on with, answers, teams' },
    { command: 'continuo chat', means: 'Talk line by line, and have everything kept' },
    { command: 'continuo append "Remember the milk"', means: 'Save a message in a new conversation' },
    { command: 'continuo list', means: 'What is stored, newest first' },
    { command: 'continuo show latest', means: 'Read the newest conversation' },
    { command: 'continuo help append', means: 'Everything one command can do' },
  ] as Example[],
  arguments: {
    id: 'The conversation: the beginning of its id, its key, or "latest"',
    ids: 'The conversations: the beginning of their ids, or their keys',
  },
  commands: {
    chat: {
      summary: 'Talk with a model, or offline with what is stored',
      description:
        'A conversation in the terminal, saved word by word: an answer that was cut off is kept as far as it had come. Without a model it answers from what is stored, with quotes, and needs no network. Where what you say points at earlier conversations, of this folder or any other, they are quoted to the model, and a line says which. The model may read and change files of the project and run commands in a sandbox; what needs permission is asked. With -p, with text on standard input or where no terminal is attached it answers once, and whatever needs permission is denied unless a rule allows it; standard output gets the final answer, everything else goes to standard error. Ctrl-C stops an answer and, between answers, leaves. A line that ends with a backslash goes on in the next.',
      arguments: { text: 'What to say first' },
      options: {
        prompt: 'Say this, print the answer and end; text on standard input is added to it',
        streamJson: 'Print events while they happen, one JSON object a line; the last is turn-end',
        resume: 'Go on with a conversation: the beginning of its id, or its key; without one the newest of this folder',
        continue: 'Go on with the newest conversation of this folder',
        new: 'Begin a conversation (default)',
        model: 'Who answers, e.g. anthropic:claude-sonnet-4-5, openai:gpt-5, ollama:qwen3 (else CONTINUO_MODEL, the settings)',
        baseUrl: "Another address than the provider's own",
        policy: 'What is kept of the new conversation: full, headers-only, none, ttl:30d or ttl:30d:delete',
        mcpConfig:
          'A file that names MCP servers, in the format Claude Code and others share; the model sees their tools as mcp__server__tool',
        allow: 'Do not ask for what begins so, e.g. "git status" or "write_file src"; may be given several times',
        deny: 'Never do what begins so; wins over --allow; may be given several times',
        noTools: 'No files, no commands, no MCP servers',
        noRecall: 'Tell the model nothing of earlier conversations',
        network: 'Let commands use the network',
        timeout: 'Stop a turn after so many seconds',
        title: 'Title of the new conversation',
        project: 'The folder to work in, and to find conversations of (default: this one)',
        wait: 'Wait so long for another writer to finish, e.g. 30s',
      },
      examples: [
        { command: 'continuo chat', means: 'Talk; the start says which model answers and how to come back' },
        { command: 'continuo chat --continue', means: 'Go on where this folder left off' },
        { command: 'continuo chat --resume cnv_01k3x9ab', means: 'Go on with any conversation, from anywhere' },
        { command: 'continuo chat -p "What did we decide about the release?"', means: 'One answer, for scripts' },
        { command: 'git diff | continuo chat -p "Review this" --json', means: 'With text from another program, as JSON' },
        { command: 'continuo chat --model ollama:qwen3 --allow "npm test"', means: 'A local model that may run the tests' },
      ] as Example[],
    },
    ...recallHelpEn,
    ...embedderHelpEn,
    ...teamHelpEn,
    ...codeHelpEn,
    ...transcriptsHelpEn,
    list: {
      summary: 'List conversations, newest first',
      description:
        'Lists conversations, the most recently active first. Conversations without a title show what was said first. Those of sub-agents, which an import makes, are left out unless they are asked for: --all, or --tag sub-agent.',
      options: {
        here: 'Only of the project of this folder, wherever it was before',
        project: 'Only of this project',
        agent: 'Only with this agent',
        team: 'Only of this team',
        tag: 'Only with this tag',
        key: 'Only the one with this key',
        title: 'Only with these words in the title',
        pinned: 'Only pinned ones',
        since: 'Only active since: 7d, 12h, or a date like 2026-01-31',
        before: 'Only active before: 7d, 12h, or a date like 2026-01-31',
        forksOf: 'Only forks of this conversation',
        trash: 'Only what is in the trash',
        all: 'Also what is in the trash and what sub-agents did',
        limit: 'At most so many (default 50, at most 1000)',
        cursor: 'Go on where an earlier page ended',
        fullIds: 'Ids in full length',
      },
      examples: [
        {
          command: 'continuo list --since 7d --tag work',
          means: 'What carries the tag "work" and was active in the last seven days',
        },
        { command: 'continuo list --agent claude --limit 10', means: 'The ten newest conversations with one agent' },
        { command: 'continuo list --here', means: 'What was said in this project, also before it was moved or cloned anew' },
        { command: 'continuo list --trash', means: 'What can still be restored' },
        { command: 'continuo list --json', means: 'The same for programs' },
      ] as Example[],
    },
    show: {
      summary: 'Read a conversation',
      description: 'Shows a conversation, by default its last 20 entries. Long conversations are read page by page.',
      options: {
        tail: 'The last so many entries (default 20)',
        all: 'Every entry from the first on',
        before: 'Only entries before this position, to page back',
        follow: 'Stay and show what is said from now on, by any program; Ctrl-C ends it',
        full: 'Tool calls, tool results and thoughts in full instead of one line each; and events',
      },
      examples: [
        { command: 'continuo show latest', means: 'The end of the newest conversation' },
        { command: 'continuo show cnv_01k3x9ab --tail 50', means: 'The last fifty entries; the beginning of the id is enough' },
        { command: 'continuo show cnv_01k3x9ab --before 120', means: 'The entries before position 120' },
        { command: 'continuo show feishu:ou_1 --follow', means: 'Watch a conversation grow, named by its key' },
      ] as Example[],
    },
    append: {
      summary: 'Save a message',
      description:
        'Saves one message. With the text alone it begins a new conversation; with a conversation in front it continues that one. Without a text, or with "-", the text is read from standard input. Secrets (keys, tokens, passwords) are masked before anything is written.',
      arguments: {
        idOrText: 'The conversation to continue, or the text of a new one',
        text: 'The text; "-" reads it from standard input',
      },
      options: {
        role: 'Who said it: user (default), assistant or system',
        title: 'Title of the new conversation',
        tag: 'Tag of the new conversation; may be given several times',
        key: 'Continue the conversation with this key, or begin it',
        project: 'Project of the new conversation: here, a folder, or any name',
        team: 'Team of the new conversation',
        agent: 'Agent of the new conversation',
        policy: 'What is kept of the new conversation: full, headers-only, none, ttl:30d or ttl:30d:delete',
        wait: 'Wait so long for another writer to finish, e.g. 10s',
      },
      examples: [
        { command: 'continuo append "How do I deploy?"', means: 'Begin a conversation' },
        { command: 'continuo append latest --role assistant "With one command."', means: 'Answer in the newest one' },
        { command: 'git diff | continuo append cnv_01k3x9ab -', means: 'Save what another program prints' },
        { command: 'continuo append --key cron:nightly "Done."', means: 'Continue the conversation with this key, or begin it' },
        { command: 'continuo append --policy ttl:30d "A secret plan"', means: 'Keep the text for thirty days only' },
      ] as Example[],
    },
    fork: {
      summary: 'Go on from an earlier entry in a new conversation',
      description:
        'Makes a new conversation that shares everything up to an entry. The original stays as it is, and no text is copied.',
      arguments: { id: 'The conversation to fork, or an entry id (ent_…) to fork at' },
      options: {
        at: 'The last entry to share: its position or its id (default: the newest)',
        title: 'Title of the fork (default: the same)',
      },
      examples: [
        { command: 'continuo fork cnv_01k3x9ab --at 12', means: 'Try another answer after entry 12' },
        { command: 'continuo fork latest --title "Plan B"', means: 'Branch off at the end' },
      ] as Example[],
    },
    replay: {
      summary: 'Watch a conversation happen again',
      description:
        'Plays a conversation back from its log: what was said and what happened, in the pace it had, at once, or step by step. It shows what the storage policy kept.',
      options: {
        pace: 'real-time (pauses of at most 3 seconds), fast (default) or step (Enter shows the next)',
        speed: 'How many times faster than real time',
        full: 'Tool inputs and results, thoughts and events in full',
      },
      examples: [
        { command: 'continuo replay latest --pace real-time', means: 'As it happened' },
        { command: 'continuo replay latest --pace real-time --speed 4', means: 'Four times faster' },
        { command: 'continuo replay cnv_01k3x9ab --json', means: 'One object an entry, with its time' },
      ] as Example[],
    },
    export: {
      summary: 'Write a conversation as a file: JSON, Markdown, HTML, a session of another agent',
      description:
        'Writes a whole conversation to standard output or into a file: for programs (json, jsonl, openai, snapshot), to read (md, html), or as the session file of another agent (claude-code, codex, gemini, qwen, pi, …), which "continuo handoff" puts in its place at once. Files can be read by you alone, are there whole or not at all, and never take the place of another file without --force.',
      options: {
        to: 'json, jsonl, md, html, openai, snapshot, or an agent (default: by the file name, else json)',
        output: 'The file to write',
        force: 'Overwrite the file if it exists',
      },
      examples: [
        { command: 'continuo export latest --to md', means: 'Read it as Markdown' },
        { command: 'continuo export cnv_01k3x9ab -o talk.jsonl', means: 'One line an entry, into a file' },
        { command: 'continuo export latest -o talk.html', means: 'One page to read and to pass on, without scripts' },
        { command: 'continuo export latest --to codex -o rollout.jsonl', means: 'As a session file of Codex' },
      ] as Example[],
    },
    approvals: {
      summary: 'What was allowed for good, and taking it back',
      description:
        'Lists what you allowed with "always" while an agent was at work, and takes it back. It counts from the next call on, also in programs that run now. Rules for everybody are settings: approvals.allow and approvals.deny.',
      arguments: { action: 'list (default) or revoke', ids: 'The approvals to take back: the beginning of their ids' },
      options: { all: 'Take back every one', yes: 'Do not ask (needed for --all where no terminal is attached)' },
      examples: [
        { command: 'continuo approvals', means: 'What is allowed, where, and until when' },
        { command: 'continuo approvals revoke apv_01k3x9ab', means: 'Ask again from now on' },
        { command: 'continuo approvals revoke --all --yes', means: 'Take back everything, in a script' },
      ] as Example[],
    },
    mcp: {
      summary: 'Recall for other agents over MCP, and the MCP servers chat uses',
      description:
        'Without an action it is an MCP server on standard input and output, which gives any agent recall over all past conversations (docs/mcp.md). "install AGENT" puts it into the settings of claude, codex, gemini, opencode, qwen, copilot, continue, cursor, vscode, windsurf or pi. "list" and "test" look at the MCP servers that chat itself would use: the file is --mcp-config, else the setting mcp.config; exit code 1 of "test" means that a server failed.',
      arguments: {
        action: 'serve (default), install, list or test',
        name: 'install: the agent. list and test: only this server',
      },
      options: {
        project: 'serve and install: the folder the agent works in, if not the present one',
        except: 'serve: conversations to leave out, usually the one that asks',
        scope: 'install: user (default), or project for the settings of the present folder',
        print: 'install: only show what would be written, or with --undo what would be taken back',
        undo: 'install: take it out again, and put back what was there before',
        yes: 'install: do not ask (needed where no terminal is attached)',
        config: 'list and test: the file that names the servers',
      },
      examples: [
        { command: 'continuo mcp install claude', means: 'Claude Code gets recall over all conversations' },
        { command: 'continuo mcp install codex --print', means: 'What would be written, and where' },
        { command: 'continuo mcp install claude --undo --yes', means: 'Take it out again' },
        { command: 'continuo mcp list --mcp-config servers.json', means: 'What the file names, without connecting' },
        { command: 'continuo mcp test', means: 'Connect to each, and list its tools' },
        { command: 'continuo mcp test github', means: 'Only one' },
      ] as Example[],
    },
    rename: {
      summary: 'Give a conversation a title',
      description: 'Gives a conversation a title. An empty title takes it away.',
      arguments: { title: 'The new title' },
      examples: [
        { command: 'continuo rename cnv_01k3x9ab "Deployment plan"', means: 'A name to find it by' },
        { command: 'continuo rename cnv_01k3x9ab ""', means: 'No title again' },
      ] as Example[],
    },
    tag: {
      summary: 'Add, remove or show tags',
      description: 'Adds tags to a conversation and removes others. Without any it shows the tags there are.',
      arguments: { tags: 'Tags to add' },
      options: { remove: 'Tag to remove; may be given several times' },
      examples: [
        { command: 'continuo tag cnv_01k3x9ab work urgent', means: 'Add two tags' },
        { command: 'continuo tag cnv_01k3x9ab --remove urgent', means: 'Remove one' },
      ] as Example[],
    },
    pin: {
      summary: 'Pin conversations that matter',
      description: 'Pins conversations: "list --pinned" finds them, and automatic cleanup leaves them alone.',
      options: { off: 'Unpin instead' },
      examples: [
        { command: 'continuo pin cnv_01k3x9ab', means: 'Pin it' },
        { command: 'continuo pin cnv_01k3x9ab --off', means: 'Unpin it' },
      ] as Example[],
    },
    trash: {
      summary: 'Put conversations into the trash',
      description:
        'Puts conversations into the trash: they leave the lists and take no more messages. They can be restored until the grace period is over (trash.grace_days, 30 days unless set otherwise).',
      options: { releaseKey: 'Give up the key, so that a new conversation may take it' },
      examples: [
        { command: 'continuo trash cnv_01k3x9ab', means: 'Put it aside' },
        { command: 'continuo restore cnv_01k3x9ab', means: 'Take it back' },
      ] as Example[],
    },
    restore: {
      summary: 'Take conversations out of the trash',
      description: 'Takes conversations out of the trash, with everything that was said in them.',
      examples: [
        { command: 'continuo list --here', means: 'What was said in this project, also before it was moved or cloned anew' },
        { command: 'continuo list --trash', means: 'See what can be restored' },
        { command: 'continuo restore cnv_01k3x9ab', means: 'Take it back' },
      ] as Example[],
    },
    purge: {
      summary: 'Remove trashed conversations for good',
      description:
        'Removes conversations that are in the trash, so that no byte of their text is left. This cannot be undone. Conversations of their sub-agents stay and are named.',
      options: {
        withForks: 'Remove their forks too, which share their text',
        yes: 'Do not ask (needed where no terminal is attached)',
      },
      examples: [
        { command: 'continuo purge cnv_01k3x9ab', means: 'Show what will go, and ask' },
        { command: 'continuo purge cnv_01k3x9ab --yes', means: 'In a script' },
      ] as Example[],
    },
    sweep: {
      summary: 'Take away what is due',
      description:
        'Removes what stayed in the trash past its grace period, and text whose time is up (policy ttl). Commands that write do the same by the way; this does it now.',
      options: { dryRun: 'Only show what would go' },
      examples: [
        { command: 'continuo sweep --dry-run', means: 'See first' },
        { command: 'continuo sweep', means: 'Do it' },
      ] as Example[],
    },
    stats: {
      summary: 'How much is stored',
      description: 'Counts conversations and entries, by agent and by project, and the bytes they take on disk.',
      examples: [
        { command: 'continuo stats', means: 'For people' },
        { command: 'continuo stats --json', means: 'For programs' },
      ] as Example[],
    },
    doctor: {
      summary: 'Check the store and explain what is wrong',
      description:
        'Checks the program, the home, the settings, permissions, the disk and every stored entry, and says what to do about each problem. Exit code 1 means that problems remain.',
      options: { fix: 'Repair what can be repaired: permissions, and the record of what was purged (a copy is kept)' },
      examples: [
        { command: 'continuo doctor', means: 'Look, and change nothing' },
        { command: 'continuo doctor --fix', means: 'Also make files private that are not' },
      ] as Example[],
    },
    backup: {
      summary: 'Copy the whole store into a new folder',
      description: 'Makes a consistent copy of the store while others go on writing. The folder must be new or empty.',
      arguments: { folder: 'The folder to make' },
      options: { verify: 'Restore it into a temporary folder and compare every entry' },
      examples: [
        { command: 'continuo backup ~/backups/continuo-monday', means: 'Make a backup' },
        { command: 'continuo backup ~/backups/continuo-monday --verify', means: 'And prove that it can be restored' },
      ] as Example[],
    },
    'restore-backup': {
      summary: 'Turn a backup into a store again',
      description: 'Restores a backup into an empty home. Every file is checked first; the home appears whole or not at all.',
      arguments: { folder: 'The folder of the backup' },
      examples: [
        {
          command: 'continuo restore-backup ~/backups/continuo-monday --home ~/restored',
          means: 'Into a home of its own, to look at',
        },
        { command: 'continuo restore-backup ~/backups/continuo-monday', means: 'Into the usual home, if it is empty' },
      ] as Example[],
    },
    compress: {
      summary: 'Pack old text to save space',
      description: 'Packs the text of old entries. It reads the same as before.',
      options: { olderThan: 'Entries older than this (default 90d)' },
      examples: [
        { command: 'continuo compress', means: 'Pack what is older than 90 days' },
        { command: 'continuo compress --older-than 30d', means: 'Pack more' },
      ] as Example[],
    },
    encrypt: {
      summary: 'Encrypt the store',
      description:
        'Encrypts the whole store with a passphrase (CONTINUO_PASSPHRASE, or asked for) or with a key file (--key-file). Without the passphrase or the key file nobody can read it again: keep it safe.',
      options: { newKeyFile: 'Make a new key file and encrypt with it' },
      examples: [
        { command: 'continuo encrypt', means: 'Asks for a new passphrase' },
        { command: 'continuo encrypt --new-key-file ~/.continuo.key', means: 'Makes a key file and uses it' },
      ] as Example[],
    },
    decrypt: {
      summary: 'Turn an encrypted store into a plain one',
      description: 'Decrypts the whole store. It needs the passphrase or the key file one last time.',
      examples: [
        { command: 'continuo decrypt', means: 'Asks for the passphrase' },
        { command: 'continuo decrypt --key-file ~/.continuo.key', means: 'With the key file' },
      ] as Example[],
    },
    config: {
      summary: 'Show and change settings',
      description:
        'Shows every setting, its value and where the value comes from. A flag wins over the environment, that over the file conversation.toml in the home, that over the default. Changes keep the comments and the order of your file.',
      arguments: {
        action: 'list (default), get, set, unset or path',
        name: 'The setting, e.g. trash.grace_days',
        value: 'Its new value',
      },
      examples: [
        { command: 'continuo config', means: 'All settings' },
        { command: 'continuo config set trash.grace_days 7', means: 'Keep the trash for a week only' },
        { command: 'continuo config set cli.language zh', means: 'Speak Chinese' },
        { command: 'continuo config unset cli.language', means: 'Back to the default' },
      ] as Example[],
    },
  },
};
