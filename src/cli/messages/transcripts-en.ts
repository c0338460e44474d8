// What the program says in English about the sessions of other agents, and the help for it.
import type { Example } from './example.ts';

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
const entriesOf = (count: number) => plural(count, 'entry', 'entries');
const sessionsOf = (count: number) => plural(count, 'session', 'sessions');

export const transcriptsEn = {
  import: {
    label: 'Importing',
    counting: 'Looking',
    between: ', ',
    headings: { agent: 'AGENT', folder: 'FOLDER', sessions: 'SESSIONS', size: 'SIZE', fresh: 'NEW', grown: 'GROWN' },
    nothing: (places: string) => `No session was found in: ${places}`,
    nothingSince: (count: number, when: string) =>
      `Nothing changed since ${when}: ${count === 1 ? 'the 1 session there is' : `the ${count} sessions there are`} older.`,
    emptyFolder: (word: string) => `No session was found in ${word}.`,
    archive: (word: string) => `${word} is an archive. Unpack it, and import the folder that comes out.`,
    taken: ({ created, grown }: { created: number; grown: number }, entries: number, messages: number) =>
      created + grown + entries === 0
        ? 'Nothing new.'
        : `${takenOf(created, grown)}: ${entriesOf(entries)}, ${messages} of them messages.`,
    wouldTake: (created: number, grown: number, entries: number, messages: number) =>
      `An import would make ${plural(created, 'conversation', 'conversations')} and add to ${grown}: up to ${entriesOf(entries)}, ${messages} of them messages. Nothing was written.`,
    others: (parts: string) => `Not touched: ${parts}.`,
    unchanged: (count: number) => `${count} unchanged`,
    nothingSaid: (count: number) => `${count} in which nothing was said`,
    inTrash: (count: number) => `${count} whose conversation is in the trash`,
    purged: (count: number) =>
      `${count} whose ${count === 1 ? 'conversation was' : 'conversations were'} purged here; --again takes ${count === 1 ? 'it' : 'them'} back`,
    leftOut: (parts: string) => `Left out: ${parts}.`,
    reasons: {
      harness: (count: number) => `${count} of the agents' own notes`,
      repeat: (count: number) => plural(count, 'repetition', 'repetitions'),
      empty: (count: number) => `${count} without words`,
      unknown: (count: number) => `${count} of an unknown kind`,
      broken: (count: number) => plural(count, 'broken place', 'broken places'),
      'too-long': (count: number) => plural(count, 'line that is too long', 'lines that are too long'),
      link: (count: number) => plural(count, 'link', 'links'),
      refused: (count: number) => `${count} that cannot be stored`,
    },
    broken: (failed: number, broken: number) =>
      failed > 0
        ? `${sessionsOf(failed)} could not be read${broken > 0 ? `, nor ${plural(broken, 'place', 'places')} in files` : ''}; everything else was:`
        : `${plural(broken, 'place', 'places')} could not be read; everything else was:`,
    faults: {
      broken: 'not readable',
      'too-long': 'too long',
      link: 'not followed',
      refused: 'not stored',
    } as Readonly<Record<string, string>>,
    more: (count: number) => `… and ${count} more (--json names more of them)`,
    indexLater: 'The search index could not follow; the next search makes up for it.',
    watching: 'Waiting for what agents write. Ctrl-C ends it.',
    grew: (at: string, agent: string, id: string, name: string, entries: number) =>
      `${at}  ${agent}  ${id}  +${entries}  ${name}`,
    watchWrites: '--dry-run and --watch do not go together: one writes nothing, the other keeps writing.',
    unknownSource: (word: string, names: string) => `"${word}" is neither an agent nor a file or folder. Agents: ${names}.`,
    needsPath: (label: string) => `${label} has no folder of its own. Name the file or the folder: continuo import PATH`,
    unknownFile: (word: string, names: string) =>
      `${word} is no session of an agent that is known here. Name a file or a folder with sessions, or an agent: ${names}.`,
    mistaken: (count: number) => `${count} of the named sources could not be used:`,
  },

  handoff: {
    between: ', ',
    question: (name: string, agent: string, root: string) => `Write "${name}" as a session of ${agent} into ${root}? [y/N]`,
    done: (entries: number, agent: string, files: string) => `${entriesOf(entries)} written as a session of ${agent}: ${files}`,
    lost: (parts: string) => `Not carried over: ${parts}.`,
    kinds: {
      thinking: 'thinking',
      'tool-call': 'calls without an id that fits',
      'tool-result': 'results without their call',
      summary: 'summaries',
      label: 'labels',
      event: 'events',
      'system message': 'system messages',
      withheld: 'text a policy did not keep',
    } as Readonly<Record<string, string>>,
    goOn: 'Go on with it there:',
    notConfirmed: 'Nothing was written: nobody said yes. Run it again with --yes if it is what you want.',
    otherFolder: (gone: string, folder: string) => `The folder ${gone} is not there any more; it goes on in ${folder}.`,
    needsTerminal: '--run needs a terminal. Without it the session is written, and the command that goes on with it is shown.',
    otherRoot: (agent: string, root: string) =>
      `${agent} looks for sessions in its own folder: it finds this one when it is told to keep them in ${root}.`,
    notInstalled: (agent: string, program: string) => `${agent} was not found here: there is no program ${program} in the PATH.`,
  },

  open: {
    notInstalled: (agent: string, program: string) =>
      `${agent} is not installed: there is no program ${program} in the PATH. Install it, or hand the conversation over to another agent: continuo handoff ID --to AGENT`,
    needsTerminal: (what: string) => `${what} needs a terminal. "continuo open ID --print" shows the command.`,
    notImported: 'it was not imported from an agent',
    cannotResume: (agent: string) => `${agent} cannot go on with a session by itself`,
    folderGone: (folder: string) => `its folder ${folder} is gone, and its project was seen nowhere else`,
    handOver: (id: string) => `What was said is stored here. Go on with it in any agent: continuo handoff ${id} --to AGENT`,
    chatOrHandOver: (id: string) =>
      `Go on with it here: continuo chat --resume ${id}. Or in another agent: continuo handoff ${id} --to AGENT`,
    relink: (id: string) =>
      `If the project is elsewhere now, go there and run: continuo relink --to PROJECT. Or go on in any folder: continuo handoff ${id} --to AGENT`,
    moved: (from: string, to: string, agent: string, handoff: string) =>
      `The project moved from ${from} to ${to}. Should ${agent} not find the session there: ${handoff}`,
    parentOpened: (id: string) => `This is what a sub-agent did; the session it worked for is opened: ${id}`,
  },

  subAgents: {
    mark: '[sub-agent]',
    of: (id: string) => `sub-agent of ${id}`,
    hidden: (count: number) => `${plural(count, 'conversation of a sub-agent', 'conversations of sub-agents')} not shown: --all`,
  },
};

