// The same action as a command line, beside each action of the page.
import { useState, type ReactNode } from 'react';
import { Icon } from './icons.tsx';

interface CopyAsCliProps {
  readonly command: string;
  /** Only the button, where there is no room for the command. */
  readonly isShort?: boolean;
}

const SHOWN_MS = 1500;

export function CopyAsCli({ command, isShort = false }: CopyAsCliProps): ReactNode {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(command);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <span className={isShort ? 'copy-cli short' : 'copy-cli'}>
      {!isShort && <code>{command}</code>}
      <button
        type="button"
        className="quiet-button"
        onClick={() => void copy()}
        title={command}
        aria-label={`Copy: ${command}`}
      >
        {isCopied ? '✓' : <Icon name="copy" />}
      </button>
    </span>
  );
}
