// Copies a text. Browsers give pages their clipboard only over TLS or on this machine, so elsewhere the older way is tried.

/** Whether it was copied. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without a clipboard, or without the permission to use it.
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'hidden-text';
  // A dialog makes everything outside of it inert.
  (document.querySelector('dialog[open]') ?? document.body).append(area);
  const before = document.activeElement;
  area.select();
  // The one way to copy without a clipboard, which browsers keep for such pages.
  const isCopied = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}