export const transcriptsHelpEn = {
  import: {
    summary: 'Bring in the sessions of other agents',
    description:
      'Finds the sessions that Claude Code, Codex, Gemini CLI and others keep on this computer, shows what it found, and makes a conversation of each, with what was said, thought, called and answered, where and when. It can be run as often as you like: a session that grew grows here, nothing is doubled, and what its agent deletes stays. What an agent wrote for itself is left out. A file that cannot be read is told about and does not stop the rest (exit code 5). Sub-agents become conversations of their own, which lists leave out unless asked (list --all).',
    arguments: { sources: 'all (default), an agent (claude-code, codex, …), or files and folders' },
    options: {
      dryRun: 'Only say what would be imported',
      again: 'Also take back sessions whose conversations were purged here',
      watch: 'Keep importing while the agents write, until Ctrl-C',
      since: 'Only sessions that changed since: 7d, 12h, or a date like 2026-01-31',
    },
    examples: [
      { command: 'continuo import', means: 'Everything there is, of every agent that is installed' },
      { command: 'continuo import --dry-run', means: 'What would be imported' },
      { command: 'continuo import codex --since 7d', means: 'What Codex was told in the last week' },
      { command: 'continuo import /mnt/old-laptop/home/me', means: 'Sessions of any agent, wherever they lie' },
      { command: 'continuo import --watch', means: 'Keep up with what agents write' },
    ] as Example[],
  },
  handoff: {
    summary: 'Go on with a conversation in another agent',
    description:
      'Writes a conversation as a session of another agent, in the folder that agent keeps its sessions in, and prints the command that goes on with it there. No file is replaced. What the other agent has no place for is named.',
    options: {
      to: 'The agent: claude-code, codex, gemini, qwen, pi, …',
      root: "Another folder than the agent's own",
      yes: 'Do not ask (needed where no terminal is attached)',
      run: 'Start the agent with it at once',
    },
    examples: [
      { command: 'continuo handoff latest --to codex', means: 'Asks, writes, and shows how to go on' },
      { command: 'continuo handoff cnv_01k3x9ab --to claude-code --yes --run', means: 'Goes on in Claude Code at once' },
    ] as Example[],
  },
  open: {
    summary: 'Go on with an imported conversation in its own agent',
    description:
      'Starts the agent a conversation was imported from, with that very session, in the folder it was held in; where the project was moved, in the folder where it is now.',
    options: { print: 'Only show the command' },
    examples: [
      { command: 'continuo open cnv_01k3x9ab', means: 'From wherever you are' },
      { command: 'continuo open cnv_01k3x9ab --print', means: 'The command, to be run by yourself' },
    ] as Example[],
  },
};

function takenOf(created: number, grown: number): string {
  if (created + grown === 0) return 'Taken from what could not be read to its end';
  if (created === 0) return `${plural(grown, 'conversation', 'conversations')} grew`;
  return `Imported ${plural(created, 'conversation', 'conversations')}${grown > 0 ? `, ${grown} more grew` : ''}`;
}
