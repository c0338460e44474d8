// Everything the program says in English. Functions take what changes; plurals are theirs to get right.
import { type ErrorCode, errorMessages } from '../../model/error-codes.ts';
import { chatEn } from './chat-en.ts';
import { codeEn } from './code-en.ts';
import { embedderEn } from './embedder-en.ts';
import { helpEn } from './help-en.ts';
import { mcpEn } from './mcp-en.ts';
import { recallEn } from './recall-en.ts';
import { replEn } from './repl-en.ts';
import { slashEn } from './slash-en.ts';
import { teamEn } from './team-en.ts';
import { transcriptsEn } from './transcripts-en.ts';

const counts = {
  entries: (count: number) => `${count} ${count === 1 ? 'entry' : 'entries'}`,
  conversations: (count: number) => `${count} ${count === 1 ? 'conversation' : 'conversations'}`,
};

/** What a sweep takes away; only the parts there are. */
function dueParts(conversations: number, entries: number): string {
  const fromTrash = conversations > 0 ? [`${counts.conversations(conversations)} from the trash`] : [];
  const texts = entries > 0 ? [`the text of ${counts.entries(entries)}`] : [];
  return [...fromTrash, ...texts].join(' and ');
}

export const en = {
  language: 'en' as 'en' | 'zh',
  help: helpEn,
  errors: errorMessages as Record<ErrorCode, string>,
  errorHeading: 'Error: ',
  standardOutput: 'standard output',
  /** Between two sentences. */
  sentenceGap: ' ',
  /** Parts of error sentences that come from below, where only English is spoken. */
  translateReason: (reason: string): string => reason,
  /** What a call would do, as its tool says it. */
  translateSummary: (_tool: string, summary: string): string => summary,

  usage: {
    seeHelp: (command: string | undefined) => `See "continuo ${command === undefined ? '--help' : `help ${command}`}".`,
    didYouMean: (suggestion: string) => `Did you mean ${suggestion}?`,
    missingArgument: (name: string) => `The argument <${name}> is missing.`,
    optionNeedsValue: (flags: string) => `The option ${flags} needs a value.`,
    unknownOption: (flag: string) => `There is no option ${flag}.`,
    unknownCommand: (name: string) => `There is no command "${name}".`,
    tooManyArguments: 'There are too many arguments. Put text that has spaces in quotes.',
    notACount: (flag: string, value: string, least: number) =>
      `${flag} needs a whole number of at least ${least}, not "${value}".`,
    tooMany: (flag: string, most: number) => `${flag} can be at most ${most}.`,
    notAMoment: (flag: string, value: string) =>
      `${flag} needs a span like 7d or 12h, or a date like 2026-01-31, not "${value}".`,
    notASpan: (flag: string, value: string) => `${flag} needs a span like 90d, 12h or 30s, not "${value}".`,
    notAChoice: (flag: string, value: string, choices: string) => `${flag} must be one of ${choices}, not "${value}".`,
    notAPolicy: (value: string) => `--policy must be full, headers-only, none, ttl:30d or ttl:30d:delete, not "${value}".`,
    tooLarge: (most: string) => `Standard input holds more than one message may have (${most}). Nothing was saved; split it.`,
    noText: 'There is no text to save.',
    notText: 'Standard input is not UTF-8 text. Saving it would change it.',
    onlyForNew: (flags: string) => `${flags} can only be given to a new conversation, not when one is continued.`,
    jsonNeedsFile: 'With --json, another format than json needs a file: -o FILE.',
    keyFileExists: (file: string) => `${file} exists already. Use it with --key-file, or choose another name.`,
    newKeyNeeded:
      'A new key is needed to encrypt with: a passphrase in CONTINUO_PASSPHRASE, or a file that is made for it with --new-key-file FILE.',
    configUsage: {
      list: 'Use it like this: continuo config',
      path: 'Use it like this: continuo config path',
      get: 'Use it like this: continuo config get NAME',
      set: 'Use it like this: continuo config set NAME VALUE',
      unset: 'Use it like this: continuo config unset NAME',
    },
  },

  prompts: {
    passphrase: 'Passphrase:',
    newPassphrase: 'New passphrase:',
    repeatPassphrase: 'The same again:',
    notTheSame: 'The two are not the same. Nothing was changed; try again.',
    tryAgain: 'That is not the passphrase of this store. Try again.',
    typeText: 'Type the text; Ctrl-D on an empty line ends it.',
  },

  time: {
    justNow: 'just now',
    minutesAgo: (count: number) => `${count} ${count === 1 ? 'minute' : 'minutes'} ago`,
    hoursAgo: (count: number) => `${count} ${count === 1 ? 'hour' : 'hours'} ago`,
    daysAgo: (count: number) => `${count} ${count === 1 ? 'day' : 'days'} ago`,
  },

  counts,

  overview: {
    empty: 'Nothing is stored yet.',
    onlyTrash: (count: number) => `Nothing is stored but what is in the trash (${counts.conversations(count)}).`,
    head: (conversations: number, entries: number, home: string) =>
      `${counts.conversations(conversations)} with ${counts.entries(entries)} in ${home}`,
    next: 'What next?',
    firstSteps: [
      { command: 'continuo chat', means: 'talk, and have it kept' },
      { command: 'continuo append "Hello"', means: 'save a first message' },
      { command: 'continuo list', means: 'see what is stored' },
      { command: 'continuo --help', means: 'everything else' },
    ],
    nextSteps: (id: string) => [
      { command: `continuo show ${id}`, means: 'read the newest' },
      { command: `continuo chat --resume ${id}`, means: 'go on with it' },
      { command: 'continuo list', means: 'see more' },
      { command: 'continuo --help', means: 'everything else' },
    ],
  },

  list: {
    headings: {
      id: 'ID',
      active: 'ACTIVE',
      entries: 'ENTRIES',
      agent: 'AGENT',
      team: 'TEAM',
      project: 'PROJECT',
      title: 'TITLE',
    },
    untitled: '(nothing said yet)',
    withheld: '(text withheld)',
    pinnedMark: '*',
    trashMark: '[trash]',
    excludedMark: '[not recalled]',
    nothingFound: 'No conversation matches.',
    more: (cursor: string) => `There are more: --cursor ${cursor}`,
  },

  show: {
    earlier: (upTo: number, command: string) => `Entries up to ${upTo} come before: ${command}`,
    following: 'Waiting for what is said next. Ctrl-C ends it.',
    nothingSaid: 'Nothing has been said in it yet.',
    onlyEvents: (count: number) => `(${count === 1 ? '1 event' : `${count} events`} and no words; --full shows them)`,
    pinned: 'pinned',
    agent: (name: string) => `agent ${name}`,
    team: (name: string) => `team ${name}`,
    project: (name: string) => `project ${name}`,
    key: (key: string) => `key ${key}`,
    policy: (policy: string) => `policy ${policy}`,
    topics: (topics: string) => `about ${topics}`,
    excluded: 'left out of recall',
    expired: (from: number, to: number) =>
      from === to ? `(entry ${from} is gone: its time was up)` : `(entries ${from} to ${to} are gone: their time was up)`,
    forkedFrom: (id: string, seq: number) => `forked from ${id} at ${seq}`,
    inTrash: (until: string) => `It is in the trash and can be restored until ${until}.`,
  },

  transcript: {
    roles: { user: 'user', assistant: 'assistant', system: 'system' },
    thinking: 'thinking',
    summary: (from: number, to: number) => `summary of ${from} to ${to}`,
    label: 'label',
    failed: 'failed',
    interrupted: '(cut off)',
    draft: '(not finished: it is being written, or was interrupted)',
    withheld: (characters: number) => `(the text was not kept: ${characters} characters)`,
    masked: (count: number) => `(${count} ${count === 1 ? 'secret' : 'secrets'} masked)`,
  },

  append: {
    savedNew: (id: string) => `Saved in a new conversation, ${id}.`,
    saved: (seq: number, id: string, name: string | undefined) =>
      `Saved as entry ${seq} of ${id}${name === undefined ? '' : ` (${name})`}.`,
    notKept: (id: string) => `Nothing was kept: ${id} has the policy "none".`,
    masked: (count: number) => `${count} ${count === 1 ? 'secret was' : 'secrets were'} masked before saving.`,
    goOn: (id: string) => `Go on with: continuo append ${id} "…"`,
    quoteText: 'If that was meant as text, put all of it in quotes: continuo append "…"',
  },

  ...chatEn,
  ...recallEn,
  ...embedderEn,
  ...replEn,
  ...slashEn,
  ...teamEn,
  ...codeEn,
  ...transcriptsEn,
  ...mcpEn,

  fork: {
    done: (id: string, origin: string, seq: number) => `${id} shares the first ${counts.entries(seq)} of ${origin}.`,
  },

  rename: {
    done: (id: string, title: string) => `${id} is now called "${title}".`,
    cleared: (id: string) => `${id} has no title any more.`,
  },

  tag: {
    now: (id: string, tags: string) => `${id} has the tags ${tags}`,
    none: (id: string) => `${id} has no tags.`,
  },

  pin: {
    pinned: (id: string) => `${id} is pinned.`,
    unpinned: (id: string) => `${id} is no longer pinned.`,
  },

  trash: {
    done: (id: string, name: string | undefined, until: string) =>
      `${id}${name === undefined ? '' : ` (${name})`} is in the trash and can be restored until ${until}.`,
    howBack: (id: string) => `Take it back with: continuo restore ${id}`,
  },

  restore: {
    done: (id: string) => `${id} is back.`,
    wasThere: (id: string) => `${id} was not in the trash.`,
  },

  purge: {
    willGo: (count: number) => `${count === 1 ? 'This conversation' : `These ${count} conversations`} will be removed for good:`,
    question: 'Remove for good? [y/N]',
    done: (count: number) => `${counts.conversations(count)} removed for good.`,
    subAgentsStay: (count: number, ids: string) =>
      count === 1
        ? `The conversation of its sub-agent stays. To remove it, too: continuo trash ${ids}, then continuo purge ${ids}`
        : `${count} conversations of sub-agents stay. To remove them, too: continuo trash ${ids}, then continuo purge ${ids}`,
  },

  purgeRecord: {
    fine: (count: number) => `${count} ${count === 1 ? 'name' : 'names'} of what was purged can be read.`,
    damaged: (path: string, lines: string) =>
      `Nothing can be imported: ${path}, the record of what was purged, is damaged (line ${lines}).`,
    damagedNext:
      'Take the file from a backup, or have those lines taken away: continuo doctor --fix. Sessions they stood for are imported again then.',
    cut: (path: string, lines: string) =>
      `${path}, the record of what was purged, has a line without its end (line ${lines}). After a crash this is harmless.`,
    cutNext:
      'If nothing crashed here, the file was damaged, and sessions that were purged may be imported again: take it from a backup. continuo doctor --fix takes such lines away.',
    mended: (count: number, copy: string) =>
      `${count} ${count === 1 ? 'line was' : 'lines were'} put right or taken out of the record of what was purged. The file as it was: ${copy}`,
    mendedNext: 'Sessions that the lines taken out stood for are imported again; trash and purge them anew.',
    travels: (path: string, lines: string) =>
      `${path}, the record of what was purged, is damaged (line ${lines}) and was copied as it is. See: continuo doctor`,
  },

  sweep: {
    plan: (conversations: number, entries: number) =>
      conversations + entries === 0 ? 'Nothing is due.' : `Due: ${dueParts(conversations, entries)}.`,
    done: (conversations: number, entries: number) => `Removed, as announced: ${dueParts(conversations, entries)}.`,
    nothing: 'Nothing was due.',
    keptForForks: (count: number) => `${counts.conversations(count)} stay in the trash because forks share their text.`,
    postponed: (reason: string) => `What is due to go will be swept later: ${reason}`,
  },

  stats: {
    home: 'Home',
    driver: 'Kept as',
    kept: (driver: string, encrypted: boolean) => (encrypted ? `${driver}, encrypted` : driver),
    noStore: 'nothing yet',
    conversations: 'Conversations',
    ofThem: (all: number, trashed: number, pinned: number) => `${all} (${pinned} pinned, ${trashed} in the trash)`,
    entries: 'Entries',
    size: 'On disk',
    byAgent: 'By agent',
    byProject: 'By project',
  },

  export: {
    done: (entries: number, file: string, size: string) => `${counts.entries(entries)} written to ${file} (${size}).`,
    markdown: { id: 'Id', key: 'Key', created: 'Created', agent: 'Agent', project: 'Project', tags: 'Tags' },
    madeAt: (when: string) => `Exported from Continuo on ${when}.`,
  },

  backup: {
    label: 'Backing up',
    verifying: 'Verifying',
    restoring: 'Restoring',
    done: (folder: string, files: number, size: string) =>
      `Backed up to ${folder} (${files} ${files === 1 ? 'file' : 'files'}, ${size}).`,
    verified: (conversations: number, entries: number) =>
      `Verified by restoring it: ${counts.conversations(conversations)}, ${counts.entries(entries)}, all the same.`,
    howBack: (folder: string) => `Restore it with: continuo restore-backup ${folder} --home NEW_FOLDER`,
    restored: (home: string, files: number, size: string) =>
      `Restored to ${home} (${files} ${files === 1 ? 'file' : 'files'}, ${size}).`,
  },

  compress: {
    label: 'Packing',
    nothing: 'There was nothing to pack.',
    done: (entries: number, before: string, after: string) => `Packed ${counts.entries(entries)}: ${before} became ${after}.`,
  },

  encryption: {
    encrypting: 'Encrypting',
    decrypting: 'Decrypting',
    encrypted: (home: string) => `The store in ${home} is encrypted now.`,
    decrypted: (home: string) => `The store in ${home} is no longer encrypted.`,
    keepPassphrase: 'Keep the passphrase safe: without it nobody can read the store again.',
    keepKeyFile: (file: string) => `Keep ${file} safe, and a copy of it elsewhere: without it nobody can read the store again.`,
    ignoredPassphrase: 'CONTINUO_PASSPHRASE is set, but this store is not encrypted. It was not used.',
    oldCopies: 'Backups made before stay as they were.',
    indexDropped: 'The search index is made anew by the next search, or now with: continuo reindex',
  },

  config: {
    headings: { name: 'SETTING', value: 'VALUE', origin: 'FROM' },
    origins: {
      default: 'default',
      file: (path: string, line: number) => `${path}, line ${line}`,
      environment: (variable: string) => `environment, ${variable}`,
      flag: (flag: string) => `command line, ${flag}`,
    },
    driverStands: (home: string, found: string) =>
      `The store in ${home} is kept as ${found} and stays so: store.driver only says how a new store is made. For another kind of store choose a new home with --home NEW_FOLDER.`,
    keyFileUnfit: (home: string, kept: 'plain' | 'passphrase') =>
      kept === 'plain'
        ? `The store in ${home} is not encrypted, so no key file opens it. Encrypt it first with: continuo encrypt --new-key-file FILE`
        : `The store in ${home} is encrypted with a passphrase, so no key file opens it. Give the passphrase in CONTINUO_PASSPHRASE.`,
    removeSetting: (name: string) => `Take the setting back with: continuo config unset ${name}`,
    removeVariable: (variable: string) => `It was asked for by the environment variable ${variable}. Unset it, or correct it.`,
    howToSet: (path: string) => `Change one with "continuo config set NAME VALUE", or edit ${path}`,
    done: (name: string, value: string, path: string) => `${name} = ${value}, written to ${path}`,
    unset: (name: string) => `${name} has its default again.`,
    wasNotSet: (name: string) => `${name} was not set in the file.`,
    overridden: (name: string, origin: string) => `${name} is still decided elsewhere: ${origin}.`,
    graceApplies: 'This also counts for what is in the trash already.',
  },

  doctor: {
    verifying: 'Checking',
    seeDoctor: 'Everything else can be read. See all of it with: continuo doctor',
    healthy: 'All is well.',
    sick: (count: number) => `${count} ${count === 1 ? 'problem remains' : 'problems remain'}.`,
    versions: (node: string, sqlite: string, system: string) => `Node.js ${node.replace(/^v/, '')}, SQLite ${sqlite}, ${system}`,
    noSqlite: (reason: string) => `SQLite cannot be loaded: ${reason}`,
    noSqliteNext: 'Run "npm rebuild better-sqlite3-multiple-ciphers" in the folder Continuo is installed in.',
    homeFound: (home: string) => `The home is ${home}`,
    noHome: (home: string) => `There is no home at ${home} yet.`,
    noHomeNext: 'The first message makes it: continuo append "…"',
    homeUnreadable: (home: string, reason: string) => `The home ${home} cannot be looked at: ${reason}`,
    homeUnreadableNext: 'Check the owner and the mode of the folders above it.',
    homeNoFolder: (home: string) => `${home} is not a folder.`,
    homeNoFolderNext: 'Move that file away, or choose another home with --home.',
    settingsNext: 'Correct that line with an editor; nothing in the store is touched by it.',
    notOpened: 'What is stored was not looked at: it is encrypted, and the settings that may name its key cannot be read.',
    settingsFine: 'The settings can be read.',
    permissionsFine: 'Only you can read the files.',
    permissionsLoose: (count: number, names: string) =>
      `Others on this machine can use ${count} ${count === 1 ? 'file or folder' : 'files and folders'}: ${names}`,
    permissionsNext: 'Make them private with: continuo doctor --fix',
    permissionsNotOurs: 'They belong to another user. Change their owner, or have that user make them private.',
    permissionsFixed: (count: number) => `${count} ${count === 1 ? 'file or folder is' : 'files and folders are'} private now.`,
    diskFree: (size: string) => `${size} are free on the disk.`,
    diskNearlyFull: (size: string) => `Only ${size} are free on the disk.`,
    diskNext: 'Free some space. Until then new messages may be refused; nothing that is stored is in danger.',
    noStore: 'The home holds no store yet.',
    record: (driver: string, key: 'passphrase' | 'key-file' | undefined) =>
      key === undefined
        ? `The store is kept as ${driver}, not encrypted.`
        : `The store is kept as ${driver}, encrypted with a ${key === 'passphrase' ? 'passphrase' : 'key file'}.`,
    damaged: (path: string, reason: string) => `${path} is damaged: ${reason}`,
    damagedNext:
      'Keep the files as they are and restore a backup into a new home: continuo restore-backup FOLDER --home NEW_FOLDER',
    contentsFine: (conversations: number, entries: number) =>
      `${counts.conversations(conversations)} and ${counts.entries(entries)} were read; every one is intact.`,
    moreProblems: (count: number) => `And ${count} more of this kind.`,
    line: (line: number) => `line ${line}`,
    problems: {
      'torn-tail': {
        message: (where: string, detail: string) => `${where}: the end was cut off while it was being written (${detail}).`,
        next: 'Nothing that was acknowledged is lost. It is tidied up with the next message.',
      },
      'damaged-record': {
        message: (where: string, detail: string) => `${where}: something stored there was changed or damaged (${detail}).`,
        next: 'The rest can still be read. Take what is missing from a backup: continuo restore-backup FOLDER --home NEW_FOLDER',
      },
      'missing-entries': {
        message: (where: string, detail: string) => `${where}: entries are missing (${detail}).`,
        next: 'Take them from a backup: continuo restore-backup FOLDER --home NEW_FOLDER',
      },
      'count-mismatch': {
        message: (where: string, detail: string) => `${where}: the number of entries is not what was noted down (${detail}).`,
        next: 'Compare with a backup: continuo restore-backup FOLDER --home NEW_FOLDER',
      },
      'file-damaged': {
        message: (where: string, detail: string) => `${where}: the file is damaged (${detail}).`,
        next: 'Copy the home somewhere safe first, then restore a backup: continuo restore-backup FOLDER --home NEW_FOLDER',
      },
      'unexpected-file': {
        message: (where: string, detail: string) => `${where}: this file does not belong to the store (${detail}).`,
        next: 'Look at it, and move it away if you do not need it. Continuo does not touch it.',
      },
      'loose-permissions': {
        message: (where: string, detail: string) => `${where}: others on this machine can read it (${detail}).`,
        next: 'Make it private with: continuo doctor --fix',
      },
    },
    writer: (id: string, owner: string, pid: number, host: string, seconds: number) =>
      `${id} is being written by ${owner} (process ${pid} on ${host}), for at least ${seconds} more seconds.`,
    noWriters: 'Nobody holds a conversation for writing.',
    nothingDue: 'Nothing is due to be removed.',
    due: (conversations: number, entries: number) => `Due to be removed: ${dueParts(conversations, entries)}.`,
    dueNext: 'See it with "continuo sweep --dry-run"; the next command that writes removes it.',
  },
};
