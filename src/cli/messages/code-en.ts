// What the program says in English about the coding agent and its saved sessions, and the help for it.
import type { Example } from './example.ts';

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export const codeEn = {
  code: {
    between: ', ',
    start: (model: string, root: string) => `model ${model} · ${root}`,
    askTask: 'What is to be done? A line that ends with a backslash goes on in the next; Ctrl-C leaves.',
    phases: { working: 'working', checking: 'checking the change', reviewing: 'a fresh look at the change' },
    round: (phase: string, round: number) => `${phase} (round ${round})`,
    moreOutput: (lines: number) => `… ${plural(lines, 'more line', 'more lines')}`,
    checkResults: {
      passed: "The project's own checks pass.",
      failed: "The project's own checks fail.",
      unproven: 'Nothing proves the change: no check was found, or not all of them could be run.',
    },
    checkWords: {
      passed: '(passed)',
      notRun: (reason: string) => `(not run: ${reason})`,
      failed: (end: string) => `(failed: ${end})`,
      exitCode: (code: number) => `exit code ${code}`,
      note: (note: string) => `Note: ${note}.`,
    },
    verdicts: {
      accepted: 'The review accepts the change.',
      changes: 'The review asks for changes.',
      unclear: 'The review came to no verdict.',
      failed: 'The review could not be held.',
    },
    outcomes: {
      done: 'Done.',
      unchanged: 'No file was changed.',
      'checks-failed': "Not done: the project's own checks still fail.",
      'review-open': 'Not done: the last review asked for changes, and nobody looked at them again.',
      'review-failed': 'Not done: the change is made, but its review could not be held. Going on holds it again.',
    },
    stopped: 'Stopped. What had been said and done is saved.',
    labels: { checks: 'Checks', reviews: 'Reviews', commit: 'Commit', session: 'Session', resume: 'Go on with' },
    fileHeadings: { change: 'CHANGE', added: '+', removed: '-', file: 'FILE' },
    changes: { added: 'new', modified: 'changed', deleted: 'deleted', renamed: 'renamed', 'type-changed': 'other kind' },
    binary: 'binary',
    omitted: (files: number) =>
      `… and ${plural(files, 'more new file', 'more new files')} that ${files === 1 ? 'was' : 'were'} not looked at`,
    unknownChanges: (reason: string) => `How much was changed is not known: ${reason}.`,
    reviewCounts: (accepted: number, changes: number, unclear: number) =>
      [
        ...(changes > 0 ? [`${changes} asked for changes`] : []),
        ...(unclear > 0 ? [`${unclear} without a verdict`] : []),
        ...(accepted > 0 ? [`${accepted} accepted`] : []),
      ].join(', ') || 'none',
    checkStates: { passed: 'pass', failed: 'fail', unproven: 'unproven' },
    committed: (commit: string, branch: string | null, files: number) =>
      `${commit}${branch === null ? '' : ` on ${branch}`}, ${plural(files, 'file', 'files')}`,
    leftOut: (path: string, reason: string) => `not committed: ${path} (${reason})`,
    hooksNotRun: (hooks: string) => `hooks that were not run: ${hooks}`,
    unsigned: 'not signed, although your settings ask for it',
    commitSkipped: 'none: the work is not done',
    commitNothing: 'none: nothing was changed',
    savedIn: (path: string, messages: number) => `${path} (${plural(messages, 'message', 'messages')})`,
    unsavedGoesOn: 'So the session is not saved; the work goes on, and what is said is in the store.',
    notSaved: 'not saved',
    saving: 'Saving',
    restoring: 'Restoring',
    headings: { number: '#', id: 'ID', saved: 'SAVED', size: 'SIZE', messages: 'MESSAGES', branch: 'BRANCH', task: 'TASK' },
    legacy: '(older program)',
    pickOne: (least: number, most: number) => `Which session? [${least}-${most}, Enter for the newest, q for none]`,
    cannotPick: (number: number, reason: string) => `Number ${number} cannot be restored: ${reason}`,
    noSuchNumber: (typed: string) => `There is no number ${typed}.`,
    noneSaved: (root: string) => `No session of a coding agent is saved in ${root}.`,
    noTask: 'There is no task. Give it in quotes, or on standard input: continuo code "TASK"',
    wordsFirst: 'Words for a resumed session go before the option: continuo code "WORDS" --resume',
    emptyMessage: 'The message of --commit is empty. Without one the first line of the task is taken.',
    onlyForNew: (flags: string) => `${flags} can only be given to a new session; a saved one has its own settings.`,
    unfit: (flag: string) => `The option ${flag} does not go with "code sessions".`,
    /** What is wrong with a saved session, in brief, by code. */
    problems: {
      'session-damaged': 'damaged: {reason}',
      'session-newer': 'written by a newer Continuo (version {found}); upgrade to open it',
    } as Readonly<Record<string, string>>,
    /** By code. `(s)` after a number goes where there is one. */
    notices: {
      'session-saved': 'The session is saved in {path} ({messages} message(s)).',
      'session-saved-masked': 'The session is saved in {path} ({messages} message(s)). {masked} secret(s) masked.',
      'session-saved-beside':
        '{other} was changed by somebody else and stays as it is. From now on this session is saved in {path}.',
      'session-restored': 'Restored from {path}: saved {savedAt}, {messages} message(s), {bytes}.',
      'session-upgraded': 'The session file {path} is of an older version ({found}); it was brought up to {version}.',
      'session-not-chosen': 'No session was chosen; nothing was restored.',
      'code-root-moved': 'The project was at {from} when the session was saved. The work goes on in {to}.',
      'code-model-other': 'The session was held with {saved}, which cannot be had here. {model} goes on.',
      'code-commit-gone':
        'The commit {commit}, from which the work began, is not in the repository any more. Changes are compared with the present one.',
    } as Readonly<Record<string, string>>,
  },
};

