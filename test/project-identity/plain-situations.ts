// What happens to folders that are known by a marker or by their path alone, and to names that look alike.
import { fresh, mark, marker, root, type Situation, unsure, visit } from './situation.ts';

export const plainSituations: Record<string, Situation> = {
  'with a marker, moved': {
    before: [(lab) => mark(lab, 'notes')],
    after: (lab) => lab.move('notes', '笔记 2'),
    ...marker,
  },
  'with a marker, copied': {
    before: [(lab) => mark(lab, 'notes')],
    after: (lab) => lab.copy('notes', 'copy'),
    ...marker,
  },
  'with a marker, asked from a folder below': {
    before: [(lab) => mark(lab, 'notes')],
    after: (lab) => lab.folder('notes/2026/11'),
    ...marker,
    seenHere: true,
  },
  'with a marker, git init later, then moved': {
    before: [(lab) => mark(lab, 'notes'), (lab) => lab.repository('notes')],
    after: (lab) => lab.move('notes', 'moved'),
    ...root,
  },
  'with a marker, moved, then git init': {
    before: [(lab) => mark(lab, 'notes')],
    after: (lab) => lab.repository(lab.move('notes', 'moved')),
    ...marker,
  },
  'a marker copied into another repository': {
    before: [(lab) => mark(lab, lab.repository('app'))],
    after: (lab) => {
      lab.repository('other');
      lab.copy('app/.continuo-project', 'other/.continuo-project');
      return 'other';
    },
    ...unsure,
    alsoFits: [0],
  },
  'a marker removed, in place': {
    before: [(lab) => mark(lab, 'notes')],
    after: (lab) => {
      lab.remove('notes/.continuo-project');
      return 'notes';
    },
    ...root,
    how: 'path',
    confidence: 'low',
  },
  'a marker given to a folder that had none, then moved': {
    before: [(lab) => lab.folder('notes'), (lab) => mark(lab, 'notes')],
    after: (lab) => lab.move('notes', 'moved'),
    ...marker,
  },
  'another marked folder where one was': {
    before: [(lab) => mark(lab, 'notes')],
    after: (lab) => {
      lab.move('notes', 'old');
      return mark(lab, 'notes');
    },
    ...unsure,
    alsoFits: [0],
  },
  'marked with its first conversation, moved and renamed': {
    before: [(lab) => visit(lab, 'notes')],
    after: (lab) => lab.move('notes', 'elsewhere/笔记'),
    ...marker,
  },
  'marked with its first conversation, copied': {
    before: [(lab) => visit(lab, 'notes')],
    after: (lab) => lab.copy('notes', 'copy'),
    ...marker,
  },
  'marked with its first conversation, moved, and another folder made in its place': {
    before: [(lab) => visit(lab, 'notes'), (lab) => lab.move('notes', 'moved')],
    after: (lab) => lab.folder('notes'),
    ...unsure,
    alsoFits: [0],
  },
  'a folder of marked folders, visited later: they stay what they are': {
    before: [(lab) => visit(lab, 'all/notes'), (lab) => visit(lab, 'all')],
    after: () => 'all/notes',
    ...marker,
  },
  'a folder of folders that are known by their path, visited later': {
    before: [(lab) => lab.folder('all/notes'), (lab) => visit(lab, 'all', 'all/notes')],
    after: () => 'all/notes',
    ...root,
    how: 'path',
    confidence: 'medium',
  },
  'the home folder, which is never marked': {
    before: [(lab) => visit(lab, 'home')],
    after: (lab) => lab.folder('home/notes'),
    ...fresh,
  },
  'without git and marker, not touched': {
    before: [(lab) => lab.folder('notes')],
    after: () => 'notes',
    ...root,
    how: 'path',
    confidence: 'medium',
  },
  'without git and marker, moved: nothing tells it': {
    before: [(lab) => lab.folder('notes')],
    after: (lab) => lab.move('notes', 'moved'),
    ...fresh,
  },
  'without git and marker, copied: nothing tells it': {
    before: [(lab) => lab.folder('notes')],
    after: (lab) => lab.copy('notes', 'copy'),
    ...fresh,
  },
  'without git and marker, deleted and made again': {
    before: [(lab) => lab.folder('notes')],
    after: (lab) => {
      lab.remove('notes');
      return lab.folder('notes');
    },
    ...root,
    how: 'path',
    confidence: 'medium',
  },
  'a folder of the same name elsewhere': {
    before: [(lab) => lab.folder('one/app')],
    after: (lab) => lab.folder('two/app'),
    ...fresh,
  },
  'a repository of the same name elsewhere': {
    before: [(lab) => lab.repository('one/app')],
    after: (lab) => lab.repository('two/app'),
    ...fresh,
  },
  'names that look alike after cleaning: spaces': {
    before: [(lab) => lab.folder('my app')],
    after: (lab) => lab.folder('my-app'),
    ...fresh,
  },
  'names that look alike after cleaning: Chinese': {
    before: [(lab) => lab.folder('导航')],
    after: (lab) => lab.folder('沙发'),
    ...fresh,
  },
  'a symbolic link to the folder': {
    before: [(lab) => lab.folder('notes')],
    after: (lab) => lab.link('notes', 'shortcut'),
    ...root,
    how: 'path',
    confidence: 'medium',
    seenHere: true,
  },
  'a symbolic link to the repository': {
    before: [(lab) => lab.repository('app')],
    after: (lab) => lab.link('app', 'shortcut'),
    ...root,
    seenHere: true,
  },
  'a folder below the home folder, which is a repository of its own': {
    before: [(lab) => lab.repository('home')],
    after: (lab) => lab.folder('home/notes'),
    ...fresh,
  },
};

/** On file systems that tell the names apart. */
export const spellings: Record<string, Situation> = {
  'names that differ in case': { before: [(lab) => lab.folder('App')], after: (lab) => lab.folder('app'), ...fresh },
  'names that are composed differently': {
    before: [(lab) => lab.folder('caf\u00e9')],
    after: (lab) => lab.folder('cafe\u0301'),
    ...fresh,
  },
};
