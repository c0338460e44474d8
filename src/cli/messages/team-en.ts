// What the program says in English about teams, and the help for them.
import type { Example } from './example.ts';

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export const teamEn = {
  team: {
    between: ', ',
    headings: { id: 'ID', name: 'NAME', kind: 'KIND', speaks: 'SPEAKS BY', order: 'ORDER', role: 'ROLE' },
    sessionHeadings: { id: 'SESSION', active: 'ACTIVE', messages: 'MESSAGES', about: 'ABOUT' },
    teamHeadings: { id: 'TEAM', sessions: 'SESSIONS', active: 'ACTIVE', members: 'MEMBERS', file: 'FILE', name: 'NAME' },
    kinds: { human: 'human', model: 'model', program: 'program' },
    historyHint: (sessions: number, ago: string, messages: number) =>
      `This team has ${plural(sessions, 'session', 'sessions')}, last active ${ago} (${plural(messages, 'message', 'messages')}). This is a new one; --resume goes on.`,
    found: (moment: string, messages: number) =>
      `Found an earlier session (${moment}, ${plural(messages, 'message', 'messages')}).`,
    choices: ['[R] Resume', '[N] Start new'],
    choose: 'R or N?',
    start: (team: string, members: string, messages: number) =>
      `Team ${team}: ${members}${messages > 0 ? ` · resumed with ${plural(messages, 'message', 'messages')}` : ''}`,
    keys: 'What you type is said to the team; [NEXT: name] addresses one. Ctrl-C stops who speaks, /end leaves, /help says more.',
    help: [
      'Without [NEXT: …] those speak who are still waiting, else everybody in order. [TEAM_TASK: …] sets the task.',
      'A line that ends with a backslash goes on in the next. A line that begins with // is sent with one slash.',
      'To leave: /end, Ctrl-D, or Ctrl-C where nobody speaks. Everything is saved.',
    ],
    byChat: (id: string) => `Leave this talk first, then: continuo chat --resume ${id}`,
    begunAnew: 'A new session of the team begins with your next words.',
    left: (id: string) => `Saved. Go on with: --resume ${id}`,
    saveSkipped:
      'Another process has saved a newer state of this session; its file stays. What was said here is in the log all the same.',
    fromLogAlone: 'The session goes on from the log; nothing of it is missing.',
    memberFailed: (member: string, reason: string) => `${member} could not finish: ${reason} The others go on.`,
    memberLeft: (name: string, messages: number) =>
      `${name} is not in the team any more; ${plural(messages, 'message stays', 'messages stay')} under that name.`,
    unknownNames: (member: string, names: string) => `${member} called somebody who is not in the team: ${names}`,
    taskChanged: (task: string) => `Task: ${task}`,
    todo: (member: string, items: string) => `${member} plans: ${items}`,
    roundLimit: (rounds: number, names: string) =>
      `The members have talked for ${plural(rounds, 'round', 'rounds')}. Still waiting: ${names}. Say something to let them go on.`,
    addressed: (human: string) => `${human} is asked.`,
    timedOut: 'Stopped: the time was up. What had been said is saved.',
    nobodyAnswered:
      'No member of the team was called, so nobody answered. Address one with [NEXT: name], or leave the marker out.',
    noSessionYet: (team: string) => `The team ${team} has no session to go on with yet. Without --resume a new one begins.`,
    stopped: 'Stopped. What had been said is saved.',
    written: (path: string) => `Wrote ${path}.`,
    tryIt: (file: string) => `Try it: continuo team deploy ${file} -p "…"`,
    otherEnding: (example: string, ending: string) => `The example ${example} is a ${ending} file.`,
    fine: (name: string, id: string) => `${name} (${id}) is fine.`,
    rightButSilent: (name: string, id: string, members: number) =>
      `The file of ${name} (${id}) is right, but ${plural(members, 'member', 'members')} could not speak here.`,
    cannotSpeak: (member: string, reason: string) => `${member} could not speak here: ${reason}`,
    noSessions: (team: string) => `No session of the team ${team} is saved.`,
    noTeams: 'There is no team file in this folder and no session of a team. Write one: continuo team init',
    unfit: (flag: string, action: string) => `The option ${flag} does not go with "team ${action}".`,
    listTakesNone: 'Use it like this: continuo team list',
    needsFile: (action: string) => `Name the team file: continuo team ${action} FILE`,
    noText: 'There is nothing to say to the team. Give it with -p, or on standard input.',
  },

  sessionFiles: {
    label: 'Team sessions',
    counted: (sessions: number, teams: number, size: string, damaged: number) =>
      `${sessions} of ${plural(teams, 'team', 'teams')} (${size})${damaged > 0 ? `, ${damaged} damaged` : ''}`,
    goAlong: (count: number) => `With ${plural(count, 'session file', 'session files')} of a team:`,
    went: (count: number) => `${plural(count, 'session file', 'session files')} of a team went along.`,
    found: (sessions: number, teams: number) =>
      `${plural(sessions, 'session file', 'session files')} of ${plural(teams, 'team', 'teams')} can be read`,
    damagedNext: 'Nothing is lost: every message is in the log. Resuming the session writes a new file and sets this one aside.',
    unreadable: (path: string, reason: string) =>
      `The session file ${path} cannot be read: ${reason}. What the log has of the session is there all the same.`,
    nowAside: (path: string, name: string) => `A new session file took the place of ${path}; the damaged one is kept as ${name}.`,
    setAside: (count: number) => `${plural(count, 'damaged session file was', 'damaged session files were')} set aside`,
    setAsideNext: 'They go when their session is purged. What they held is in the log; delete them if nobody needs them.',
    plain: (count: number) =>
      `${plural(count, 'session file is', 'session files are')} not sealed although the store is encrypted`,
    plainNext: 'Seal them with: continuo doctor --fix',
    sealed: (count: number) => `${plural(count, 'session file was', 'session files were')} sealed with the key of the store`,
    loose: (count: number) => `${plural(count, 'session file', 'session files')} among them can be read by other users`,
    verified: (count: number) => `${plural(count, 'session file', 'session files')} of teams, the same too.`,
    carried: (count: number) =>
      `${plural(count, 'damaged session file was', 'damaged session files were')} converted byte by byte; see continuo doctor`,
  },
};

