import type { ImportProgress } from "../contacts/import/import-report.ts";

const WIDTH = 24;

/**
 * Shows the progress of an import on a terminal: the part of the bytes that is read, the rate of rows, and the time
 * that is left.
 */
export function createImportBar(totalBytes: number, now: () => number = () => performance.now()) {
  const begun = now();
  let bytes = 0;
  let firstRows: number | null = null;
  let firstBytes = 0;
  return {
    /** The same stream. Counts its bytes. */
    async *watch(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const piece of source) {
        yield piece;
        bytes += piece.length;
      }
    },
    show(at: ImportProgress): void {
      process.stderr.write(`\r\u001b[K${this.line(at)}`);
    },
    line(at: ImportProgress): string {
      const seconds = (now() - begun) / 1_000;
      // A resumed import skips earlier rows in next to no time. So the rate counts from the first batch of this run.
      firstRows ??= Math.max(0, at.rows - 1_000);
      firstBytes ||= bytes > 0 && firstRows > 0 ? bytes : 0;
      const part = totalBytes === 0 ? 1 : Math.min(1, bytes / totalBytes);
      const rate = seconds > 0 ? (at.rows - firstRows) / seconds : 0;
      const byteRate = seconds > 0 ? (bytes - firstBytes) / seconds : 0;
      const left = byteRate > 0 ? clock((totalBytes - bytes) / byteRate) : "–";
      const full = Math.floor(part * WIDTH);
      return (
        `[${"█".repeat(full)}${"░".repeat(WIDTH - full)}] ${Math.floor(part * 100)} %  ` +
        `${at.rows} rows, ${Math.round(rate)}/s, ${left} left: ` +
        `${at.created} new, ${at.updated} changed, ${at.unchanged} as they were, ${at.refused} refused`
      );
    },
    end(): void {
      process.stderr.write("\n");
    },
  };
}

function clock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const two = (n: number): string => String(n).padStart(2, "0");
  const hours = Math.floor(whole / 3_600);
  const rest = `${two(Math.floor((whole % 3_600) / 60))}:${two(whole % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}
