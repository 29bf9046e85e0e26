import { randomInt } from "node:crypto";
import { createTwilioEmulator } from "@parley/emulators";
import { DIGITS, KEPT_SENDS, switchesOf, type Platform, type PlatformOptions } from "./platform.ts";

/**
 * Emulates a Twilio account with one number. Customers are phone numbers. Of what they write only stop and start words
 * have an effect. Nothing is stored.
 */
export async function openSms(options: PlatformOptions): Promise<Platform> {
  const { account, clock, delivery, port, onPhone } = options;
  const emulator = await createTwilioEmulator({
    clock,
    delivery,
    port,
    seed: randomInt(2 ** 32),
    ledgerSize: KEPT_SENDS,
    statuses: { sentMs: [200, 500], deliveredMs: [700, 1400] },
  });
  const number = account.settings["from"] ?? "";
  emulator.addAccount({
    accountSid: account.externalId,
    authToken: account.secrets["authToken"] ?? "",
    numbers: [{ number, smsUrl: account.hookUrl }],
  });
  emulator.onAccepted = ({ sid, to, body }) =>
    onPhone(to.slice(1), {
      kind: "message",
      by: "business",
      messageId: sid,
      text: body,
      type: "text",
    });
  return {
    apiUrl: emulator.url,
    storedAs: (_customer, messageId) => messageId,
    faultOf: (customer) => (DIGITS.test(customer) ? null : "5 to 15 digits of a phone number"),
    fileFaultOf: () => "text only, which is read for stop and start words and not stored",
    takesCaption: () => false,
    say: (from, { text }) => emulator.inbound({ from: `+${from}`, to: number, body: text ?? "" }),
    act: () => false,
    cameToUs: (messageId) =>
      emulator
        .callbacks()
        .some((call) => call.form["MessageSid"] === messageId && call.status === 200),
    restore({ externalId, blocked }) {
      if (blocked) emulator.restoreStop(`+${externalId}`, number);
    },
    repeated: () => emulator.ledger.repeated(),
    ...switchesOf(emulator),
  };
}
