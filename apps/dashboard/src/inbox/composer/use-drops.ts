import { useEffect, useEffectEvent, type RefObject } from "react";

/**
 * Takes files that are dropped anywhere on the open conversation: people aim at the messages, not at the box below them.
 * While some are over it, the conversation has `data-drops`. `take` undefined: this message can have no files.
 */
export function useDrops(
  area: RefObject<HTMLElement | null>,
  take: ((files: readonly File[]) => void) | undefined,
): void {
  const takeLatest = useEffectEvent((files: readonly File[]) => take?.(files));
  const takes = take !== undefined;
  useEffect(() => {
    const place = area.current?.closest<HTMLElement>(".thread");
    if (!place || !takes) return undefined;
    const ended = new AbortController();
    const { signal } = ended;
    const holdsFiles = (event: DragEvent): boolean =>
      event.dataTransfer?.types.includes("Files") === true;
    const over = (event: DragEvent): void => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      place.dataset["drops"] = "";
    };
    const leave = ({ relatedTarget }: DragEvent): void => {
      if (!(relatedTarget instanceof Node && place.contains(relatedTarget)))
        delete place.dataset["drops"];
    };
    const drop = (event: DragEvent): void => {
      delete place.dataset["drops"];
      if (!holdsFiles(event)) return;
      event.preventDefault();
      takeLatest([...(event.dataTransfer?.files ?? [])]);
    };
    place.addEventListener("dragover", over, { signal });
    place.addEventListener("dragleave", leave, { signal });
    place.addEventListener("drop", drop, { signal });
    return () => {
      ended.abort();
      delete place.dataset["drops"];
    };
  }, [area, takes]);
}
