import type { Broadcast } from "../broadcasts/record/broadcast.ts";
import type { BroadcastPreview } from "../broadcasts/text/preview-broadcast.ts";
import { instant, plain, table } from "./table.ts";

/** A line for each campaign. `broadcast show` shows the rest. */
export function broadcastTable(broadcasts: readonly Broadcast[]): string {
  return table(
    ["id", "name", "kind", "status", "sent", "failed", "skipped", "of", "created"],
    broadcasts.map((one) => [
      one.id,
      one.name,
      one.kind,
      one.statusReason === null ? one.status : `${one.status} (${one.statusReason})`,
      String(one.sentCount),
      String(one.failedCount),
      String(one.skippedCount),
      String(one.totalCount),
      instant(one.createdAt),
    ]),
  );
}

/** A line for each contact, and below it what the phone would show, or why the contact would be skipped. */
export function previewText({ cannotRun, contacts }: BroadcastPreview): string {
  const stop = cannotRun === null ? "" : `It cannot run now: ${plain(cannotRun)}\n\n`;
  const shown = contacts.map((one) => {
    const who = [one.name ?? "(no name)", one.address ?? "(no address)", one.contactId];
    const lines =
      one.skipped === null
        ? [
            ...(one.headerText === null ? [] : one.headerText.split("\n")),
            ...(one.text ?? "(no text)").split("\n"),
            ...one.buttons.map(({ index, text }) => `[button ${index}] ${text}`),
          ]
        : [`skipped: ${one.skipped}`];
    return `${plain(who.join("  "))}\n${lines.map((line) => `  ${plain(line)}\n`).join("")}`;
  });
  return stop + (shown.length === 0 ? "nobody\n" : shown.join("\n"));
}
