// The scripted model server as a process of its own: its script comes as JSON in the first argument, `{answers, repeatLast}`; the
// first line it writes holds its address, every further one a request it was sent. It ends when it is killed.
import { startModelServer } from './model-server.ts';

const { answers, repeatLast = false } = JSON.parse(process.argv[2] ?? '{"answers":[]}');
const server = await startModelServer((request, index) => {
  const { protocol, path, model, body, at } = request;
  process.stdout.write(`${JSON.stringify({ protocol, path, model, body, at })}\n`);
  const answer = answers[index] ?? (repeatLast ? answers.at(-1) : undefined);
  if (answer === undefined) throw new Error(`the script has ${answers.length} answers, and this is request ${index + 1}`);
  return answer;
});
process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
