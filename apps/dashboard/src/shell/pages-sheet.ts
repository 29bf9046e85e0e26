let open: (() => void) | undefined;

/** Opens the sheet with all views and pages, which a phone shows in place of the navigation at the side. */
export function openPages(): void {
  open?.();
}

/** The sheet is there, and `opener` opens it, until the returned function is called. */
export function onOpenPages(opener: () => void): () => void {
  open = opener;
  return () => {
    open = undefined;
  };
}