export const codeHelpEn = {
  code: {
    summary: 'A coding agent whose session survives',
    description:
      'Works on a task in a project: reads, edits, runs, has the project’s own checks run, looks at the change with fresh eyes, and commits if you ask for it. Reading is free; changing a file and running a command need a rule (--yes) or your answer. The session is saved in .continuo in the project, readable by you alone, with secrets masked: after a crash, Ctrl-C or a move, --resume goes on. "continuo code sessions" lists what is saved. Exit code 7 says that checks still fail or a review is open.',
    arguments: { task: 'What is to be done, in quotes; or "sessions"' },
    options: {
      resume: 'Go on with a saved session: its file or its id, else one that you pick, else the newest',
      root: 'The project’s folder (default: this one)',
      model: 'Who works, e.g. anthropic:claude-sonnet-4-5',
      baseUrl: "Another address than the provider's own",
      noReview: 'Nobody looks at the change with fresh eyes',
      maxReview: 'At most so many reviews (default: 3)',
      nonInteractive: 'Ask nothing: what no rule allows is denied',
      yes: 'Allow what begins so, e.g. "npm test" or "write_file src"; may be given several times',
      deny: 'Never do what begins so; wins over --yes; may be given several times',
      network: 'Let commands use the network',
      timeout: 'Stop after so long: seconds, or 90s, 5m',
      tools: 'What the agent may use: default, or read-only',
      commit:
        'Commit what the agent changed, when it is done and the checks do not fail; without a message, the first line of the task',
    },
    examples: [
      {
        command: 'continuo code "The login test fails. Find out why and mend it."',
        means: 'You are asked before files change and commands run',
      },
      {
        command: 'continuo code "Rename config to settings" --yes write_file --yes "npm run test" --commit',
        means: 'Allowed beforehand, committed in the end',
      },
      { command: 'continuo code --resume', means: 'Go on after a crash, Ctrl-C or a move' },
      { command: 'continuo code "Also mend the docs" --resume', means: 'Say something more to a saved session' },
      { command: 'continuo code sessions', means: 'What is saved here' },
      {
        command: 'cat task.md | continuo code --non-interactive --yes write_file --json',
        means: 'For scripts: the task by pipe, one object as the result',
      },
    ] as Example[],
  },
};
