// Ends the process with status 1 when a step failed; the step itself has said why.
import { StepFailed } from './quiet-step.mjs';

export async function stepsOrExit(steps) {
  try {
    return await steps();
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    process.exit(1);
  }
}
