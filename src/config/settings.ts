// Every setting there is: its kind, its default and the environment variable that overrides the file. The file, the environment,
// flags, `continuo config` and its documentation all follow this one table.

/** The type each setting's value has. */
export interface SettingTypes {
  'store.driver': 'sqlite' | 'jsonl';
  'store.key_file': string;
  'store.redact': boolean;
  'trash.grace_days': number;
  'model.name': string;
  'model.base_url': string;
  'chat.instructions': string;
  'chat.max_items': number;
  'chat.max_tokens': number;
  'approvals.mode': 'ask' | 'deny';
  'approvals.allow': readonly string[];
  'approvals.deny': readonly string[];
  'exec.sandbox': 'auto' | 'off';
  'exec.network': boolean;
  'exec.timeout_seconds': number;
  'mcp.config': string;
  'recall.enabled': boolean;
  'recall.token_budget': number;
  'recall.private_projects': readonly string[];
  'projects.marker': boolean;
  'embedder.kind': 'static' | 'openai-compatible' | 'onnx' | 'none';
  'embedder.model': string;
  'embedder.base_url': string;
  'embedder.key_env': string;
  'embedder.dimension': number;
  'embedder.folder': string;
  'embedder.pooling': 'mean' | 'cls';
  'embedder.query_prefix': string;
  'embedder.passage_prefix': string;
  'conversation.db_path': string;
  'conversation.auto_save_interval': number;
  'conversation.max_conversations': number;
  'conversation.auto_summary_threshold': number;
  'conversation.summary.by': 'local' | 'model';
  'conversation.semantic_search.embedding_dimension': number;
  'conversation.semantic_search.similarity_threshold': number;
  'conversation.semantic_search.max_results': number;
  'conversation.topics.auto_extract': boolean;
  'conversation.topics.max_topics': number;
  'conversation.cleanup.enable': boolean;
  'conversation.cleanup.strategy': 'old' | 'similarity';
  'conversation.cleanup.retention_days': number;
  'conversation.cleanup.min_similarity': number;
  'notify.bell': boolean;
  'notify.desktop': boolean;
  'notify.webhook': string;
  'notify.after_seconds': number;
  'cli.language': 'en' | 'zh';
  'cli.color': 'auto' | 'always' | 'never';
}

export type SettingName = keyof SettingTypes;
export type SettingValue = SettingTypes[SettingName];

export type SettingKind =
  | { kind: 'choice'; choices: readonly string[] }
  | { kind: 'boolean' }
  | { kind: 'integer'; min: number; max: number }
  | { kind: 'number'; min: number; max: number }
  /** Relative paths count from the folder of the file they stand in, or from the working folder elsewhere; `~/` is the user's. */
  | { kind: 'path' }
  | { kind: 'text' }
  | { kind: 'url' }
  /** Texts; where there is but one line for them, a semicolon or a line end stands between two. */
  | { kind: 'list' };

export interface SettingDefinition<Name extends SettingName = SettingName> {
  type: SettingKind;
  /** Undefined where leaving it out means something of its own (no key file; the language of the system). */
  fallback: SettingTypes[Name] | undefined;
  variable: string;
}

