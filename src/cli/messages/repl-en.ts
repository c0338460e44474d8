// What the terminal application says in English.

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export const replEn = {
  repl: {
    you: 'You',
    yourTodos: (done: number, all: number) => `Your list (${done} of ${all} done)`,
    answerer: 'Answer',
    picker: {
      here: (project: string) => `Conversations of ${project}`,
      everywhere: 'Conversations of all projects',
      begin: 'New conversation',
      keys: {
        here: 'Enter opens · ↑↓ choose · Tab all projects · Esc new · Ctrl-C leaves',
        everywhere: 'Enter opens · ↑↓ choose · Tab this project · Esc new · Ctrl-C leaves',
      },
      wrongKey: 'That key does nothing here.',
      none: 'Nothing is stored yet.',
      loading: 'Reading…',
      more: 'More further down…',
      headings: { title: 'TITLE', active: 'ACTIVE', messages: 'ENTRIES', project: 'PROJECT' },
    },
    help: [
      'Enter sends. Alt-Enter, Shift-Enter where the terminal tells it, or a backslash at the end of the line begins another line.',
      'Tab completes commands and names of members; @name gives a member the word. Up and down bring back what you said here before.',
      'Esc stops an answer; what had been said is saved. Ctrl-C twice or Ctrl-D leaves.',
    ],
    earlier: (count: number) => `… ${plural(count, 'earlier entry', 'earlier entries')}`,
    pasted: (lines: number) => `[pasted ${plural(lines, 'line', 'lines')}]`,
    confirmLeaving: 'Ctrl-C once more leaves; everything is saved.',
    stopping: 'Stopping…',
    leaving: 'Saving…',
    choose: (keys: string) => `Choose [${keys}]`,
    noAnswer: (keys: string) => `That is no answer. Type one of ${keys} and press Enter.`,
    speaks: (name: string, seconds: number) => `${name} answers, ${seconds} s`,
    members: (count: number) => plural(count, 'member', 'members'),
    tokens: (count: string) => `${count} tokens`,
    saved: { opening: 'opening', nothing: 'nothing said yet', saved: 'saved', saving: 'saving', 'not-kept': 'not kept' },
    untitled: 'new conversation',
    todosOf: (name: string, done: number, all: number) => `${name} plans (${done} of ${all} done)`,
    moreTodos: (count: number) => `… ${count} more`,
    teamLeft: (name: string) => `Left the team ${name}; everything is saved.`,
    left: (id: string) => `Saved. Go on with: continuo chat --resume ${id}`,
    leftTeam: (file: string, id: string) => `Saved. Go on with: continuo team deploy ${file} --resume ${id}`,
    held: (pid: string, host: string) => `This conversation is open in another process (${pid} on ${host}), which writes it.`,
    heldChoices: { fork: 'Go on in a branch, which shares everything said so far', again: 'Try again' },
    teamHeld: (pid: string, host: string) =>
      `This session of the team is open in another process (${pid} on ${host}). Leave it there first, or begin anew: /team deploy, then n.`,
    ofATeam: (team: string) => `This conversation belongs to the team ${team}. To go on with the team: /team deploy FILE`,
  },
};
