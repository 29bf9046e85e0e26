let open: (() => void) | undefined;

/** Opens the command menu. */
export function openCommandMenu(): void {
  open?.();
}

/** The menu is there, and `opener` opens it, until the returned function is called. */
export function onOpenCommandMenu(opener: () => void): () => void {
  open = opener;
  return () => {
    open = undefined;
  };
}
