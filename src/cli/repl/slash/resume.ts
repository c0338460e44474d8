// /resume: goes on with a stored conversation: one that is named, or one that is chosen from those of this folder or of all.
import type { Conversation } from '../../../model/conversation.ts';
import { sessionKey } from '../../../team/team-log.ts';
import { findName, namelessWords, projectLabel } from '../../conversation-view.ts';
import { findConversation } from '../../find-conversation.ts';
import { formatAgo } from '../../output/moment.ts';
import { plainLine, shortLine } from '../../output/plain-text.ts';
import { shortenIds } from '../../output/short-ids.ts';
import { findTeamFile } from '../../team/list-teams.ts';
import { type OfferedScope, readOffered } from '../read-offered.ts';
import type { ReplHost } from '../repl-host.ts';
import { type SlashAction, WrongUse } from './slash-command.ts';

const mostOffered = 9;
const mostCompleted = 50;
const longestName = 60;

export const resume: SlashAction = {
  complete: (words, host) => (words.length === 1 ? completeIds(host) : []),
  async run(words, host) {
    const [given] = words;
    if (words.length > 1) throw new WrongUse();
    const isAll = given === 'all';
    const chosen = given === undefined || isAll ? await choose(host, isAll) : await findConversation(host.store, given);
    if (chosen) await goOn(host, chosen);
  },
};

async function choose(host: ReplHost, isAll: boolean): Promise<Conversation | undefined> {
  const words = host.context.text.slash;
  const offered = await collectOffered(host, isAll ? 'everywhere' : 'here');
  if (offered.length === 0) {
    host.say(isAll ? words.resume.none : words.resume.noneHere, 'note');
    return undefined;
  }
  const choices = [];
  for (const [place, conversation] of offered.entries())
    choices.push({ key: String(place + 1), label: await describe(host, conversation, isAll) });
  const key = await host.ask({ lines: [isAll ? words.resume.whichOfAll : words.resume.which], choices });
  const chosen = key === undefined ? undefined : offered[Number(key) - 1];
  if (!chosen) host.say(words.turnedAway, 'note');
  return chosen;
}

async function collectOffered(host: ReplHost, scope: OfferedScope): Promise<Conversation[]> {
  const here = await host.here();
  const offered: Conversation[] = [];
  let cursor: string | undefined;
  do {
    const page = await readOffered(host.store, here, { scope, limit: mostOffered + 1, cursor });
    offered.push(...page.items.filter(({ id }) => id !== host.current.id));
    cursor = page.nextCursor;
  } while (cursor !== undefined && offered.length < mostOffered);
  return offered.slice(0, mostOffered);
}

async function goOn(host: ReplHost, conversation: Conversation): Promise<void> {
  const words = host.context.text.slash.resume;
  const { id, team, key } = conversation;
  if (id === host.current.id) {
    host.say(words.already, 'note');
    return;
  }
  if (team === undefined || !key?.startsWith(sessionKey(''))) {
    await host.openConversation(id);
    return;
  }
  const { current } = host;
  const seated = current.kind === 'team' && current.team.id === team ? current : undefined;
  const found = host.deployTeam && (seated ?? (await findTeamFile(team)));
  if (!found) host.say(words.ofTeam(plainLine(team)), 'warning');
  else await host.deployTeam?.(found.team, { file: found.file, resumeSessionId: key.slice(sessionKey('').length) });
}

async function describe({ context, store }: ReplHost, conversation: Conversation, withProject: boolean): Promise<string> {
  const { text, style, now } = context;
  const name = (await findName(store, conversation)) ?? namelessWords(text, conversation);
  const project = withProject ? projectLabel(conversation) : undefined;
  const facts = [formatAgo(conversation.activeAt, now(), text.time), ...(project === undefined ? [] : [plainLine(project)])];
  return `${shortLine(name, longestName)} ${style.dim(`· ${facts.join(' · ')}`)}`;
}

async function completeIds({ store }: ReplHost): Promise<string[]> {
  const { items } = await store.list({ limit: mostCompleted });
  const ids = await shortenIds(
    store,
    items.map(({ id }) => id),
  );
  return ['all', ...ids.values()];
}
