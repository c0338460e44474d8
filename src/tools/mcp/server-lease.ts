// What a view holds of a pool: one server, shared with others, for as long as the view wants it.
import type { McpConnection } from './mcp-connection.ts';

export interface ServerLease {
  readonly connection: McpConnection;
  /** Says that the server is in use, until the returned function is called. */
  begin(): () => void;
  /** Once is enough; more often is harmless. */
  release(): void;
}
