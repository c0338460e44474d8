// What slash commands say in English.

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export const slashEn = {
  slash: {
    /** What stands for a word of the user's in the ways to call a command. */
    names: {
      command: 'COMMAND',
      file: 'FILE',
      id: 'ID',
      title: 'TITLE',
      words: 'WORDS',
      entry: 'ENTRY',
      model: 'PROVIDER:MODEL',
      text: 'TEXT',
      number: 'NUMBER',
    },
    unknown: (given: string) => `Not sent: there is no command ${given}.`,
    nearest: (name: string) => `Did you mean /${name}?`,
    seeHelp: '/help names them all.',
    toSend: 'To send it as it is, begin with two slashes.',
    usage: (ways: string) => `Use it like this: ${ways}`,
    notHere: (name: string) => `/${name} does not work in this talk.`,
    onlyConversation: (name: string) =>
      `/${name} is for conversations with a model; a team's members keep to a window of their own.`,
    nothingSaid: 'Nothing was said yet, so there is nothing to do that to.',
    turnedAway: 'Nothing was changed.',
    help: {
      summary: 'The commands, or one of them',
      also: (aliases: string) => `Also: ${aliases}`,
      more: 'A line that begins with // is sent with one slash.',
    },
    team: {
      summary: 'Seat a team, list teams, see who speaks',
      none: 'No team is seated. Seat one: /team deploy FILE',
      byCommand: (file: string) => `Leave this talk first, then: continuo team deploy ${file}`,
      resume: 'Resume',
      begin: 'Start new',
      status: {
        head: (name: string, id: string, messages: number) => `${name} (${id}) · ${plural(messages, 'message', 'messages')}`,
        task: (task: string) => `Task: ${task}`,
        states: { idle: 'at rest', active: 'at work', paused: 'waiting for a human', completed: 'ended' },
        saved: 'saved',
        unsaved: 'snapshot due; the log has everything',
        speaking: 'speaks now',
        next: (place: number) => `speaks next (${place})`,
        session: (id: string) => `Session ${id}`,
      },
    },
    resume: {
      summary: 'Go on with a stored conversation',
      which: 'Which conversation?',
      whichOfAll: 'Which conversation, of all projects?',
      noneHere: 'This folder has no other conversation. See all: /resume all',
      none: 'There is no other conversation.',
      already: 'That one is open already.',
      ofTeam: (team: string) =>
        `That conversation belongs to the team ${team}, and no file of it is in this folder. Seat it with: /team deploy FILE`,
    },
    new: { summary: 'Begin a new conversation' },
    search: { summary: 'Search every conversation' },
    recall: { summary: 'What would be recalled for these words, and why' },
    fork: { summary: 'Branch off and go on in the branch' },
    rename: {
      summary: 'Give the conversation a title',
      title: 'Title (empty takes it away):',
    },
    pin: { summary: 'Mark it so that no cleanup touches it' },
    compact: {
      summary: 'Show the model a summary of what was said',
      done: (before: number, after: number) =>
        `From now on the model reads a summary: about ${after} instead of ${plural(before, 'token', 'tokens')}. The log keeps everything; /uncompact shows it again.`,
      nothing: 'Nothing was said since it was last compacted.',
    },
    uncompact: {
      summary: 'Show the model everything again',
      done: (items: number, tokens: number) =>
        `The model reads ${plural(items, 'entry', 'entries')} again, about ${plural(tokens, 'token', 'tokens')}.`,
      nothing: 'Nothing is compacted.',
    },
    approvals: {
      summary: 'What you allowed for good, and taking it back',
      howToRevoke: 'Take one back: /approvals revoke ID',
    },
    model: {
      summary: 'Which model answers, and another one',
      now: (model: string) => `Answers come from ${model}.`,
      offline: 'No model is set: answers are quotes from what is stored.',
      changed: (model: string) => `From the next turn on ${model} answers.`,
      ofTeam: 'Each member of a team has its own model; the team file names it.',
    },
    export: {
      summary: 'Write the conversation into a file',
      exists: (file: string) => `${file} is there already.`,
      overwrite: 'Overwrite it',
      keep: 'Leave it as it is',
    },
    todo: {
      summary: 'The lists that members published',
      none: 'Nobody has published a list. Lists are shown and never stored.',
      noSuch: (number: string) => `Your list has no item ${number}.`,
    },
    end: { summary: 'End this team or conversation, saved' },
    quit: { summary: 'Leave; everything is saved' },
  },
};
