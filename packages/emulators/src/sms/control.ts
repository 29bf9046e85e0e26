import type { ControlTable } from "../core/control.ts";
import type { SmsGateway } from "./gateway.ts";

const STATES = ["accepted", "sent", "delivered", "failed"] as const;

/** The controls over HTTP beside the common ones: the same methods that a test calls on the object. */
export function gatewayControl(gateway: SmsGateway): ControlTable {
  return {
    looks: { callbacks: () => gateway.callbacks() },
    acts: {
      status: (given) => {
        gateway.status({
          id: given.text("id"),
          state: given.oneOf("state", STATES),
          ...given.texts("code"),
          times: given.numberOr("times", 1),
        });
        return { queued: gateway.stats.queued };
      },
    },
  };
}
