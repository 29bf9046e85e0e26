import type { ControlTable } from "../core/control.ts";
import type { TwilioEmulator } from "./emulator.ts";

/** The controls over HTTP beside the common ones: the same methods that a test calls on the object. */
export function twilioControl(emulator: TwilioEmulator): ControlTable {
  return {
    looks: { callbacks: () => emulator.callbacks() },
    acts: {
      inbound: (given) => {
        const [from, to, body] = [given.text("from"), given.text("to"), given.text("body")];
        return { sid: emulator.inbound({ from, to, body }) };
      },
      status: (given) => {
        const facts = given.numbers("errorCode", "times");
        emulator.status({ sid: given.text("sid"), status: given.text("status"), ...facts });
        return { queued: emulator.stats.queued };
      },
    },
  };
}
