// What the settings say about tidying up.
import type { RetentionSettings } from '../../recall/retention/retention-settings.ts';
import type { Context } from '../context.ts';

/** Without `enable`: the command line puts nothing into the trash that nobody agreed to. */
export async function readRetention(context: Context): Promise<RetentionSettings> {
  const { defaultRetention } = await import('../../recall/retention/retention-settings.ts');
  const config = context.config();
  return {
    ...defaultRetention,
    strategy: config['conversation.cleanup.strategy'].value ?? defaultRetention.strategy,
    retentionDays: config['conversation.cleanup.retention_days'].value ?? defaultRetention.retentionDays,
    minSimilarity: config['conversation.cleanup.min_similarity'].value ?? defaultRetention.minSimilarity,
    maxConversations: config['conversation.max_conversations'].value ?? defaultRetention.maxConversations,
  };
}
