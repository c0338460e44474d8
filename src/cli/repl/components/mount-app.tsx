// Puts the application on a terminal: draws the view whenever it changes. Keys are none of its business: they go to the controller.
import { render } from 'ink';
import type { ReplView } from '../view/repl-view.ts';
import { App } from './app.tsx';
import type { Draw } from './draw.ts';

export interface MountOptions {
  stdout: NodeJS.WriteStream;
  stdin: NodeJS.ReadStream;
}

export interface Mounted {
  draw(view: ReplView, draw: Draw): void;
  /** Draws what is left and gives the terminal back. */
  close(): void;
}

export function mountApp({ stdout, stdin }: MountOptions): Mounted {
  let instance: ReturnType<typeof render> | undefined;
  return {
    draw(view, draw) {
      const tree = <App view={view} draw={draw} />;
      if (instance) instance.rerender(tree);
      else instance = render(tree, { stdout, stdin, exitOnCtrlC: false, patchConsole: false });
    },
    close() {
      instance?.unmount();
    },
  };
}
