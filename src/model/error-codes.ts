// Every error code with its English sentence. Templates name details in braces. docs/errors.md lists the same codes (tested).

export const errorMessages = {
  'invalid-input': 'The {what} is not valid: {reason}',
  'invalid-id': '"{id}" is not a Continuo id. Ids look like cnv_01h… (conversation) or ent_01h… (entry).',
  'invalid-cursor': 'The cursor is not valid any more. Start again without a cursor.',
  'conversation-not-found': 'No conversation matches "{id}". See what is stored with "continuo list --all".',
  'ambiguous-id': '"{prefix}" matches {count} conversations. Give more characters of the id.',
  'conversation-exists': 'A conversation with the id {id} is stored already.',
  'key-taken': 'The key "{key}" belongs to conversation {holder}. Open that one, or choose another key.',
  'conversation-trashed': 'Conversation {id} is in the trash. Restore it first with "continuo restore {id}".',
  'not-in-trash': 'Conversation {id} is not in the trash. Trash it first with "continuo trash {id}"; purging cannot be undone.',
  'has-forks':
    'Conversation {id} shares its text with {count} fork(s): {forks}. Purge those first, or purge them together with --with-forks.',
  'entry-not-found': 'No entry {entry} in conversation {id}.',
  'seq-conflict':
    'Conversation {id} has moved on: expected its last entry to be {expected}, but it is {actual}. Read the new entries and try again.',
  'conversation-locked':
    'Conversation {id} is being written by {owner} (process {pid} on {host}). Read it, wait, or continue in a fork.',
  'lease-lost': 'This process no longer holds the writing right for conversation {id}. Acquire it again before writing.',
  'store-closed': 'The store is closed. Open it again before using it.',
  'store-not-found': 'There is no store at {path} yet. The first message makes it: continuo append "…".',
  'store-damaged':
    'The store at {path} is damaged: {reason}. Look at it with "continuo doctor", and restore the newest backup with "continuo restore-backup".',
  'store-newer':
    'The store at {path} was written by a newer Continuo (format {found}, this one knows {known}). Upgrade Continuo to open it.',
  'index-newer':
    'The search index at {path} was made by a newer Continuo (version {found}, this one knows {known}) and is left as it is. Update this program, or start it again where it was updated meanwhile.',
  'store-incomplete':
    'A part of the store at {path} is missing: {missing}. Put it back, or restore a backup into another folder; nothing was changed.',
  'store-moved': 'The store at {path} was converted while it was open here. Open it again.',
  'store-busy': 'The store at {path} is busy: another process has kept it locked for {waited} ms. Try again.',
  'disk-full': 'The disk that holds {path} is full. Nothing that was acknowledged is lost; free some space and try again.',
  'permission-denied': 'No permission for {path}. Check the owner and the mode of the file and its folder.',
  'no-working-folder': 'The folder you are in does not exist any more. Go to one that does, with cd, and try again.',
  'too-many-files': 'The system has no free file handles. Close some programs or raise the limit (ulimit -n), then try again.',
  'io-failed': 'Reading or writing {path} failed: {reason}.',
  'unsafe-path': 'Refused to use {path}: {reason}.',
  'wrong-key': 'The key does not open the store at {path}. Check the passphrase or the key file.',
  'key-required': 'The store at {path} is encrypted. Give its passphrase (CONTINUO_PASSPHRASE) or key file (--key-file).',
  'not-encrypted': 'The store at {path} is not encrypted. Open it without a key, or encrypt it first with "continuo encrypt".',
  'already-encrypted': 'The store at {path} is encrypted already. Decrypt it first with "continuo decrypt".',
  'not-supported': 'The {driver} driver cannot do this: {what}.',
  'unknown-driver': 'There is no storage driver "{driver}". Choose one of: {known}.',
  'driver-mismatch': 'The store at {path} was made with the {found} driver, but {wanted} was asked for. Open it with {found}.',
  'backup-exists': '{path} is not empty. Choose a new folder; a backup never overwrites anything.',
  'backup-invalid': 'The backup at {path} cannot be used: {reason}.',
  'home-not-empty': 'There is a store at {path} already. Restore into an empty folder (--home DIR), or move that one away first.',
  'config-invalid': '{path}, line {line}: {reason}',
  'unknown-setting': 'There is no setting "{name}". "continuo config" lists them all.',
  usage: '{reason}',
  'not-confirmed':
    'Nothing was done: this cannot be undone and was not confirmed. Run it again with --yes if it is what you want.',
  'file-exists': '{path} exists already. Choose another name, or overwrite it with --force.',
  'backup-differs':
    'The backup at {path} does not give back what is stored: {reason}. Keep the store as it is and make another backup.',
  cancelled: 'The turn was cancelled.',
  timeout: '{what} took longer than {seconds} seconds and was stopped.',
  'approval-denied': 'Not allowed: {what}. Say yes when you are asked, or allow it with a rule: continuo chat --allow "…".',
  'approval-not-found': 'There is no approval {id}. "continuo approvals list" shows them all.',
  'step-limit': 'The turn did not settle after {steps} steps and was stopped. What was done is saved; say how to go on.',
  'sandbox-failed': 'The sandbox could not be used: {reason}.',
  'command-failed': 'The command could not be started: {reason}.',
  'tool-conflict':
    'Two different tools are called "{tool}": one from {first}, one from {second}. Hide one of them, or give the MCP server a prefix.',
  'tool-not-found': 'There is no tool "{tool}".',
  'mcp-failed': 'The MCP server "{server}" failed: {reason}.',
  'mcp-limit': 'Too many calls to MCP servers: {reason}. Wait a little and try again.',
  'mcp-remark': 'About the MCP server "{server}": {reason}.',
  'mcp-waiting': 'Waiting for the MCP server "{server}" to start…',
  'mcp-config-invalid': '{path}: {reason}',
  'policy-forbids': 'The storage policy "{policy}" does not allow this: {what}.',
  'conversation-busy': 'Conversation {id} is in the middle of a turn. Wait for its end, or cancel it first.',
  'conversation-closed': 'Conversation {id} is closed in this session. Open it again to go on.',
  'session-closed': 'The session is closed. Open a new one to go on.',
  'session-not-found': 'No session "{id}" of the team "{team}" is saved. "continuo team history" shows what there is.',
  'session-source-gone':
    'The session {id} of {agent} is not there any more: {path}. What was said in it is stored here and can be handed over to an agent.',
  'not-resumable': 'The conversation cannot be opened in another program: {reason}.',
  'session-damaged': 'The session file {path} cannot be read: {reason}. Start a new session; the file is kept.',
  'session-newer':
    'The session file {path} was written by a newer Continuo (version {found}, this one knows {known}). Upgrade Continuo to open it.',
  'session-of-another-team':
    'The session {id} belongs to the team "{found}", not to "{team}". Deploy that team to go on with it.',
  'code-root-missing':
    'The folder {path} of this session does not exist any more. Say where the project is now with --root, or start anew.',
  'code-tools-unknown': 'There is no set of tools "{group}". Choose one of: {known}.',
  'no-saved-session': 'There is no saved session in {path} yet. One is saved as soon as there is something to go on with.',
  'saved-session-not-found': 'No saved session in {path} is called "{id}". Give its id, the name of its file or the path to it.',
  'saved-session-of-another-kind':
    'The session file {path} is of the kind "{found}", not "{wanted}". Open it with the program that saved it.',
  'session-state-unfit':
    'The session cannot be saved: {place} cannot be kept in a file ({reason}). The file that was saved before is as it was.',
  'session-state-failed':
    'The session cannot be saved: its state could not be collected ({reason}). The file that was saved before is as it was.',
  'session-restore-failed': 'The session {path} could not be restored: {reason}. Everything is as it was before.',
  'session-half-restored':
    'The session {path} could not be restored: {reason}. The state before it could not be put back either; begin anew.',
  'program-missing': 'The program {program} could not be started: {reason}. Install it, or give its path in the team file.',
  'program-failed': '{program} failed: {reason}. What was said is saved; say it again later.',
  'program-flooded': '{program} wrote more than {limit} bytes in one answer and was stopped.',
  'events-dropped': '{count} events were dropped because this subscriber did not keep up.',
  'provider-unknown': 'There is no provider "{provider}". Write provider:model, with one of: {known}.',
  'model-not-set':
    'No model is set, and a coding agent cannot work without one. Name it with --model provider:model, or for good: continuo config set model.name provider:model (environment: CONTINUO_MODEL).',
  'model-key-missing': 'There is no key for {provider}. Set {variable}, or choose another model with --model.',
  'model-key-refused': '{provider} refused the key. Check {variable}.',
  'model-rate-limited': '{provider} allows no more requests for now: {reason}. Wait a little and say it again.',
  'model-unreachable': '{provider} cannot be reached at {url}: {reason}. Check the network and the address.',
  'model-failed': '{provider} failed: {reason}. What was said is saved; say it again later.',
  'model-refused': '{provider} did not accept the request: {reason}.',
  'model-answer-broken': 'The answer of {provider} broke off: {reason}. What had arrived is saved.',
  'context-overflow':
    'The conversation is too long for {model}, also after trimming. Start a fork, or choose a model that reads more.',
  'embedder-failed': 'The embedder {embedder} failed: {reason}. Searching by words goes on.',
  'embedder-refused': 'The embedder {embedder} did not accept the text: {reason}.',
  'dimension-mismatch':
    'The embedder {embedder} gave a vector of {found} dimensions where {expected} are expected. Check the model and its dimensions.',
  'embedder-packages-missing':
    'The onnx embedder needs packages that are not installed: {packages}. Install them with: {command}',
  'embedder-package-broken': 'The package {package} at {path} cannot be loaded: {reason}. Install it again.',
  'embedder-folder-unfit': 'The model folder {path} cannot be used: {reason}.',
  'team-invalid': '{path}, line {line}, {place}: {reason}',
  'team-not-found': 'There is no team file at {path}. Write one with "continuo team init".',
  'answer-too-long': '{member} said more than {characters} characters and was stopped. What had been said is saved.',
  'member-silent': '{member} ended its turn without a word.',
  'git-unavailable': 'Git cannot be used in {path}: {reason}.',
  'git-failed': 'Git could not do its part ({command}): {reason}.',
  'commit-refused': 'Nothing was committed: {reason}.',
  internal: 'Something went wrong inside Continuo: {reason}. Please report it with the steps that led here.',
} as const;

export type ErrorCode = keyof typeof errorMessages;
