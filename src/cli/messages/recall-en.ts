// What the program says in English about finding earlier conversations and the projects they belong to, and the help for it.
import type { Example } from './example.ts';

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
const conversations = (count: number) => plural(count, 'conversation', 'conversations');

export const recallEn = {
  search: {
    /** Where a conversation has neither a title nor words that may be shown. */
    nameless: 'conversation without a title',
    project: (name: string) => `project ${name}`,
    agent: (name: string) => `agent ${name}`,
    who: { user: 'user', assistant: 'assistant', system: 'system', tool: 'tool', summary: 'summary', title: 'title' },
    found: (hits: number, groups: number, searched: string) =>
      `${plural(hits, 'passage', 'passages')} in ${conversations(groups)}. ${searched}`,
    searched: (entries: number, count: number) =>
      `Looked through ${plural(entries, 'entry', 'entries')} of ${conversations(count)}.`,
    incomplete: 'Not everything was looked through; "continuo reindex" makes up for what is missing.',
    nothing: {
      'nothing-stored': 'Nothing was found: nothing is stored yet that may be shown here.',
      'nothing-asked':
        'Words like these alone are not searched for, nor are signs and emoji. In quotes words are: continuo search \'"continue"\'',
      'below-threshold': 'Nothing was found that is near enough to these words.',
      filtered: 'Nothing was found with these filters; without them there is something.',
      'index-behind': 'Nothing was found so far: not everything is indexed yet. Finish it with: continuo reindex',
    },
    why: {
      lexical: (score: string) => `words ${score}`,
      semantic: (score: string) => `meaning ${score}`,
      recency: (score: string) => `age ${score}`,
      project: (score: string) => `project ${score}`,
      role: (score: string) => `speaker ${score}`,
      total: (score: string) => `score ${score}`,
      terms: (terms: string) => `holds ${terms}`,
      answers: 'answers the passage before it',
    },
    noWords: 'Say what to look for: continuo search WORDS',
  },

  recall: {
    /** What is asked where no words are given. */
    goOn: 'continue',
    asked: (text: string) => `Asked: ${text}`,
    why: {
      continues: 'It goes on with one conversation:',
      'two-candidates': 'Two conversations may be meant; the model is told to ask which:',
      found: 'Found by its content:',
      'nothing-said': 'Nothing would be put into the prompt: nothing was said yet that may be seen here.',
      'nothing-then': 'Nothing would be put into the prompt: nothing was said at that time.',
      'nothing-about-it': 'Nothing would be put into the prompt: nothing was said before that is near enough.',
      'nothing-asked': 'Nothing would be put into the prompt: the words hold nothing to look for.',
      'already-present': 'Nothing would be put into the prompt: the conversation holds all of it already.',
      'does-not-fit': 'Nothing would be put into the prompt: the token budget is too small (recall.token_budget).',
    },
    because: {
      content: 'it holds what was asked for',
      newest: 'the newest',
      'newest-here': 'the newest of this project',
      'open-work': 'something was left open',
      time: 'said at that time',
      'went-on-from': 'the newest goes on from it',
    },
    tokens: (used: number, budget: number) => `About ${plural(used, 'token', 'tokens')} of ${budget} (recall.token_budget):`,
    off: 'Recall is switched off (recall.enabled): chat would put nothing into the prompt by itself.',
    /** In chat, before the answer. */
    from: (names: string) => `from earlier: ${names}`,
    source: (name: string, project: string | undefined, ago: string, id: string) =>
      `"${name}" (${project === undefined ? '' : `project ${project}, `}${ago}, ${id})`,
    between: ', ',
    failed: (reason: string) => `Earlier conversations could not be looked up: ${reason}`,
    slow: 'it took too long',
    dimension: (found: number) =>
      `The ${found} of the embedder are used. Agree with it: continuo config set conversation.semantic_search.embedding_dimension ${found} (or unset it).`,
  },

  summary: {
    /** In chat, where the model was to write it. */
    writtenLocally: (reason: string) =>
      `The model did not write the summary; it is made of the conversation's own sentences. ${reason}`,
    failed: (reason: string) => `No summary was written: ${reason}`,
  },

  exclude: {
    excluded: (id: string) => `${id} is left out of recall: no search finds it and no chat quotes it, from now on.`,
    included: (id: string) => `${id} may be found and quoted again.`,
  },

  projects: {
    headings: { name: 'PROJECT', kind: 'KNOWN BY', path: 'FOLDER', conversations: 'TALKS', active: 'ACTIVE' },
    kinds: { git: 'git history', marker: 'marker file', path: 'path', name: 'name' },
    private: 'private',
    here: 'here',
    none: 'No project has conversations yet.',
    unknown: (named: string) => `There is no project "${named}". See which there are: continuo projects`,
    severalCalled: (named: string, keys: string) => `Several projects are called "${named}". Name one by its key: ${keys}`,
    nowPrivate: (name: string) => `What is said in ${name} is shown in ${name} only, from now on.`,
    notPrivate: (name: string) => `What is said in ${name} may be found from anywhere again.`,
    wasPrivate: (name: string) => `${name} was private already.`,
    wasNotPrivate: (name: string) => `${name} was not private.`,
    usage: 'Use it like this: continuo projects private PROJECT [--off]',
    unconfirmed: (name: string) =>
      `This folder looks like the private project ${name}, but it was never used here. If it is: continuo relink --to KEY (continuo relink shows it)`,
    notFromCopy: (name: string, key: string) =>
      `This folder only looks like the private project ${name}, and nothing was said in it yet. To make ${name} itself public again: continuo projects private ${key} --off`,
    countsAsPrivate: (name: string | undefined, key: string) =>
      `This folder looks like ${name === undefined ? 'a private project' : `the private project ${name}`}: what is said here counts as private too. If it is that project: continuo relink. If it is not: continuo projects private ${key} --off`,
    leftOut: (name: string | undefined) =>
      `This folder looks like ${name === undefined ? 'a private project' : `the private project ${name}`}: this conversation is left out of search and recall. If it is that project: continuo relink. If it is not: continuo exclude ID --off`,
    marked: (file: string) =>
      `${file} was written: by it this folder is found again when it is moved or renamed. Without such files: continuo config set projects.marker false`,
    unknownPrivate: (names: string) =>
      `recall.private_projects names ${names}, but no project is called so: that protects nothing. See which there are: continuo projects`,
  },

  relink: {
    folder: (path: string) => `Folder: ${path}`,
    recognised: (name: string, key: string) => `Project: ${name} (${key})`,
    how: {
      'root-commit': 'recognised by the beginning of its git history',
      marker: 'recognised by its marker file',
      remote: 'recognised by where it was cloned from',
      path: 'recognised by its path',
      new: 'no conversation is known to belong to it yet',
    },
    confidence: { high: 'nothing else is likely', medium: 'nothing speaks against it', low: 'the folder says nothing more' },
    conversations: (count: number) => `${conversations(count)} stored`,
    unconfirmed: (name: string, key: string) =>
      `It looks like the private project ${name}, which was never used in this folder; its conversations are not shown here. If it is that one: continuo relink --to ${key}`,
    alsoFits: 'Something also speaks for:',
    howTo: 'To say which it is: continuo relink --to KEY_OR_FOLDER',
    plan: (path: string, name: string, key: string) => `${path} will belong to ${name} (${key}).`,
    moves: (count: number) => `${plural(count, 'conversation moves', 'conversations move')} there:`,
    movesNone: 'No conversation has to move.',
    question: 'Do it? [y/N]',
    howToDo: 'Nothing was changed. Do it with: --yes',
    done: (path: string, name: string, moved: number) =>
      `${path} belongs to ${name} now${moved === 0 ? '' : `; ${plural(moved, 'conversation', 'conversations')} moved`}.`,
    same: (name: string) => `It belongs to ${name} already. Nothing was changed.`,
    noConversations: (name: string) => `${name} has no conversations yet that could be linked to.`,
  },

  /** Settings of the design that are accepted and change nothing, and why. */
  withoutEffect: {
    'conversation.db_path': 'conversation.db_path changes nothing: the store is in the home (--home, CONTINUO_HOME).',
    'conversation.auto_save_interval': 'conversation.auto_save_interval changes nothing: every word is saved at once.',
  },

  cleanup: {
    label: 'Tidying up',
    plan: (count: number, all: number) =>
      count === 0 ? `Nothing of ${conversations(all)} would go.` : `${count} of ${conversations(all)} would go into the trash:`,
    reasons: {
      old: 'not used for long',
      contained: 'stands in a newer one',
      unrelated: 'not used for long and like no other',
      'over-limit': 'there are more than wanted',
    },
    kept: (count: number) =>
      `${count} more would go, but ${count === 1 ? 'is' : 'are'} pinned, in use, new, shared, reached by a key or restored.`,
    question: 'Put them into the trash? [y/N]',
    howToDo: 'Nothing was changed. Do it with: --yes',
    done: (count: number, left: number) =>
      `${conversations(count)} in the trash, to be restored until the grace period is over${left === 0 ? '' : `; ${left} left alone, because something changed`}.`,
    tooFew: (least: number) => `Which one is like no other is told from ${least} conversations on.`,
    incomplete: 'There are more than are compared in one go; what was not compared stays.',
    due: (count: number) =>
      `Cleanup is due: ${conversations(count)} would go into the trash. Nothing goes by itself; see which, and decide: continuo cleanup`,
    dueUncounted: 'Cleanup may be due. Nothing goes by itself; see what would, and decide: continuo cleanup',
  },

  index: {
    label: 'Search index',
    finding: (facts: string) => `Search index: ${facts}`,
    absent: 'none yet; the first search makes it',
    damaged: 'damaged',
    'other-version': 'of an older version; the next search makes it anew',
    'newer-version': 'of a newer Continuo; it is left as it is',
    holds: (size: string, documents: number) => `${size}, ${plural(documents, 'passage', 'passages')}`,
    upToDate: 'up to date',
    behind: (entries: number, count: number) => `${plural(entries, 'entry', 'entries')} of ${conversations(count)} behind`,
    noModel: 'words only',
    model: (id: string, isBuilding: boolean, behind: number) =>
      `vectors of ${id}${isBuilding ? ', being made' : ''}${behind === 0 ? '' : `, ${plural(behind, 'passage', 'passages')} to go`}`,
    between: '; ',
    anew: 'Nothing is lost with it. Make it anew with: continuo reindex',
    slow: 'With many conversations that search takes a while. At once: continuo reindex',
    follows: 'The next search makes up for it; at once: continuo reindex',
  },

  reindex: {
    label: 'Indexing',
    catchingUp: 'Catching up with the index',
    waiting: 'The search index is brought up to date first; with many conversations that takes a while.',
    done: (entries: number, documents: number) =>
      `The index is made anew: ${plural(entries, 'entry', 'entries')}, ${documents} to be found.`,
    busy: 'Another program is making the index at this moment. Try again when it is done.',
    problem: (reason: string) =>
      `The index cannot be used; the newest conversations are gone through instead. ${reason}`.trimEnd(),
  },
};

