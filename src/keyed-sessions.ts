// The session manager of a home, wired to a store of its own: what most bots want, in one call.
import { getSessionManager as getManager, type SessionManager, type SessionManagerOptions } from './channels/session-manager.ts';
import { type OpenStoreOptions, openStore } from './open-store.ts';

type ManagerOptions = Omit<SessionManagerOptions, 'store' | 'open' | 'home'>;

/** The manager of the home's sessions; the same one for every call with this home. Its store is opened on first use. */
export function getSessionManager(options: ManagerOptions & OpenStoreOptions): SessionManager;
/** The manager of a store that is open already, or the one made first. */
export function getSessionManager(options?: SessionManagerOptions): SessionManager;
export function getSessionManager(options?: SessionManagerOptions | (ManagerOptions & OpenStoreOptions)): SessionManager {
  if (!options?.home || 'open' in options || 'store' in options) return getManager(options as SessionManagerOptions | undefined);
  const { home, driver, key, redactor, trashGrace, onProblem, ...rest } = options as ManagerOptions & OpenStoreOptions;
  const storeOptions = Object.fromEntries(
    Object.entries({ home, driver, key, redactor, trashGrace, onProblem, clock: rest.clock }).filter(
      ([, value]) => value !== undefined,
    ),
  ) as unknown as OpenStoreOptions;
  return getManager({ ...rest, home, open: () => openStore(storeOptions) });
}
