// The port of a sandbox: it turns a command line into one that runs with less. What every sandbox allows is one policy: the given
// folders are writable, the rest of the disk can only be read, secrets cannot be read at all, and the network is off.

export interface SandboxRequest {
  cwd: string;
  /** Folders and files the command may write to. Those that do not exist are passed over. */
  writable: readonly string[];
  network: boolean;
  /** Folders and files the command must not see, besides the known secrets of the home folder. */
  hidden?: readonly string[];
}

export interface Sandbox {
  readonly name: string;
  /** Whether the process that is started is the sandbox's own, and everything inside ends with it. */
  readonly holdsTree: boolean;
  /** The command line to start instead. Throws `sandbox-failed` where the request cannot be met. */
  wrap(argv: readonly string[], request: SandboxRequest): string[];
}
