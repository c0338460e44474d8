// npm runs a script through a shell, and a shell that is told to stop does not pass the signal on: without this, ending
// "npm start" from outside would leave continuo running on its own. The shell's end is taken as the signal it did not pass on.
const interval = 250;

export function followParent() {
  if (process.platform === 'win32' || process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, interval);
  timer.unref();
}
