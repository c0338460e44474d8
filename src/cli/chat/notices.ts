// Tells a person who looks elsewhere, in the ways the settings choose, that a long turn has ended or that a question waits.
import type { Notice } from '../../runtime/notifier/notice.ts';
import type { Session } from '../../runtime/session.ts';
import type { Context } from '../context.ts';

/** Tells until the returned function is called, which waits for what is on its way. */
export async function tellNotices(context: Context, session: Session): Promise<() => Promise<void>> {
  const config = context.config();
  const isBellWanted = config['notify.bell'].value === true && context.terminal.stderr;
  const isDesktopWanted = config['notify.desktop'].value === true;
  const url = config['notify.webhook'].value;
  if (!isBellWanted && !isDesktopWanted && url === undefined) return async () => undefined;
  const { attachNotifier, createNotifier } = await import('../../runtime/notifier/notifier.ts');
  const notifier = createNotifier({
    after: (config['notify.after_seconds'].value ?? 30) * 1000,
    format: (notice) => formatNotice(context, notice),
    onProblem: (problem) => context.output.note(context.style.dim(problem.message)),
    ...(isBellWanted && { bell: process.stderr }),
    ...(isDesktopWanted && { desktop: true }),
    ...(url !== undefined && { webhook: { url } }),
  });
  const attached = attachNotifier(session.events, notifier);
  return () => attached.close();
}

function formatNotice({ text }: Context, notice: Notice): string {
  const words = text.chat.notice;
  if (notice.kind === 'approval-request') return words.question(notice.summary);
  const seconds = Math.round(notice.milliseconds / 1000);
  return notice.outcome === 'done' ? words.done(seconds) : words.failed(seconds);
}
