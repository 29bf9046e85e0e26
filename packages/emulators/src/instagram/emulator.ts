import { PageEmulator } from "../messenger/emulator.ts";
import type { PageMessagingOptions } from "../messenger/options.ts";

/** Starts an emulated Instagram Direct on a loopback port: Messenger's protocol, limits in bytes, reads by message. */
export function createInstagramEmulator(options: PageMessagingOptions = {}): Promise<PageEmulator> {
  const dialect = { name: "instagram", object: "instagram", unit: "bytes", most: 1000 } as const;
  return new PageEmulator(dialect, options).listen();
}