export const recallHelpEn = {
  search: {
    summary: 'Find what was said, in every conversation',
    description:
      'Finds passages by their words and their meaning in every conversation of every folder, in any language, grouped by conversation, the best first. What is private, excluded or in the trash is not shown. Where nothing is near enough it says so, and why.',
    arguments: { words: 'What to look for' },
    options: {
      project: 'Only in this project: here, a folder, a name or a key (continuo projects)',
      agent: 'Only in conversations with this agent',
      role: 'Only what this one said: user, assistant, tool, summary, or the title',
      since: 'Only what was said since: 7d, 12h, or a date like 2026-01-31',
      until: 'Only what was said before: 7d, 12h, or a date like 2026-01-31',
      tag: 'Only in conversations with this tag or topic',
      limit: 'At most so many passages (default 10)',
      explain: 'Say why each passage stands where it does',
    },
    examples: [
      { command: 'continuo search sofa navigation', means: 'In everything that was ever said' },
      {
        command: 'continuo search "connection refused" --project here --since 30d',
        means: 'In this project, in the last thirty days',
      },
      { command: 'continuo search deploy --role assistant --explain', means: 'Only answers, and why they were found' },
      { command: 'continuo search deploy --json', means: 'The same for programs' },
    ] as Example[],
  },
  recall: {
    summary: 'What chat would tell a model about earlier conversations, and why',
    description:
      'Shows what would be put before a model now, in this folder, if somebody said these words: which conversations, for which reason, how many tokens, and the section itself. Without words: what "continue" would go on with. Nothing is sent anywhere.',
    arguments: { words: 'What somebody would say' },
    options: { project: 'As if in this folder (default: this one)' },
    examples: [
      { command: 'continuo recall', means: 'What "continue" would go on with here' },
      { command: 'continuo recall "what did we decide about the cache"', means: 'What would be quoted for a question' },
      { command: 'continuo recall "where were we" --json', means: 'The same for programs' },
    ] as Example[],
  },
  exclude: {
    summary: 'Leave conversations out of recall',
    description:
      'Leaves conversations out of recall: no search finds them, no chat quotes them, and nothing of them stays in the search index. They stay stored, "list" and "show" mark them, and what forks share of them is left out with them.',
    options: { off: 'Take them back into recall instead' },
    examples: [
      { command: 'continuo exclude cnv_01k3x9ab', means: 'No search finds it any more' },
      { command: 'continuo exclude cnv_01k3x9ab --off', means: 'It may be found again' },
    ] as Example[],
  },
  projects: {
    summary: 'The projects conversations belong to',
    description:
      'Lists the projects: how each is recognised, where it was seen last, and how much was said. A project is found again after its folder was moved, renamed or cloned anew. "projects private" keeps what is said in one from being shown anywhere else.',
    arguments: { action: 'list (default) or private', project: 'here, a folder, a name or a key' },
    options: { off: 'Not private any more' },
    examples: [
      { command: 'continuo projects', means: 'All of them, newest first' },
      { command: 'continuo projects private here', means: 'Nothing of this project is shown elsewhere' },
      { command: 'continuo projects private here --off', means: 'It may be found from anywhere again' },
    ] as Example[],
  },
  relink: {
    summary: 'Say which project a folder belongs to',
    description:
      'Shows how a folder is recognised and what else it could be. With --to the folder belongs to that project from now on, and the conversations that were held in it move there; it is shown first, and done with --yes or after a question.',
    arguments: { folder: 'The folder (default: this one)' },
    options: { to: 'The project: a key, a name, or a folder of it', yes: 'Do not ask' },
    examples: [
      { command: 'continuo relink', means: 'How this folder is recognised' },
      { command: 'continuo relink --to ~/old/shop', means: 'What would change if it were the project of that folder' },
      { command: 'continuo relink . --to ~/old/shop --yes', means: 'Make it so' },
    ] as Example[],
  },
  cleanup: {
    summary: 'Put old conversations into the trash, shown first',
    description:
      'Shows which conversations would go into the trash, and why, by the settings conversation.cleanup.* and conversation.max_conversations; with --yes, or after a question, it puts them there. Pinned conversations, those in use and those of the last seven days are never touched, and everything can be restored until the grace period is over.',
    options: { yes: 'Do it, without a question' },
    examples: [
      { command: 'continuo cleanup', means: 'What would go, and why' },
      { command: 'continuo cleanup --yes', means: 'Put it into the trash' },
    ] as Example[],
  },
  reindex: {
    summary: 'Make the search index anew',
    description:
      'Throws the search index away and makes it anew from the conversations. It is never needed in everyday use: the index follows by itself, and nothing is lost with it. With --vectors only what the embedder has not embedded yet is, and the rest stays.',
    options: { vectors: 'Only embed what has no vector yet' },
    examples: [
      { command: 'continuo reindex', means: 'With a progress bar where it takes long' },
      { command: 'continuo reindex --vectors', means: 'Go on with embedding that was interrupted' },
    ] as Example[],
  },
};
