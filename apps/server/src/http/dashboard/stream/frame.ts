import type { FrameName, Frames } from "../contract/live.ts";

/** One frame of the stream (`contract/live.ts`) as server-sent events write it. */
export const frame = <N extends FrameName>(name: N, data: Frames[N], id?: number): string =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
