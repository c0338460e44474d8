// Asks for a secret without showing it. To be called only where stdin and stderr are a terminal.
import { StringDecoder } from 'node:string_decoder';
import { Interrupted } from '../interrupted.ts';

const enter = new Set(['\r', '\n']);
const erase = new Set(['\b', '\x7f']);
const breakOff = '\x03';
const endOfInput = '\x04';
const eraseLine = '\x15';

export async function askSecret(question: string): Promise<string> {
  const { stdin, stderr } = process;
  // First the terminal stops echoing, then people are asked: fast fingers must not show.
  stdin.setRawMode(true);
  stdin.resume();
  try {
    stderr.write(`${question} `);
    return await readSecret(stdin);
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write('\n');
  }
}

function readSecret(stdin: NodeJS.ReadStream): Promise<string> {
  const decoder = new StringDecoder('utf8');
  return new Promise((resolve, reject) => {
    let characters: string[] = [];
    const onData = (bytes: Buffer) => {
      for (const character of decoder.write(bytes)) {
        if (character === breakOff) return settle(() => reject(new Interrupted()));
        if (enter.has(character) || character === endOfInput) return settle(() => resolve(characters.join('')));
        if (erase.has(character)) characters.pop();
        else if (character === eraseLine) characters = [];
        else if (character >= ' ') characters.push(character);
      }
    };
    const settle = (end: () => void) => {
      stdin.off('data', onData);
      end();
    };
    stdin.on('data', onData);
  });
}
