#!/usr/bin/env node
// The `continuo` program. It loads the command that was asked for and nothing else, so that starting costs little more than Node.
import { runCommandLine } from './run-command-line.ts';

void runCommandLine(process).then((code) => {
  process.exitCode = code;
});
