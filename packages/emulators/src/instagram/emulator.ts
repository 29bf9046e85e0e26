import { PageEmulator } from "../messenger/emulator.ts";
import type { PageMessagingOptions } from "../messenger/options.ts";

/** Starts Instagram Direct of our own on a loopback port: Messenger's protocol, its limits in bytes, reads by message. */
export function createInstagramEmulator(options: PageMessagingOptions = {}): Promise<PageEmulator> {
  const dialect = { name: "instagram", object: "instagram", unit: "bytes", most: 1000 } as const;
  return new PageEmulator(dialect, options).listen();
}
