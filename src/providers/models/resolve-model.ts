// From `provider:model` and the caller's options to everything a request needs to know about where it goes. What is missing or
// misspelt is said here, before anything is sent.
import { ContinuoError } from '../../model/error.ts';
import { findProvider, type Protocol, type Provider, providers, repeatsThinking } from './provider-table.ts';

export interface ResolvedModel {
  /** `provider:model`, as written. */
  id: string;
  protocol: Protocol;
  /** The model's name at the provider. */
  model: string;
  baseUrl: string;
  key?: string;
  repeatsThinking: boolean;
  contextTokens?: number;
  /** The provider, for messages. */
  title: string;
  /** Where its key is looked for first. */
  keyVariable: string;
}

export function resolveModel(
  name: string,
  options: { keys?: Readonly<Record<string, string | undefined>>; baseUrl?: string; contextTokens?: number },
): ResolvedModel {
  const { provider, model } = splitName(name);
  const baseUrl = resolveBaseUrl(provider, options.baseUrl);
  const title = provider.title ?? new URL(baseUrl).host;
  const keyVariable = provider.keyVariables[0] as string;
  const found = findKey(provider, options.keys ?? {});
  if (found === undefined && provider.needsKey) {
    throw new ContinuoError('model-key-missing', { provider: title, variable: keyVariable });
  }
  // A key that no header can carry would be quoted in full by the error of whoever tries.
  if (found !== undefined && !/^[\x21-\x7e]+$/.test(found.key)) {
    throw new ContinuoError('model-key-refused', { provider: title, variable: found.variable });
  }
  const contextTokens = options.contextTokens ?? provider.contextSizes.find(([pattern]) => pattern.test(model))?.[1];
  return {
    id: name,
    protocol: provider.protocol,
    model,
    baseUrl,
    repeatsThinking: provider.protocol === 'compatible' && repeatsThinking.test(model),
    title,
    keyVariable: found?.variable ?? keyVariable,
    ...(found && { key: found.key }),
    ...(contextTokens !== undefined && { contextTokens }),
  };
}

/** At the first colon: model names may hold colons and slashes themselves. */
function splitName(name: string): { provider: Provider; model: string } {
  const colon = name.indexOf(':');
  const provider = colon > 0 ? findProvider(name.slice(0, colon).trim().toLowerCase()) : undefined;
  const model = name.slice(colon + 1).trim();
  if (provider === undefined) {
    const given = colon > 0 ? name.slice(0, colon) : name;
    throw new ContinuoError('provider-unknown', { provider: given, known: providers.map((known) => known.name).join(', ') });
  }
  if (model === '')
    throw new ContinuoError('invalid-input', { what: 'model', reason: `its name is missing after "${name.trim()}"` });
  return { provider, model };
}

function resolveBaseUrl(provider: Provider, given: string | undefined): string {
  const text = given?.trim() || provider.baseUrl;
  if (text === undefined) throw new ContinuoError('invalid-input', { what: 'base URL', reason: 'this provider needs one' });
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new ContinuoError('invalid-input', { what: 'base URL', reason: 'it must begin with http:// or https://' });
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new ContinuoError('invalid-input', { what: 'base URL', reason: 'it must begin with http:// or https://' });
  }
  if (url.username !== '' || url.password !== '' || url.search !== '') {
    throw new ContinuoError('invalid-input', { what: 'base URL', reason: 'it may not hold a key or a password' });
  }
  const path = url.pathname === '/' ? provider.path : url.pathname.replace(/\/+$/, '');
  return url.origin + path;
}

function findKey(
  provider: Provider,
  keys: Readonly<Record<string, string | undefined>>,
): { key: string; variable: string } | undefined {
  for (const variable of provider.keyVariables) {
    const key = keys[variable]?.trim();
    if (key) return { key, variable };
  }
  return undefined;
}
