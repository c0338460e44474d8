// The program in talk with a scripted model: which model, where it is and its key, as the environment tells it.
import { afterEach } from 'vitest';
import { type ModelServer, type Script, startModelServer, testKey } from '../support/model-server/model-server.ts';

const open = new Set<ModelServer>();

/** A server that is closed when the test is over, and the environment that makes `continuo chat` use it. */
export async function startScript(script: Script): Promise<{ server: ModelServer; env: Record<string, string> }> {
  const server = await startModelServer(script);
  open.add(server);
  const env = { CONTINUO_MODEL: 'anthropic:claude-test', CONTINUO_MODEL_BASE_URL: server.url, ANTHROPIC_API_KEY: testKey };
  return { server, env };
}

/** To be called once in a test file. */
export function closeScripts(): void {
  afterEach(async () => {
    for (const server of open) await server.close();
    open.clear();
  });
}

/** What an Anthropic request tells the model, message by message. */
export function saidTo(request: { body: { messages: { role: string; content: unknown }[] } }): string[] {
  return request.body.messages.map(({ role, content }) => {
    const parts = Array.isArray(content)
      ? (content as { type: string; text?: string }[])
      : [{ type: 'text', text: String(content) }];
    return `${role}: ${parts.map((part) => part.text ?? `(${part.type})`).join('')}`;
  });
}
