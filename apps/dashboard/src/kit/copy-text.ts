/**
 * Puts a text on the clipboard. Call it from a press: browsers copy only then. A page of a plain http host has no
 * `navigator.clipboard`; there the old command copies what its event is given. Throws when the browser refuses.
 */
export async function copyText(text: string): Promise<void> {
  if (isSecureContext) return navigator.clipboard.writeText(text);
  const give = (event: ClipboardEvent): void => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener("copy", give, { capture: true, once: true });
  const isDone = document.execCommand("copy");
  document.removeEventListener("copy", give, { capture: true });
  if (!isDone) throw new Error("the browser did not copy");
}
