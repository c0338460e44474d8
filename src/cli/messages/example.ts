// A command line to learn from, and what it does.
export interface Example {
  command: string;
  means: string;
}
