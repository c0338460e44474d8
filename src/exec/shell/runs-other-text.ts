// Which commands run a text or a program that their arguments name. A rule for such a command would allow anything, so approvals
// ask this twice: before they keep a rule, and again before a rule may answer for a call.

/** Whether a command (its words, as {@link parseShell} returns them) runs commands that its arguments or its input hold. */
export function runsOtherText(words: readonly string[]): boolean {
  const [program, ...rest] = words;
  if (program === undefined) return false;
  // Built-in commands of bash that take the name of a variable run the commands in its subscript: test -v 'a[$(id)]'.
  if (rest.some((word) => /\[.*[$`]/s.test(word))) return true;
  const name = baseName(program);
  if (runners.has(name)) return true;
  const interpreter = interpreters.find(({ names }) => names.test(name));
  if (interpreter) return interprets(interpreter, rest);
  if (name === 'sed' || name === 'gsed') return sedRuns(rest);
  return runningArguments[name]?.test(rest.join('\n')) ?? false;
}

/** Programs that start others, or change what the commands after them mean. */
const runners = new Set(
  [
    // Built into the shell.
    'eval exec source . command builtin trap alias unalias shopt set enable hash bind complete compgen fc history jobs',
    'export readonly declare typeset local let read readarray mapfile unset getopts coproc time',
    // Start the program their arguments name.
    'env xargs sudo doas su runuser pkexec nohup nice ionice chrt taskset timeout watch parallel setsid stdbuf unbuffer script',
    'scriptreplay flock strace ltrace gdb lldb valgrind perf chroot unshare nsenter setpriv capsh bwrap firejail proot fakeroot',
    'busybox toybox systemd-run at batch crontab screen tmux entr expect socat nc ncat netcat start-stop-daemon daemonize cgexec',
    'caffeinate sandbox-exec arch open osascript launchctl direnv',
    // Elsewhere.
    'ssh slogin mosh rsh docker podman nerdctl kubectl lxc vagrant',
    // Fetch and run, or have a language of their own that starts programs.
    'npx pnpx bunx uvx pipx dlx awk gawk mawk nawk ed ex vi vim nvim view emacs m4 bc dc make gmake ninja just task',
    'sqlite3 psql mysql mariadb redis-cli mongosh',
  ]
    .join(' ')
    .split(' '),
);

interface Interpreter {
  names: RegExp;
  /** Options that may stand before the script. */
  harmless: RegExp;
  /** Options that end the matter: nothing is run, or only what the project holds. */
  settled: RegExp;
}

/** Programs that run a text after -c or -e, from their input, or from options; and are harmless with a script's name. */
const interpreters: readonly Interpreter[] = [
  { names: /^(?:r?(?:ba|da|z|k|mk|a|ya|c|tc)?sh|fish|nu|pwsh|elvish)$/, harmless: /^-[eux]+$/, settled: /^--version$/ },
  { names: /^(?:python|pypy)[\d.]*$/, harmless: /^-[uBIEsS]+$/, settled: /^(?:--version|-V)$/ },
  { names: /^(?:node|nodejs|bun|deno|tsx|ts-node)$/, harmless: /^--enable-source-maps$/, settled: /^(?:--version|-v|--test)$/ },
  {
    names: /^(?:perl|ruby|lua|luajit|php|tclsh|Rscript|julia|ghci?|irb|guile|sbcl|osh)[\d.]*$/,
    harmless: /^-w$/,
    settled: /^--version$/,
  },
];

/** Modules of Python that take code as an argument or start another program. */
const pythonRunners = /^(?:timeit|pdb|code|codeop|trace|cProfile|profile|runpy|asyncio|idlelib|IPython|ipython|pip|pipx|uv)$/;

function interprets({ harmless, settled }: Interpreter, rest: readonly string[]): boolean {
  const at = rest.findIndex((word) => !harmless.test(word));
  const first = rest[at];
  // Nothing but options: the text comes from the input.
  if (first === undefined) return true;
  if (settled.test(first)) return false;
  if (first === '-m') return pythonRunners.test(rest[at + 1] ?? 'code');
  return first.startsWith('-') || first === 'eval' || first === 'exec' || first === 'x' || first === 'repl';
}

/** Programs that are harmless but for some of their arguments. Tested on the arguments, one a line. */
const runningArguments: Readonly<Record<string, RegExp>> = {
  find: /^-(?:exec|execdir|ok|okdir|delete|fprint0?|fprintf|fls)$/m,
  fd: /^(?:-[a-zA-Z]*[xX]|--exec)/m,
  fdfind: /^(?:-[a-zA-Z]*[xX]|--exec)/m,
  rg: /^--(?:pre|hostname-bin)/m,
  sort: /^--comp/m,
  split: /^--fil/m,
  tar: /^(?:-?[a-zA-Z]*[IF]|--(?:to-c|checkp|use|info|new-v|rsh|rmt))/m,
  bsdtar: /^--use/m,
  rsync: /^(?:-[a-zA-Z]*e|--rsh|--rsync-path)/m,
  scp: /^-[a-zA-Z]*[SoD]/m,
  sftp: /^-[a-zA-Z]*[SoDb]/m,
  printf: /^-v/m,
  wait: /^-p/m,
  man: /^(?:-[a-zA-Z]*[PH]|--pager|--html)/m,
  less: /^(?:-[a-zA-Z]*[ko]|\+|--(?:lesskey|log))/m,
  git: new RegExp(
    [
      '^(?:-c|--config-env|--exec-path|--git-dir|--work-tree|--namespace|--template|--upload-pack|--receive-pack|--exec|--extcmd)',
      '^(?:--open-files-in-pager|--ext-diff|--textconv|--smtp-server|-O|ext::)',
      '^(?:config|difftool|mergetool|filter-branch|foreach|bisect|instaweb|web--browse|send-email|daemon)$',
      '^rebase\\n(?:[^]*\\n)?-[a-zA-Z]*x',
      '^(?:clone|ls-remote|fetch|pull)\\n(?:[^]*\\n)?-[a-zA-Z]*u',
    ].join('|'),
    'm',
  ),
  npm: /^(?:exec|x|explore|config|set|--script-shell|--node-options|--prefix|-C)(?:=|$)/m,
  pnpm: /^(?:exec|dlx|config|set|--script-shell|--shell-mode|-c|-C|--dir)(?:=|$)/m,
  yarn: /^(?:exec|dlx|node|config|--cwd)(?:=|$)/m,
  cargo: /^(?:--config|install|-Z)/m,
  go: /^(?:--?exec|--?toolexec|generate|--?modfile|--?overlay|-C)(?:=|$)/m,
  uv: /^(?:run|tool|x)$/m,
  poetry: /^run$/m,
  gcc: /^(?:-wrapper|-fplugin|@|-B|-specs)/m,
  cc: /^(?:-wrapper|-fplugin|@|-B|-specs)/m,
  tcpdump: /^-[a-zA-Z]*z/m,
  curl: /^(?:-[a-zA-Z]*K|--config)/m,
  wget: /^(?:--use-askpass|-e|--execute)/m,
};

/** The language of sed can run commands (e), read and write files: only plain printing, deleting and substituting is harmless. */
function sedRuns(rest: readonly string[]): boolean {
  const at = rest.findIndex((word) => !/^-[nErsu]+$/.test(word));
  const harmless = /^(?:(?:\d+|\$)?(?:,(?:\d+|\$|\+\d+))?[pdq=]|s\/(?:[^/\\\n]|\\.)*\/(?:[^/\\\n]|\\.)*\/[gpI\d]*)(?:;|$)/;
  let script = rest[at] ?? '-';
  while (harmless.test(script)) script = script.replace(harmless, '');
  return script !== '' || rest.slice(at + 1).some((word) => word.startsWith('-'));
}

function baseName(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1);
}
