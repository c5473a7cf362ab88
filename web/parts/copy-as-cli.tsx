// The same action as a command line, beside each action of the page.
import { useState, type ReactNode } from 'react';
import { copyText } from './copy-text.ts';
import { Icon } from './icons.tsx';

interface CopyAsCliProps {
  readonly command: string;
  /** Only the button, where there is no room for the command. */
  readonly isShort?: boolean;
}

const SHOWN_MS = 1500;

export function CopyAsCli({ command, isShort = false }: CopyAsCliProps): ReactNode {
  const [copied, setCopied] = useState<boolean>();
  const copy = async (): Promise<void> => {
    setCopied(await copyText(command));
    setTimeout(() => setCopied(undefined), SHOWN_MS);
  };
  return (
    <span className={isShort ? 'copy-cli short' : 'copy-cli'}>
      {!isShort && <code>{command}</code>}
      <button
        type="button"
        className="quiet-button"
        onClick={() => void copy()}
        title={command}
        aria-label="Copy the command"
      >
        {copied === undefined ? <Icon name="copy" /> : copied ? '✓' : '✗'}
      </button>
    </span>
  );
}
