// Files of before there was an envelope hold the messages and the model's name alone. What they lack is taken from the agent that
// restores them: its folder, its settings; no start commit, because nobody wrote one down.
import type { JsonObject } from '../base/json.ts';
import type { EnvelopeUpgrade } from '../snapshot/envelope.ts';
import { agentType } from './code-agent-state.ts';

export function createLegacyUpgrade(settings: JsonObject, model: string): EnvelopeUpgrade {
  return {
    version: '1.0',
    apply(document) {
      const state = document.state as JsonObject;
      const { model_name: named } = state;
      const name = typeof named === 'string' && named !== '' ? named : model;
      return { ...document, state: { agent_type: agentType, ...settings, start_commit: null, ...state, model_name: name } };
    },
  };
}
