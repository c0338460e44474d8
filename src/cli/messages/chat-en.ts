// What the program says in English while people talk: chat, replay, approvals, MCP servers.

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export const chatEn = {
  chat: {
    model: (id: string) => `model ${id}`,
    offline: 'offline: no model is set, answers are quotes from what is stored (/model provider:model chooses one)',
    sandbox: (name: string, network: boolean) => `commands in a sandbox (${name}), network ${network ? 'on' : 'off'}`,
    noSandbox: (reason: string) => `no sandbox (${reason}): you are asked about every command`,
    sandboxOff: 'it is switched off',
    noTools: 'no tools',
    begins: (project: string) => `new conversation in ${project}`,
    resumed: (id: string, ago: string, entries: number, items: number, tokens: number) =>
      `resumed ${id}, last active ${ago}: ${plural(entries, 'entry', 'entries')}, ${items} in view (about ${plural(tokens, 'token', 'tokens')})`,
    otherFolder: (begun: string, here: string) =>
      `It was begun in ${begun}; files and commands are those of ${here} (--project chooses).`,
    keys: 'Ctrl-C stops an answer, Ctrl-D leaves, /help says more.',
    help: [
      'Enter sends. A line that ends with a backslash goes on in the next; a pasted text is one message.',
      'While an answer is given: what you type goes into the turn, Ctrl-C stops it. What had been said is saved.',
      'To leave: Ctrl-D or /quit, or Ctrl-C where nothing is being answered. The way back is said then.',
      'Up and down go through what you typed. A line that begins with // is sent with one slash.',
    ],
    interrupted: 'The last answer was interrupted. What had been saved of it is there, marked as interrupted.',
    interruptedUnsaid: 'The last turn was interrupted before any of its answer was saved. What you had said is there.',
    left: (id: string) => `Saved. Go on with: continuo chat --resume ${id}`,
    leftUnkept: 'Nothing was kept: the policy of this conversation is none.',
    nothingSaid: 'Nothing was said, so nothing was saved.',
    historyHere: (count: string, name: string, ago: string) =>
      `This folder has ${count === '1' ? 'a conversation' : `${count} conversations, the newest`} last active ${ago}: ${name}\nGo on with it: continuo chat --continue`,
    nothingHere: (project: string) => `No conversation of ${project} is stored. Begin one: continuo chat`,
    goOn: (id: string) => `Go on with: continuo chat --resume ${id}`,
    locked: (id: string) =>
      `To go on without waiting, branch off: continuo fork ${id}, then continuo chat --resume with the id of the fork. To wait for the writer: --wait 30s`,
    stopped: (isKept: boolean): string =>
      isKept ? 'Stopped. What had been said is saved.' : 'Stopped. Nothing was kept: the policy of this conversation is none.',
    stopping: 'Stopping…',
    thinking: 'thinking…',
    retry: (attempt: number, seconds: number, reason: string) => `${reason}; trying again in ${seconds} s (attempt ${attempt})`,
    retryReasons: {
      'model-rate-limited': 'The provider allows no more requests for now',
      'model-unreachable': 'The provider cannot be reached',
      other: 'The provider failed',
    },
    trimmed: (dropped: number) =>
      `${plural(dropped, 'older entry is', 'older entries are')} no longer shown to the model; the log keeps everything.`,
    drained: (count: number) => `${plural(count, 'message', 'messages')} taken into this turn`,
    lines: (count: number) => plural(count, 'line', 'lines'),
    denied: 'not allowed',
    waitingForInput: 'Reading standard input; Ctrl-D ends it.',
    noInput: 'Nothing came on standard input for 3 seconds; going on without it.',
    mcpProblem: (server: string, reason: string) => `MCP server ${server}: ${reason}`,
    notice: {
      question: (summary: string) => `A question waits for you: ${summary}`,
      done: (seconds: number) => `The answer is there, after ${seconds} s`,
      failed: (seconds: number) => `The turn failed, after ${seconds} s`,
    },
    noText: 'There is no text to send.',
    textTwice: 'Say it once: as the argument or with -p.',
    onlyOneOf: (flags: string) => `Only one of ${flags} can be given.`,
    noFolder: (folder: string) => `${folder} is no folder.`,
    notSeconds: (flag: string, value: string) => `${flag} needs seconds or a span like 90s or 5m, not "${value}".`,
  },

  approval: {
    asks: (tool: string) => `${tool} needs permission:`,
    because: (reason: string) => `asked because ${reason}`,
    everywhere: 'in every place where it stands:',
    moreLines: (count: number) => `… ${plural(count, 'more line', 'more lines')}`,
    once: 'yes, this once',
    hour: (rule: string) => `yes, for an hour in this conversation: ${rule}`,
    conversation: (rule: string) => `yes, always in this conversation, also when it is resumed: ${rule}`,
    session: (rule: string) => `yes, always here and in conversations that this one opens later: ${rule}`,
    no: 'no',
    answer: (keys: string) => `Allow? [${keys}]`,
    withdrawn: 'The question is no longer asked.',
    asked: (rule: string) => `exactly ${rule}`,
    andMore: (rule: string) => `${rule} …`,
    onlyExact: (rule: string) =>
      `The rule "${rule}" allows exactly this command and nothing that begins with it, because that could run anything. Name the whole command that is to be allowed.`,
  },

  replay: {
    stepping: 'Enter shows the next entry, Ctrl-C ends.',
    notAPace: 'real-time, fast, step',
    speedNeedsPace: '--speed needs --pace real-time.',
    stepNeedsTerminal: '--pace step needs a terminal to press Enter in.',
    notASpeed: (value: string) => `--speed needs a number above 0, not "${value}".`,
  },

  approvals: {
    headings: { id: 'ID', rule: 'ALLOWED', scope: 'WHERE', given: 'GIVEN', expires: 'UNTIL' },
    none: 'Nothing is allowed for good. Whatever needs permission is asked, or decided by the settings approvals.allow and approvals.deny.',
    inConversation: (id: string) => `conversation ${id}`,
    inSession: (id: string) => `session of ${id}`,
    forever: 'until revoked',
    expired: 'expired',
    exactly: (rule: string) => `${rule} (exactly)`,
    revoked: (rule: string) => `Taken back: ${rule}`,
    revokedAll: (count: number) => `${plural(count, 'approval', 'approvals')} taken back.`,
    question: (count: number) => `Take back ${plural(count, 'approval', 'approvals')}? [y/N]`,
    revokeWhat: 'Say which: continuo approvals revoke ID, or --all.',
    listTakesNone: 'Use it like this: continuo approvals list',
  },

  mcp: {
    headings: { server: 'SERVER', state: 'STATE', tools: 'TOOLS', time: 'TIME', how: 'REACHED BY' },
    states: { ready: 'works', failed: 'failed', disabled: 'disabled', named: 'named' },
    none: (path: string) => `${path} names no servers.`,
    noFile:
      'No file with MCP servers is named. Give one with --mcp-config FILE, or for good: continuo config set mcp.config FILE',
    unknownServer: (name: string, known: string) => `There is no server "${name}". The file names: ${known}`,
    failed: (server: string, reason: string) => `${server} failed: ${reason}`,
    remark: (server: string, reason: string) => `${server}: ${reason}`,
    seconds: (seconds: string) => `${seconds} s`,
    howToTest: 'Connect to them: continuo mcp test',
  },
};
