/**
 * A file that is dropped beside the place for it would be opened by the browser instead of this page, with all that
 * somebody has written on it. It is refused instead: the pointer shows so.
 */
export function keepPage(): void {
  const refuse = (event: DragEvent): void => {
    const { dataTransfer } = event;
    if (event.defaultPrevented || dataTransfer === null || !dataTransfer.types.includes("Files"))
      return;
    event.preventDefault();
    dataTransfer.dropEffect = "none";
  };
  addEventListener("dragover", refuse);
  addEventListener("drop", refuse);
}
