// Opens the person's browser. The address is in the arguments of a process, so it must hold nothing that stays secret.
import { startInBackground } from '../../shell/exec/background-process.ts';

/** `start` of Windows takes the first quoted word for a title. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** How long a program has to say that it cannot open anything. */
const FAILS_WITHIN_MS = 2_000;

/** Whether a program was found that opens addresses. */
export function openBrowser(address: string): Promise<boolean> {
  const chosen = process.env['BROWSER'];
  const opener = chosen === undefined || chosen === '' ? (OPENERS[process.platform] ?? ['xdg-open']) : [chosen];
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), FAILS_WITHIN_MS);
    const answer = (isOpened: boolean): void => {
      clearTimeout(timer);
      resolve(isOpened);
    };
    startInBackground([...opener, address], {
      cwd: process.cwd(),
      stdout: 'ignore',
      stderr: 'ignore',
      onExit: (end) => answer(end.type === 'exited' && end.code === 0),
      onFailed: () => answer(false),
    });
  });
}
