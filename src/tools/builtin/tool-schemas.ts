// Parts of input schemas that several tools share.
import * as z from 'zod';

export const pathSchema = z
  .string()
  .min(1)
  .max(4096)
  .refine((path) => !path.includes('\0'), 'a path has no NUL character in it')
  .refine((path) => path !== '~' && !path.startsWith('~/'), '~ is not expanded; write the path out')
  .describe('Path of the file, relative to the project or absolute.');

export const folderSchema = pathSchema.describe(
  'Folder to look in, relative to the project or absolute; the project if left out.',
);

export const globSchema = z
  .string()
  .min(1)
  .max(1000)
  .describe(
    'Only files whose path below the folder fits: * within a name, ** over folders, ?, [abc], {a,b}. "*.ts" fits at any depth.',
  );
