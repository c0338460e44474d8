// What work costs the processor, in milliseconds. Unlike the time on the clock it does not depend on what else the machine is doing, so
// a limit about ten times what is needed fails only where the kind of growth has changed.

export function processorTime(work: () => void): number {
  const before = process.cpuUsage();
  work();
  return since(before);
}

export async function processorTimeOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return since(before);
}

function since(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