export const teamHelpEn = {
  team: {
    summary: 'Teams of people, models and agent programs',
    description:
      'A team file (team.json or team.toml) names members, their roles and limits. deploy seats the team: members speak in turn, call each other with [NEXT: name] and come back to you. Every message is saved when it is said. Scripts begin a new session unless --resume is given; at a terminal you are asked.',
    arguments: {
      action: 'list (default), init, check, deploy or history',
      file: 'The team file; for history the id of a team will do',
    },
    options: {
      prompt: 'Say this, print what the members say, and end',
      resume: 'Go on with the session of this id, or with the newest',
      new: 'Begin a new session without being asked',
      maxRounds: 'Rounds of members before a human is asked',
      model: 'The model of members that name none',
      baseUrl: "Its address, instead of the provider's own",
      timeout: 'Stop the members after so long: seconds, or 90s, 5m',
      policy: 'What is kept of a new session: full, headers-only, none or ttl:30d',
      project: 'The folder that programs work in (else this one)',
      wait: 'Wait so long for another process that holds the session',
      streamJson: 'Print every event as a line of JSON while it happens',
      from: 'For init: review (default) or planning',
      force: 'For init: overwrite the file',
    },
    examples: [
      { command: 'continuo team init team.json', means: 'A code review team to begin with' },
      { command: 'continuo team check team.json', means: 'Is the file right, and could everybody speak here?' },
      { command: 'continuo team deploy team.json -p "Review the last commit"', means: 'One turn, for scripts' },
      { command: 'continuo team deploy team.json --resume -p "And the tests?"', means: 'Go on with the newest session' },
      { command: 'continuo team history team.json', means: 'The sessions of the team' },
    ] as Example[],
  },
};
