// What the terminal application says in English.

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export const replEn = {
  repl: {
    you: 'You',
    answerer: 'Answer',
    picker: {
      here: (project: string) => `Conversations of ${project}`,
      everywhere: 'Conversations of all projects',
      begin: 'New conversation',
      keys: 'Enter opens · ↑↓ choose · Tab other projects · Esc new · Ctrl-C leaves',
      none: 'Nothing is stored yet.',
      loading: 'Reading…',
      more: 'More further down…',
      headings: { title: 'TITLE', active: 'ACTIVE', messages: 'ENTRIES', project: 'PROJECT' },
    },
    keys: 'Enter sends · Alt-Enter or a backslash at the end adds a line · Esc stops an answer · /help · Ctrl-C twice leaves',
    earlier: (count: number) => `… ${plural(count, 'earlier entry', 'earlier entries')}`,
    pasted: (lines: number) => `[pasted ${plural(lines, 'line', 'lines')}]`,
    confirmLeaving: 'Ctrl-C once more leaves; everything is saved.',
    stillBusy: 'Wait until the answer is there, or press Esc to stop it.',
    stopping: 'Stopping…',
    leaving: 'Saving…',
    nothingToStop: 'Nobody is answering.',
    noSuchCommand: (command: string) =>
      `Not sent: there is no command ${command}. /help names them; to send it, begin with two slashes.`,
    choose: (keys: string) => `Choose [${keys}]`,
    turnedAway: 'Nothing was chosen.',
    speaks: (name: string, seconds: number) => `${name} answers, ${seconds} s`,
    members: (count: number) => plural(count, 'member', 'members'),
    tokens: (count: string) => `${count} tokens`,
    saved: { nothing: 'nothing said yet', saved: 'saved', saving: 'saving', 'not-kept': 'not kept' },
    untitled: 'new conversation',
    todosOf: (name: string, done: number, all: number) => `${name} plans (${done} of ${all} done)`,
    moreTodos: (count: number) => `… ${count} more`,
    teamLeft: (name: string) => `Left the team ${name}; everything is saved.`,
    left: (id: string) => `Saved. Go on with: continuo chat --resume ${id}`,
    leftTeam: (file: string, id: string) => `Saved. Go on with: continuo team deploy ${file} --resume ${id}`,
    speaksNext: (names: string) => `next: ${names}`,
    unknownModel: (model: string) => `From now on ${model} answers.`,
    ofATeam: (team: string) => `This conversation belongs to the team ${team}. To go on with the team: /team deploy FILE`,
  },
};
