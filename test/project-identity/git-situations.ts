// What happens to repositories: moved, copied, cloned in every way, rewritten, replaced.
import type { GitLab } from '../support/git-lab.ts';
import { fresh, mark, root, type Situation, unsure } from './situation.ts';

const url = 'https://github.com/me/app.git';
const sshUrl = 'git@GitHub.com:me/app';

/** `file:` because git takes no notice of --depth for a plain path. */
const clone = (lab: GitLab, from: string, to: string, ...args: string[]): string => {
  lab.git('.', 'clone', '-q', ...args, `file://${lab.path(from)}`, lab.path(to));
  return to;
};
const cloneFrom = (lab: GitLab, from: string, to: string, remote: string, ...args: string[]): string => {
  clone(lab, from, to, ...args);
  lab.git(to, 'remote', 'set-url', 'origin', remote);
  return to;
};

export const gitSituations: Record<string, Situation> = {
  'with git, not touched': { before: [(lab) => lab.repository('app')], after: () => 'app', ...root },
  'with git, moved': { before: [(lab) => lab.repository('app')], after: (lab) => lab.move('app', 'far/away/app'), ...root },
  'with git, renamed': { before: [(lab) => lab.repository('app')], after: (lab) => lab.move('app', 'application'), ...root },
  'with git, moved to a name in Chinese with spaces': {
    before: [(lab) => lab.repository('app')],
    after: (lab) => lab.move('app', '项目 二/我的 应用'),
    ...root,
  },
  'with git, moved while another project takes its place': {
    before: [(lab) => lab.repository('app')],
    after: (lab) => {
      lab.move('app', 'app-old');
      lab.repository('app');
      return 'app-old';
    },
    ...root,
  },
  'another repository where one was': {
    before: [(lab) => lab.repository('app')],
    after: (lab) => {
      lab.move('app', 'app-old');
      return lab.repository('app');
    },
    ...unsure,
    alsoFits: [0],
  },
  'another repository with another remote where one was': {
    before: [(lab) => lab.repository('app', url)],
    after: (lab) => {
      lab.remove('app');
      return lab.repository('app', 'https://github.com/me/other');
    },
    ...unsure,
    alsoFits: [0],
  },
  'a shallow clone of something else where one was': {
    before: [(lab) => lab.repository('app', url)],
    after: (lab) => {
      lab.remove('app');
      return cloneFrom(lab, lab.repository('elsewhere'), 'app', 'https://github.com/me/other', '--depth=1');
    },
    ...unsure,
    alsoFits: [0],
  },
  'a plain folder where a repository was that moved away': {
    before: [(lab) => lab.repository('app'), (lab) => lab.move('app', 'app-new')],
    after: (lab) => lab.folder('app'),
    ...unsure,
    alsoFits: [0],
  },
  're-cloned': {
    before: [(lab) => lab.repository('app', url)],
    after: (lab) => cloneFrom(lab, 'app', 'again', url),
    ...root,
  },
  're-cloned by another address of the same server': {
    before: [(lab) => lab.repository('app', url)],
    after: (lab) => cloneFrom(lab, 'app', 'again', sshUrl),
    ...root,
  },
  'cloned from the folder itself': {
    before: [(lab) => lab.repository('app', url)],
    after: (lab) => clone(lab, 'app', 'something'),
    ...root,
  },
  'cloned shallow': {
    before: [(lab) => lab.repository('app', url)],
    after: (lab) => cloneFrom(lab, 'app', 'again', sshUrl, '--depth=1'),
    ...root,
    how: 'remote',
    confidence: 'medium',
  },
  'cloned shallow from the folder itself': {
    before: [(lab) => lab.repository('app')],
    after: (lab) => clone(lab, 'app', 'again', '--depth=1'),
    ...root,
    how: 'remote',
    confidence: 'medium',
  },
  'cloned shallow before, completed later': {
    before: [(lab) => cloneFrom(lab, lab.repository('server'), 'app', url, '--depth=1')],
    after: (lab) => {
      lab.git('app', 'fetch', '-q', '--unshallow', `file://${lab.path('server')}`);
      return 'app';
    },
    ...root,
    how: 'remote',
  },
  'cloned shallow before, cloned whole elsewhere': {
    before: [(lab) => cloneFrom(lab, lab.repository('server'), 'app', url, '--depth=1')],
    after: (lab) => cloneFrom(lab, 'server', 'whole', url),
    ...root,
    how: 'remote',
    confidence: 'medium',
  },
  'two shallow clones of different repositories': {
    before: [(lab) => cloneFrom(lab, lab.repository('server'), 'one/app', url, '--depth=1')],
    after: (lab) => cloneFrom(lab, lab.repository('server2'), 'two/app', 'https://github.com/you/app', '--depth=1'),
    ...fresh,
  },
  'with git, copied': { before: [(lab) => lab.repository('app')], after: (lab) => lab.copy('app', 'copy'), ...root },
  'with git, copied, and the copy told apart by a marker': {
    before: [(lab) => lab.repository('app'), (lab) => lab.copy('app', 'copy')],
    after: (lab) => mark(lab, 'copy'),
    ...root,
  },
  'two copies that each have a marker of their own': {
    before: [
      async (lab) => {
        lab.repository('app');
        lab.copy('app', 'copy');
        return await mark(lab, 'app');
      },
    ],
    after: (lab) => mark(lab, 'copy'),
    ...unsure,
    alsoFits: [0],
  },
  'a worktree': {
    before: [(lab) => lab.repository('app')],
    after: (lab) => {
      lab.git('app', 'worktree', 'add', '-q', lab.path('side'));
      return 'side';
    },
    ...root,
  },
  'a worktree of an orphan branch': {
    before: [(lab) => lab.repository('app')],
    after: (lab) => {
      lab.git('app', 'worktree', 'add', '-q', '--detach', lab.path('pages'));
      lab.git('pages', 'checkout', '-q', '--orphan', 'pages');
      lab.commit('pages', 'beginning of the pages');
      return 'pages';
    },
    ...root,
  },
  'a worktree of an orphan branch that was there before': {
    before: [
      (lab) => {
        lab.repository('app');
        lab.git('app', 'checkout', '-q', '--orphan', 'pages');
        lab.commit('app', 'beginning of the pages');
        lab.git('app', 'checkout', '-q', 'main');
        return 'app';
      },
    ],
    after: (lab) => {
      lab.git('app', 'worktree', 'add', '-q', lab.path('side'), 'pages');
      return 'side';
    },
    ...root,
  },
  'a worktree of a bare repository': {
    before: [
      (lab) => {
        lab.repository('server');
        lab.git('.', 'clone', '-q', '--bare', lab.path('server'), lab.path('app.git'));
        return 'app.git';
      },
    ],
    after: (lab) => {
      lab.git('app.git', 'worktree', 'add', '-q', lab.path('work'));
      return 'work';
    },
    ...root,
  },
  'an orphan branch in the same folder': {
    before: [(lab) => lab.repository('app')],
    after: (lab) => {
      lab.git('app', 'checkout', '-q', '--orphan', 'pages');
      lab.commit('app', 'beginning of the pages');
      return 'app';
    },
    ...root,
    how: 'path',
    confidence: 'medium',
  },
  'a detached head': {
    before: [(lab) => lab.repository('app')],
    after: (lab) => {
      lab.git('app', 'checkout', '-q', '--detach', 'HEAD~1');
      return lab.move('app', 'moved');
    },
    ...root,
  },
  'a submodule is a project of its own': {
    before: [(lab) => lab.repository('app', url)],
    after: (lab) => {
      lab.git('app', 'submodule', '--quiet', 'add', lab.path(lab.repository('library')), 'parts/library');
      return 'app/parts/library';
    },
    ...fresh,
  },
  'a submodule is the project it is a clone of': {
    before: [(lab) => lab.repository('library'), (lab) => lab.repository('app', url)],
    after: (lab) => {
      lab.git('app', 'submodule', '--quiet', 'add', lab.path('library'), 'parts/library');
      return 'app/parts/library';
    },
    ...root,
  },
  'a repository inside a repository is a project of its own': {
    before: [(lab) => lab.repository('app')],
    after: (lab) => lab.repository('app/vendor/thing'),
    ...fresh,
  },
  'a folder of a repository belongs to it': {
    before: [(lab) => lab.repository('app')],
    after: (lab) => lab.folder('app/packages/模块 one'),
    ...root,
    seenHere: true,
  },
  'a fork cloned elsewhere': {
    before: [(lab) => lab.repository('app', 'https://github.com/them/app')],
    after: (lab) => cloneFrom(lab, 'app', 'fork', 'https://github.com/me/app'),
    ...root,
  },
  'a fork under another name that knows where it comes from': {
    before: [(lab) => lab.repository('app', 'https://github.com/them/app')],
    after: (lab) => {
      cloneFrom(lab, 'app', 'fork', 'https://github.com/me/better-app');
      lab.git('fork', 'remote', 'add', 'upstream', 'git@github.com:them/app.git');
      return 'fork';
    },
    ...root,
  },
  'a project begun from another with its history, fetched from a repository of another name': {
    before: [(lab) => lab.repository('starter', 'https://github.com/me/starter')],
    after: (lab) => cloneFrom(lab, 'starter', 'shop', 'https://github.com/me/shop'),
    ...unsure,
    alsoFits: [0],
  },
  'the second of two projects begun from one, moved': {
    before: [
      (lab) => lab.repository('starter', 'https://github.com/me/starter'),
      (lab) => cloneFrom(lab, 'starter', 'shop', 'https://github.com/me/shop'),
    ],
    after: (lab) => lab.move('shop', 'shop-2'),
    ...root,
    is: 1,
    alsoFits: [0],
  },
  'the remote given another name in place': {
    before: [(lab) => lab.repository('app', url)],
    after: (lab) => {
      lab.git('app', 'remote', 'set-url', 'origin', 'https://git.example.org/team/renamed');
      return 'app';
    },
    ...root,
  },
  'history rewritten, with a remote, in place': {
    before: [(lab) => lab.repository('app', url)],
    after: (lab) => {
      rewrite(lab, 'app');
      return 'app';
    },
    ...root,
    how: 'remote',
  },
  'history rewritten, with a remote, and cloned again': {
    before: [(lab) => lab.repository('app', url)],
    after: (lab) => {
      rewrite(lab, 'app');
      return cloneFrom(lab, 'app', 'again', sshUrl);
    },
    ...root,
    how: 'remote',
    confidence: 'medium',
  },
  'history rewritten, without a remote, in place': {
    before: [(lab) => lab.repository('app')],
    after: (lab) => {
      rewrite(lab, 'app');
      return 'app';
    },
    ...root,
    how: 'path',
    confidence: 'medium',
  },
  'the first commit amended': {
    before: [
      (lab) => {
        lab.folder('app');
        lab.git('app', 'init', '-q');
        lab.commit('app', 'beginning');
        return 'app';
      },
    ],
    after: (lab) => {
      lab.commit('app', 'a better beginning', '--amend');
      return 'app';
    },
    ...root,
    how: 'path',
    confidence: 'medium',
  },
  'another history merged in': {
    before: [(lab) => lab.repository('app'), (lab) => lab.repository('library')],
    after: (lab) => {
      absorb(lab, 'app', 'library');
      return lab.move('app', 'moved');
    },
    ...root,
    alsoFits: [1],
  },
  'a library is not the project that merged it in': {
    before: [
      (lab) => {
        lab.repository('app');
        lab.repository('library');
        absorb(lab, 'app', 'library');
        return 'app';
      },
    ],
    after: () => 'library',
    ...unsure,
    alsoFits: [0],
  },
  'git init in a folder that had none': {
    before: [(lab) => lab.folder('notes')],
    after: (lab) => lab.repository('notes'),
    ...root,
    how: 'path',
    confidence: 'low',
  },
  'git init without a commit in a folder that had none': {
    before: [(lab) => lab.folder('notes')],
    after: (lab) => {
      lab.git('notes', 'init', '-q');
      return 'notes';
    },
    ...root,
    how: 'path',
    confidence: 'medium',
  },
  'git init, a visit, and then moved': {
    before: [
      (lab) => {
        lab.folder('notes');
        lab.git('notes', 'init', '-q');
        return 'notes';
      },
      (lab) => lab.repository('notes'),
    ],
    after: (lab) => lab.move('notes', 'moved'),
    ...root,
  },
  '.git deleted': {
    before: [(lab) => lab.repository('app')],
    after: (lab) => {
      lab.remove('app/.git');
      return 'app';
    },
    ...root,
    how: 'path',
    confidence: 'low',
  },
  '.git deleted and begun again': {
    before: [(lab) => lab.repository('app')],
    after: (lab) => {
      lab.remove('app/.git');
      return lab.repository('app');
    },
    ...unsure,
    alsoFits: [0],
  },
};

function rewrite(lab: GitLab, name: string): void {
  lab.git(name, 'filter-branch', '-f', '--msg-filter', 'sed "s/^/new: /"');
}

function absorb(lab: GitLab, name: string, library: string): void {
  lab.git(name, 'fetch', '-q', lab.path(library), 'main');
  lab.git(name, 'merge', '-q', '--allow-unrelated-histories', '-m', 'take the library in', 'FETCH_HEAD');
}