export const settingDefinitions: { readonly [Name in SettingName]: SettingDefinition<Name> } = {
  'store.driver': { type: { kind: 'choice', choices: ['sqlite', 'jsonl'] }, fallback: 'sqlite', variable: 'CONTINUO_DRIVER' },
  'store.key_file': { type: { kind: 'path' }, fallback: undefined, variable: 'CONTINUO_KEY_FILE' },
  'store.redact': { type: { kind: 'boolean' }, fallback: true, variable: 'CONTINUO_REDACT' },
  'trash.grace_days': { type: { kind: 'integer', min: 0, max: 36_500 }, fallback: 30, variable: 'CONTINUO_TRASH_GRACE_DAYS' },
  'model.name': { type: { kind: 'text' }, fallback: undefined, variable: 'CONTINUO_MODEL' },
  'model.base_url': { type: { kind: 'url' }, fallback: undefined, variable: 'CONTINUO_MODEL_BASE_URL' },
  'chat.instructions': { type: { kind: 'text' }, fallback: undefined, variable: 'CONTINUO_CHAT_INSTRUCTIONS' },
  'chat.max_items': { type: { kind: 'integer', min: 1, max: 1_000_000 }, fallback: 2000, variable: 'CONTINUO_CHAT_MAX_ITEMS' },
  'chat.max_tokens': {
    type: { kind: 'integer', min: 100, max: 100_000_000 },
    fallback: 120_000,
    variable: 'CONTINUO_CHAT_MAX_TOKENS',
  },
  'approvals.mode': { type: { kind: 'choice', choices: ['ask', 'deny'] }, fallback: undefined, variable: 'CONTINUO_APPROVALS' },
  'approvals.allow': { type: { kind: 'list' }, fallback: [], variable: 'CONTINUO_ALLOW' },
  'approvals.deny': { type: { kind: 'list' }, fallback: [], variable: 'CONTINUO_DENY' },
  'exec.sandbox': { type: { kind: 'choice', choices: ['auto', 'off'] }, fallback: 'auto', variable: 'CONTINUO_SANDBOX' },
  'exec.network': { type: { kind: 'boolean' }, fallback: false, variable: 'CONTINUO_NETWORK' },
  'exec.timeout_seconds': { type: { kind: 'integer', min: 1, max: 86_400 }, fallback: 120, variable: 'CONTINUO_EXEC_TIMEOUT' },
  'mcp.config': { type: { kind: 'path' }, fallback: undefined, variable: 'CONTINUO_MCP_CONFIG' },
  'recall.enabled': { type: { kind: 'boolean' }, fallback: true, variable: 'CONTINUO_RECALL' },
  'recall.token_budget': {
    type: { kind: 'integer', min: 100, max: 1_000_000 },
    fallback: 1500,
    variable: 'CONTINUO_RECALL_TOKEN_BUDGET',
  },
  'recall.private_projects': { type: { kind: 'list' }, fallback: [], variable: 'CONTINUO_PRIVATE_PROJECTS' },
  'projects.marker': { type: { kind: 'boolean' }, fallback: true, variable: 'CONTINUO_PROJECT_MARKER' },
  'embedder.kind': {
    type: { kind: 'choice', choices: ['static', 'openai-compatible', 'onnx', 'none'] },
    fallback: undefined,
    variable: 'CONTINUO_EMBEDDER',
  },
  'embedder.model': { type: { kind: 'text' }, fallback: undefined, variable: 'CONTINUO_EMBEDDER_MODEL' },
  'embedder.base_url': { type: { kind: 'url' }, fallback: undefined, variable: 'CONTINUO_EMBEDDER_BASE_URL' },
  'embedder.key_env': { type: { kind: 'text' }, fallback: undefined, variable: 'CONTINUO_EMBEDDER_KEY_ENV' },
  'embedder.dimension': {
    type: { kind: 'integer', min: 1, max: 65_536 },
    fallback: undefined,
    variable: 'CONTINUO_EMBEDDER_DIMENSION',
  },
  'embedder.folder': { type: { kind: 'path' }, fallback: undefined, variable: 'CONTINUO_EMBEDDER_FOLDER' },
  'embedder.pooling': {
    type: { kind: 'choice', choices: ['mean', 'cls'] },
    fallback: undefined,
    variable: 'CONTINUO_EMBEDDER_POOLING',
  },
  'embedder.query_prefix': { type: { kind: 'text' }, fallback: undefined, variable: 'CONTINUO_EMBEDDER_QUERY_PREFIX' },
  'embedder.passage_prefix': { type: { kind: 'text' }, fallback: undefined, variable: 'CONTINUO_EMBEDDER_PASSAGE_PREFIX' },
  'conversation.db_path': { type: { kind: 'path' }, fallback: undefined, variable: 'CONTINUO_DB_PATH' },
  'conversation.auto_save_interval': {
    type: { kind: 'integer', min: 0, max: 86_400 },
    fallback: 0,
    variable: 'CONTINUO_AUTO_SAVE_INTERVAL',
  },
  'conversation.max_conversations': {
    type: { kind: 'integer', min: 0, max: 100_000_000 },
    fallback: 0,
    variable: 'CONTINUO_MAX_CONVERSATIONS',
  },
  'conversation.auto_summary_threshold': {
    type: { kind: 'integer', min: 0, max: 1_000_000 },
    fallback: 10,
    variable: 'CONTINUO_AUTO_SUMMARY_THRESHOLD',
  },
  'conversation.summary.by': {
    type: { kind: 'choice', choices: ['local', 'model'] },
    fallback: 'local',
    variable: 'CONTINUO_SUMMARY_BY',
  },
  'conversation.semantic_search.embedding_dimension': {
    type: { kind: 'integer', min: 1, max: 65_536 },
    fallback: undefined,
    variable: 'CONTINUO_EMBEDDING_DIMENSION',
  },
  'conversation.semantic_search.similarity_threshold': {
    type: { kind: 'number', min: 0, max: 1 },
    fallback: 0.7,
    variable: 'CONTINUO_SIMILARITY_THRESHOLD',
  },
  'conversation.semantic_search.max_results': {
    type: { kind: 'integer', min: 1, max: 1000 },
    fallback: 5,
    variable: 'CONTINUO_MAX_RESULTS',
  },
  'conversation.topics.auto_extract': { type: { kind: 'boolean' }, fallback: true, variable: 'CONTINUO_TOPICS' },
  'conversation.topics.max_topics': { type: { kind: 'integer', min: 1, max: 100 }, fallback: 5, variable: 'CONTINUO_MAX_TOPICS' },
  'conversation.cleanup.enable': { type: { kind: 'boolean' }, fallback: false, variable: 'CONTINUO_CLEANUP' },
  'conversation.cleanup.strategy': {
    type: { kind: 'choice', choices: ['old', 'similarity'] },
    fallback: 'old',
    variable: 'CONTINUO_CLEANUP_STRATEGY',
  },
  'conversation.cleanup.retention_days': {
    type: { kind: 'integer', min: 1, max: 36_500 },
    fallback: 30,
    variable: 'CONTINUO_RETENTION_DAYS',
  },
  'conversation.cleanup.min_similarity': {
    type: { kind: 'number', min: 0, max: 1 },
    fallback: 0.3,
    variable: 'CONTINUO_MIN_SIMILARITY',
  },
  'notify.bell': { type: { kind: 'boolean' }, fallback: true, variable: 'CONTINUO_NOTIFY_BELL' },
  'notify.desktop': { type: { kind: 'boolean' }, fallback: false, variable: 'CONTINUO_NOTIFY_DESKTOP' },
  'notify.webhook': { type: { kind: 'url' }, fallback: undefined, variable: 'CONTINUO_NOTIFY_WEBHOOK' },
  'notify.after_seconds': {
    type: { kind: 'integer', min: 0, max: 86_400 },
    fallback: 30,
    variable: 'CONTINUO_NOTIFY_AFTER',
  },
  'cli.language': { type: { kind: 'choice', choices: ['en', 'zh'] }, fallback: undefined, variable: 'CONTINUO_LANG' },
  'cli.color': { type: { kind: 'choice', choices: ['auto', 'always', 'never'] }, fallback: 'auto', variable: 'CONTINUO_COLOR' },
};

export const settingNames = Object.keys(settingDefinitions) as SettingName[];

export function isSettingName(text: string): text is SettingName {
  return Object.hasOwn(settingDefinitions, text);
}
